//! The traps, each with instances whose validity the `jsonschema` crate decides.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// A schema that generators of types get wrong.
pub(crate) struct Trap {
    pub(crate) name: String,
    pub(crate) schema: PathBuf,
    pub(crate) text: String,
    pub(crate) instances: Vec<Instance>,
}

/// A value as text, and whether the schema allows it.
pub(crate) struct Instance {
    pub(crate) text: String,
    pub(crate) is_valid: bool,
}

impl Trap {
    /// Every schema of `tests/corpora/traps`.
    pub(crate) fn all() -> Vec<Trap> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpora/traps");
        let mut schemas: Vec<PathBuf> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        schemas.sort();
        schemas.into_iter().map(Trap::read).collect()
    }

    fn read(schema: PathBuf) -> Trap {
        let name = schema.file_stem().unwrap().to_str().unwrap().to_owned();
        let text = fs::read_to_string(&schema).unwrap();
        let validator = jsonschema::draft202012::new(&serde_json::from_str(&text).unwrap()).unwrap();
        let instances = instances(&name)
            .map(|value| Instance { text: value.to_string(), is_valid: validator.is_valid(&value) })
            .collect();
        Trap { name, schema, text, instances }
    }
}

/// The instances that the tests of the type generator use, too.
fn instances(trap: &str) -> impl Iterator<Item = Value> {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/forecheck-codegen/tests/types/cases");
    let path = cases.join(trap).with_extension("json");
    let mut cases: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    let lists = ["valid", "invalid"].map(|list| cases[list].take());
    lists.into_iter().flat_map(move |list| match list {
        Value::Array(instances) => instances,
        other => panic!("{trap}: {other}"),
    })
}
