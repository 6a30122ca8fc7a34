//! Other generators of types, over the input schemas of the 200 verbs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use forecheck_codegen::rust::names::type_name;
use serde_json::Value;

use crate::peers::place;

/// A generator of types: what it is, and its command lines for a folder of schemas.
pub(crate) struct Typer {
    pub(crate) name: &'static str,
    pub(crate) commands: fn(&[PathBuf], &Path) -> Vec<Command>,
}

pub(crate) const TYPERS: [Typer; 4] = [
    Typer { name: "cargo-typify, a process for each schema", commands: typify },
    Typer { name: "quicktype --lang rust, one process", commands: quicktype },
    Typer { name: "json-schema-to-typescript, one process", commands: json2ts },
    Typer { name: "datamodel-code-generator, one process", commands: datamodel },
];

fn typify(schemas: &[PathBuf], out: &Path) -> Vec<Command> {
    let command = |schema: &PathBuf| {
        let mut command = Command::new(place("cargo/bin/cargo-typify"));
        let types = out.join(schema.file_stem().unwrap()).with_extension("rs");
        command.arg("typify").arg(schema).arg("--output").arg(types);
        command
    };
    schemas.iter().map(command).collect()
}

fn quicktype(schemas: &[PathBuf], out: &Path) -> Vec<Command> {
    let mut command = Command::new(place("npm/node_modules/.bin/quicktype"));
    command.args(["--src-lang", "schema", "--lang", "rust", "--out"]).arg(out.join("types.rs")).args(schemas);
    vec![command]
}

fn json2ts(schemas: &[PathBuf], out: &Path) -> Vec<Command> {
    let mut command = Command::new(place("npm/node_modules/.bin/json2ts"));
    command.arg("--input").arg(schemas[0].parent().unwrap()).arg("--output").arg(out);
    vec![command]
}

fn datamodel(schemas: &[PathBuf], out: &Path) -> Vec<Command> {
    let mut command = Command::new(place("python/bin/datamodel-codegen"));
    command.args(["--input-file-type", "jsonschema", "--input"]).arg(schemas[0].parent().unwrap());
    command.arg("--output").arg(out.join("types"));
    vec![command]
}

/// The input schema of each verb as a file of its own, with a title, after which most tools name the type.
pub(crate) fn input_schemas(spec: &Path, folder: &Path) -> Vec<PathBuf> {
    fs::create_dir_all(folder).unwrap();
    let verbs = fs::read_dir(spec.join("verbs")).unwrap().map(|entry| entry.unwrap().path());
    let mut schemas: Vec<PathBuf> = verbs
        .map(|path| {
            let mut verb: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
            let name = verb["verb"].as_str().unwrap().to_owned();
            verb["input"]["title"] = type_name(&name).into();
            let schema = folder.join(name).with_extension("json");
            fs::write(&schema, serde_json::to_string_pretty(&verb["input"]).unwrap()).unwrap();
            schema
        })
        .collect();
    schemas.sort();
    schemas
}
