//! What of an input does not go into the ledger: what its schema marks `writeOnly`.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

/// What stands in the place of what was left out.
const LEFT_OUT: &str = "(not kept)";

/// The secret parts of an input. More is left out than is marked, never less: members count by their name,
/// wherever they stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Secrets {
    /// Members of these names.
    Named(BTreeSet<String>),
    /// Everything: what is marked has no name of its own, as an item of an array has none.
    All,
}

impl Secrets {
    /// Reads the marks of a schema.
    pub(crate) fn of(schema: &Value) -> Self {
        let mut names = BTreeSet::new();
        if collect(schema, &mut names) { Secrets::Named(names) } else { Secrets::All }
    }

    pub(crate) fn leave_out(&self, input: &Value) -> Value {
        match self {
            Secrets::All => Value::from(LEFT_OUT),
            Secrets::Named(names) if names.is_empty() => input.clone(),
            Secrets::Named(names) => without(input, names),
        }
    }
}

/// Keywords whose members are schemas under names of their own, which are no names of members of the input.
const SCHEMAS_BY_NAME: [&str; 4] = ["$defs", "definitions", "dependentSchemas", "patternProperties"];

/// Collects the names of marked properties; `false` once something else is marked.
fn collect(schema: &Value, names: &mut BTreeSet<String>) -> bool {
    match schema {
        Value::Object(members) => {
            !is_marked(members) && members.iter().all(|(keyword, value)| below(keyword, value, names))
        }
        Value::Array(items) => items.iter().all(|item| collect(item, names)),
        _ => true,
    }
}

fn below(keyword: &str, value: &Value, names: &mut BTreeSet<String>) -> bool {
    match (keyword, value) {
        ("properties", Value::Object(properties)) => properties.iter().all(|(name, property)| {
            if property.as_object().is_some_and(is_marked) {
                names.insert(name.clone());
                return true;
            }
            collect(property, names)
        }),
        (_, Value::Object(schemas)) if SCHEMAS_BY_NAME.contains(&keyword) => {
            schemas.values().all(|schema| collect(schema, names))
        }
        _ => collect(value, names),
    }
}

fn is_marked(schema: &Map<String, Value>) -> bool {
    schema.get("writeOnly") == Some(&Value::Bool(true))
}

fn without(value: &Value, names: &BTreeSet<String>) -> Value {
    match value {
        Value::Object(members) => {
            let kept = members.iter().map(|(name, value)| {
                let value = if names.contains(name) { Value::from(LEFT_OUT) } else { without(value, names) };
                (name.clone(), value)
            });
            Value::Object(kept.collect())
        }
        Value::Array(items) => items.iter().map(|item| without(item, names)).collect(),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn marked_members_are_left_out_wherever_they_stand() {
        let schema = json!({
            "properties": {
                "token": {"type": "string", "writeOnly": true},
                "to": {"items": {"properties": {"pin": {"writeOnly": true}, "name": {}}}},
                "writeOnly": {"const": true},
            }
        });
        let input = json!({
            "token": "s3cret", "to": [{"pin": 1, "name": "ada"}], "extra": {"token": {"deep": 1}}, "writeOnly": true,
        });
        let kept = json!({
            "token": "(not kept)", "to": [{"pin": "(not kept)", "name": "ada"}], "extra": {"token": "(not kept)"},
            "writeOnly": true,
        });
        assert_eq!(Secrets::of(&schema).leave_out(&input), kept);
        assert_eq!(Secrets::of(&json!({"properties": {"a": {}}})).leave_out(&input), input);
    }

    #[test]
    fn what_is_marked_without_a_name_leaves_nothing() {
        for schema in [
            json!({"writeOnly": true}),
            json!({"properties": {"keys": {"items": {"writeOnly": true}}}}),
            json!({"additionalProperties": {"writeOnly": true}}),
            json!({"properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"writeOnly": true}}}),
            json!({"$ref": "#/$defs/properties", "$defs": {"properties": {"items": {"writeOnly": true}}}}),
            json!({"$defs": {"properties": {"writeOnly": true}}}),
        ] {
            assert_eq!(Secrets::of(&schema).leave_out(&json!({"a": 1})), json!("(not kept)"), "{schema}");
        }
    }
}
