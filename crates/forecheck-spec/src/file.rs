//! The files of a surface as their authors wrote them: decoded, every problem reported, nothing
//! looked up yet.
//!
//! Each file kind is a struct. It is filled by hand from the tree, so that each problem has its
//! place, and the published schemas (`verb.schema.json` and so on) are made from the same struct.

mod constraint;
mod fact;
mod fields;
mod predicate;
mod retired;
mod surface;
mod verb;

use std::borrow::Cow;

use forecheck_contract::json::Node;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

pub use constraint::ConstraintFile;
pub use fact::{FactFile, FactSource};
pub use predicate::RefuseWhen;
pub use retired::RetiredEntry;
pub use surface::{SurfaceFile, SurfaceTarget};
pub use verb::{ConstraintEntry, Effect, Example, Repeat, VerbFile};

pub(crate) use fields::{ANNOTATIONS, Decoder};
pub(crate) use retired::decode_retired;

use crate::problem::Located;

impl<T: JsonSchema> JsonSchema for Located<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

/// A member that holds a JSON Schema, for the published schemas.
struct AnySchema;

impl JsonSchema for AnySchema {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "AnySchema".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "$ref": "https://json-schema.org/draft/2020-12/schema" })
    }
}

/// The published schema of one file kind, by the name of the file that it is published in.
pub fn published_schemas() -> Vec<(&'static str, Schema)> {
    vec![
        ("surface.schema.json", open_to_annotations(schemars::schema_for!(SurfaceFile<'_>))),
        ("verb.schema.json", open_to_annotations(schemars::schema_for!(VerbFile<'_>))),
        ("constraint.schema.json", open_to_annotations(schemars::schema_for!(ConstraintFile<'_>))),
        ("fact.schema.json", open_to_annotations(schemars::schema_for!(FactFile<'_>))),
    ]
}

/// Every spec file may carry `$schema` and `$comment` at its top.
fn open_to_annotations(mut schema: Schema) -> Schema {
    if let Some(properties) = schema.get_mut("properties").and_then(serde_json::Value::as_object_mut) {
        for annotation in fields::ANNOTATIONS {
            properties.insert(annotation.to_owned(), serde_json::json!({ "type": "string" }));
        }
    }
    schema
}

/// A node that stands for a whole schema.
pub(crate) type SchemaNode<'s> = &'s Node<'s>;

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// What is published and what is decoded have the same members, and agree about which of them
    /// must be there.
    #[test]
    fn published_schemas_name_what_is_decoded() {
        let schemas = published_schemas();
        let check = |file: &str, known: &[&str], required: &[&str]| {
            let schema = &schemas.iter().find(|(name, _)| *name == file).unwrap().1;
            let properties = schema.get("properties").unwrap().as_object().unwrap();
            let named: BTreeSet<&str> = properties.keys().map(String::as_str).collect();
            assert_eq!(named, known.iter().chain(&fields::ANNOTATIONS).copied().collect(), "{file}");
            let needed = schema.get("required").unwrap().as_array().unwrap();
            assert_eq!(
                needed.iter().map(|name| name.as_str().unwrap()).collect::<Vec<_>>(),
                required,
                "{file}"
            );
        };
        check("surface.schema.json", &SurfaceFile::KNOWN, &["name"]);
        check("verb.schema.json", &VerbFile::KNOWN, &["verb", "input", "constraints"]);
        check("constraint.schema.json", &ConstraintFile::KNOWN, &["code"]);
        check("fact.schema.json", &FactFile::KNOWN, &["fact"]);
    }
}
