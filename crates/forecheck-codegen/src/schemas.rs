//! The JSON Schemas of what authors write and of what is published, made from the Rust types.

use forecheck_contract::outcome::Outcome;
use forecheck_contract::table::ErrorTable;
use forecheck_spec::file::published_schemas;
use schemars::Schema;
use serde_json::{Value, json};

use crate::generator::{GenerateError, GeneratedFile, Source, json_file};
use crate::keys_json::KeysFile;

pub(crate) fn generate(_: &Source<'_, '_>) -> Result<Vec<GeneratedFile>, GenerateError> {
    let mut schemas = published_schemas();
    schemas.push(("keys.schema.json", schemars::schema_for!(KeysFile)));
    let mut files: Vec<_> = schemas
        .into_iter()
        .map(|(path, schema)| json_file(path, &without_null(schema)))
        .collect::<Result<_, _>>()?;
    let read_by_others = [
        ("errors.schema.json", schemars::schema_for!(ErrorTable)),
        ("outcome.schema.json", schemars::schema_for!(Outcome)),
    ];
    for (path, schema) in read_by_others {
        let mut schema = without_null(schema);
        open(&mut schema);
        files.push(json_file(path, &schema)?);
    }
    Ok(files)
}

/// Tables and outcomes are read by programs of other versions: members and words that they do not know yet are
/// no error. A closed list of words becomes a list of examples.
fn open(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(open),
        Value::Object(schema) => {
            if schema.get("additionalProperties") == Some(&json!(false)) {
                schema.remove("additionalProperties");
            }
            let words = schema
                .get("oneOf")
                .and_then(Value::as_array)
                .and_then(|all| all.iter().map(|one| one.get("const")).collect::<Option<Vec<_>>>());
            let words = words.map(|words| words.into_iter().cloned().collect::<Vec<_>>());
            if let Some(words) = words {
                schema.remove("oneOf");
                schema.insert("type".to_owned(), json!("string"));
                schema.insert("examples".to_owned(), json!(words));
            }
            schema.values_mut().for_each(open);
        }
        _ => {}
    }
}

/// Absent and null are two things in these files: what may be left out is never null.
fn without_null(schema: Schema) -> Value {
    let mut value = schema.to_value();
    drop_null(&mut value);
    value
}

fn drop_null(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(drop_null),
        Value::Object(schema) => {
            if let Some([kind, null]) = schema.get("type").and_then(Value::as_array).map(Vec::as_slice)
                && *null == "null"
            {
                let kind = kind.clone();
                schema.insert("type".to_owned(), kind);
            }
            let alternatives = schema.get("anyOf").and_then(Value::as_array).map(Vec::as_slice);
            if let Some([Value::Object(only), null]) = alternatives
                && *null == json!({ "type": "null" })
            {
                let only = only.clone();
                schema.remove("anyOf");
                for (keyword, value) in only {
                    schema.entry(keyword).or_insert(value);
                }
            }
            schema.values_mut().for_each(drop_null);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_left_out_is_never_null() {
        let mut schema = json!({
            "properties": {
                "a": {"type": ["string", "null"], "description": "x"},
                "b": {"anyOf": [{"$ref": "#/$defs/B"}, {"type": "null"}], "description": "y"},
                "c": {"type": "null"},
            }
        });
        drop_null(&mut schema);
        let expected = json!({
            "properties": {
                "a": {"type": "string", "description": "x"},
                "b": {"$ref": "#/$defs/B", "description": "y"},
                "c": {"type": "null"},
            }
        });
        assert_eq!(schema, expected);
    }
}
