//! The generators of types, with their default options, and how each is asked.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use forecheck_codegen::rust::types::{self, Root, Shared};
use forecheck_contract::json::{self, Limits};
use forecheck_spec::schema::{Resource, Schemas};
use quote::quote;

use crate::cases::Trap;
use crate::peers::place;

/// The language of what a tool writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    Rust,
    TypeScript,
    Python,
}

impl Language {
    pub(crate) fn extension(self) -> &'static str {
        match self {
            Language::Rust => "rs",
            Language::TypeScript => "ts",
            Language::Python => "py",
        }
    }
}

/// A generator of types.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    /// A word for file names.
    pub(crate) id: &'static str,
    pub(crate) language: Language,
    command: Option<fn(&Path, &Path) -> Command>,
}

/// Ours is the one without a command: it runs in this process.
pub(crate) const TOOLS: [Tool; 5] = [
    Tool { name: "forecheck", id: "forecheck", language: Language::Rust, command: None },
    Tool { name: "cargo-typify", id: "typify", language: Language::Rust, command: Some(typify) },
    Tool { name: "quicktype (Rust)", id: "quicktype", language: Language::Rust, command: Some(quicktype) },
    Tool {
        name: "json-schema-to-typescript",
        id: "json2ts",
        language: Language::TypeScript,
        command: Some(json2ts),
    },
    Tool {
        name: "datamodel-code-generator",
        id: "datamodel",
        language: Language::Python,
        command: Some(datamodel),
    },
];

/// Types that a tool wrote for a trap. The type of the whole value has the trap's name.
pub(crate) struct Types<'t> {
    pub(crate) tool: Tool,
    pub(crate) trap: &'t Trap,
    pub(crate) file: PathBuf,
}

impl Tool {
    /// The types, unless the tool fails.
    pub(crate) fn generate<'t>(&self, trap: &'t Trap) -> Option<Types<'t>> {
        let folder = place("traps").join(self.id).join(&trap.name);
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join("types").with_extension(self.language.extension());
        let succeeded = match self.command {
            None => fs::write(&file, ours(trap)).is_ok(),
            Some(command) => command(&trap.schema, &file).output().unwrap().status.success(),
        };
        (succeeded && file.exists()).then_some(Types { tool: *self, trap, file })
    }
}

/// The types and what they read with, as one file.
fn ours(trap: &Trap) -> String {
    let schema = json::read(trap.text.as_bytes(), Limits::SPEC).unwrap();
    let root = Root { name: trap.name.clone(), about: String::new(), place: Resource::own(&schema).place() };
    let module = types::module(&Schemas::default(), &Shared::default(), &[root], &[], &[]);
    let (items, reading) = (module.items, module.reading.module().unwrap_or_default());
    let file = quote! {
        mod reading { #reading }
        mod items { #items }
        pub use items::*;
    };
    prettyplease::unparse(&syn::parse2(file).unwrap())
}

fn typify(schema: &Path, file: &Path) -> Command {
    let mut command = Command::new(place("cargo/bin/cargo-typify"));
    command.arg("typify").arg(schema).arg("--output").arg(file);
    command
}

fn quicktype(schema: &Path, file: &Path) -> Command {
    let mut command = Command::new(place("npm/node_modules/.bin/quicktype"));
    command.args(["--src-lang", "schema", "--lang", "rust", "--top-level"]);
    command.arg(schema.file_stem().unwrap()).arg("--out").arg(file).arg(schema);
    command
}

fn json2ts(schema: &Path, file: &Path) -> Command {
    let mut command = Command::new(place("npm/node_modules/.bin/json2ts"));
    command.arg("--input").arg(schema).arg("--output").arg(file);
    command
}

fn datamodel(schema: &Path, file: &Path) -> Command {
    let mut command = Command::new(place("python/bin/datamodel-codegen"));
    command.args(["--input-file-type", "jsonschema", "--input"]).arg(schema).arg("--output").arg(file);
    command
}
