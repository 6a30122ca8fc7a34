//! Two verbs that share schemas.

use std::collections::BTreeMap;

use forecheck_codegen::rust::types::{self, Module, Root, Shared};
use forecheck_spec::schema::{Resource, Schemas};

use crate::support::read;

const COMMON: &str = r##"{"$defs": {
    "Status": {"description": "How it ended.", "enum": ["ok", "refused"]},
    "Error": {"type": "object", "required": ["code"], "additionalProperties": false, "properties": {
        "code": {"type": "string"},
        "where": {"type": "object", "additionalProperties": false, "properties": {"at": {"type": "array", "items": {"type": "string"}}}},
        "cause": {"$ref": "#/$defs/Error"}
    }},
    "Name": {"type": "string", "minLength": 1},
    "Text": {"type": "object", "required": ["kind"], "properties": {"kind": {"const": "text"}, "text": {"type": "string"}}},
    "File": {"type": "object", "required": ["kind"], "properties": {
        "kind": {"const": "file"}, "meta": {"type": "object", "properties": {"size": {"type": "integer"}}}
    }},
    "Unused": {"type": "object", "properties": {"x": {}}}
}}"##;

const REPO: &str = r##"{"type": "object", "title": "A repository", "properties": {
    "name": {"$ref": "../verbs/_common.schema.json#/$defs/Name"},
    "owner": {"$ref": "#/$defs/Owner"},
    "forks": {"type": "array", "items": {"$ref": "repo.schema.json"}}
}, "$defs": {"Owner": {"type": ["object", "null"], "properties": {"last": {"$ref": "../verbs/_common.schema.json#/$defs/Status"}}}}}"##;

const OPEN: &str = r##"{"type": "object", "additionalProperties": false, "properties": {
    "repo": {"$ref": "../defs/repo.schema.json"},
    "status": {"$ref": "_common.schema.json#/$defs/Status"},
    "errors": {"type": "array", "items": {"$ref": "_common.schema.json#/$defs/Error"}},
    "wider": {"$ref": "_common.schema.json#/$defs/Text", "properties": {"lang": {"$ref": "#/$defs/Status"}}},
    "part": {"oneOf": [{"$ref": "_common.schema.json#/$defs/Text"}, {"$ref": "_common.schema.json#/$defs/File"}]}
}, "$defs": {"Status": {"enum": ["own", "other"]}}}"##;

const CLOSE: &str = r#"{"$ref": "_common.schema.json#/$defs/Error"}"#;

/// Valid inputs, by the module of their verb.
pub(crate) const VALID: &[(&str, &str)] = &[
    ("surface_open", "{}"),
    (
        "surface_open",
        r#"{"repo": {"name": "r", "owner": null, "forks": [{"owner": {"last": "ok"}}], "more": 1}, "status": "refused"}"#,
    ),
    ("surface_open", r#"{"errors": [{"code": "A", "where": {"at": ["b"]}, "cause": {"code": "C"}}]}"#),
    ("surface_open", r#"{"wider": {"kind": "text", "lang": "own", "x": []}}"#),
    ("surface_open", r#"{"part": {"kind": "file", "meta": {"size": 3.0}, "y": null}}"#),
    ("surface_close", r#"{"code": "A", "cause": {"code": "B"}}"#),
];

/// The module `shared`, and those of two verbs.
pub(crate) fn modules() -> BTreeMap<String, Module> {
    let (common, repo) = (read(COMMON.as_bytes()), read(REPO.as_bytes()));
    let verbs = [("surface_open", read(OPEN.as_bytes())), ("surface_close", read(CLOSE.as_bytes()))];
    let schemas = Schemas { common: Some(&common), defs: BTreeMap::from([("repo", &repo)]) };
    let places = verbs.iter().map(|(_, input)| Resource::own(input).place());
    let shared = Shared::collect(&schemas, places);
    let mut modules = BTreeMap::from([("shared".to_owned(), shared.module().unwrap())]);
    for (name, input) in &verbs {
        let root = Root {
            name: "Root".to_owned(),
            about: "A root.".to_owned(),
            place: Resource::own(input).place(),
        };
        modules.insert((*name).to_owned(), types::module(&schemas, &shared, &[root], &[], &[]));
    }
    modules
}
