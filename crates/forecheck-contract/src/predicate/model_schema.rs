//! The JSON Schemas of the parts of a predicate, as editors understand them best.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

use super::{Literal, Pattern};

/// Turns a choice between objects of one member each into one object that has one of these members:
/// an editor then completes the names, and a reader of a later version's file may let go of the end
/// of the list.
pub(super) fn one_member(schema: &mut Schema) {
    let Some(Value::Array(variants)) = schema.remove("oneOf") else { return };
    let mut members = Map::new();
    for mut variant in variants {
        let about = variant.get("description").cloned();
        let Some(Value::Object(properties)) = variant.get_mut("properties").map(Value::take) else {
            continue;
        };
        members.extend(properties.into_iter().map(|(name, mut of)| {
            if let (Some(of), Some(about)) = (of.as_object_mut(), &about) {
                of.insert("description".to_owned(), about.clone());
            }
            (name, of)
        }));
    }
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("properties".to_owned(), Value::Object(members));
    schema.insert("minProperties".to_owned(), json!(1));
    schema.insert("maxProperties".to_owned(), json!(1));
    schema.insert("additionalProperties".to_owned(), json!(false));
}

impl JsonSchema for Literal {
    fn schema_name() -> Cow<'static, str> {
        "Literal".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A value that stands for itself: no object, and in an array nothing that holds other values.",
            "type": ["null", "boolean", "number", "string", "array"],
            "items": { "type": ["null", "boolean", "number", "string"] },
        })
    }
}

impl JsonSchema for Pattern {
    fn schema_name() -> Cow<'static, str> {
        "Pattern".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A regular expression in the syntax of Rust's `regex` crate, without look-around and references \
                            back, so that matching takes time linear in the text. It matches anywhere in a text unless \
                            `^` and `$` tie it to the ends; `$` is the very end.",
            "type": "string",
        })
    }
}
