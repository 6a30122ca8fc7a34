//! Types of a schema as text.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use forecheck_codegen::rust::types::{self, Module, Root, Shared};
use forecheck_contract::json::{self, Limits, Node};
use forecheck_spec::schema::{Resource, Schemas};

/// The folder with the corpora.
pub(crate) fn corpora() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpora")
}

/// The JSON files of a folder under the corpora, by their names without extension.
pub(crate) fn files(folder: &str) -> BTreeMap<String, Vec<u8>> {
    json_files(&corpora().join(folder))
}

/// The JSON files of a folder, by their names without extension.
pub(crate) fn json_files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap();
    let files = entries.map(|entry| entry.unwrap().path());
    let json = files.filter(|path| path.extension().is_some_and(|extension| extension == "json"));
    json.map(|path| (path.file_stem().unwrap().to_str().unwrap().to_owned(), std::fs::read(&path).unwrap()))
        .collect()
}

/// A schema as a tree.
pub(crate) fn read(text: &[u8]) -> Node<'_> {
    json::read(text, Limits::SPEC).unwrap()
}

/// The types of one schema that stands alone.
pub(crate) fn module(name: &str, schema: &Node<'_>) -> Module {
    let schemas = Schemas::default();
    let root =
        Root { name: name.to_owned(), about: "A root.".to_owned(), place: Resource::own(schema).place() };
    types::module(&schemas, &Shared::default(), &[root], &[], &[])
}

/// A module as text, its notes first.
pub(crate) fn text(module: &Module) -> String {
    let notes = module.notes.iter().map(|note| format!("// {note}\n"));
    notes.collect::<String>() + &prettyplease::unparse(&syn::parse2(module.items.clone()).unwrap())
}

/// Our own schemas, and instances of them and of the traps: `schema`, `valid`, `invalid`.
pub(crate) fn case_files() -> BTreeMap<String, Vec<u8>> {
    json_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/types/cases"))
}

/// Our own schemas.
pub(crate) fn cases() -> BTreeMap<String, String> {
    let schemas = case_files().into_iter().filter_map(|(name, content)| {
        let content = read(&content);
        Some((name, serde_json::to_string(content.get("schema")?).unwrap()))
    });
    schemas.collect()
}
