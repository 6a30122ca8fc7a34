//! Schemas that nest as deep, or lead to each other as much, as rustc does not bear.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

/// Such schemas, by what they are.
pub(crate) fn schemas() -> BTreeMap<String, String> {
    let object = json!({"type": "object", "properties": {"a": "hole"}});
    let nullable = json!({"type": ["object", "null"], "required": ["a"], "properties": {"a": "hole"}});
    let rest = json!({"type": "object", "properties": {"x": true}, "additionalProperties": "hole"});
    BTreeMap::from(
        [
            ("deep object", nested(&object, 300)),
            ("deep nullable", nested(&nullable, 300)),
            ("deep array", nested(&json!({"type": "array", "items": "hole"}), 1000)),
            ("deep map", nested(&json!({"type": "object", "additionalProperties": "hole"}), 1000)),
            ("deep rest", nested(&rest, 300)),
            ("deep list of objects", nested(&json!({"type": "array", "items": object}), 300)),
            (
                "deep tuple",
                nested(
                    &json!({"type": "array", "prefixItems": ["hole"], "items": false, "minItems": 1}),
                    300,
                ),
            ),
            (
                "deep any of",
                nested(&json!({"anyOf": [{"type": "string"}, {"type": "array", "items": "hole"}]}), 300),
            ),
            ("deep all of", nested(&json!({"allOf": ["hole", {"type": "object"}]}), 300)),
            ("chain", graph(200, |from| vec![from + 1], |to| to)),
            ("chain of lists", graph(200, |from| vec![from + 1], |to| json!({"type": "array", "items": to}))),
            (
                "chain of maps",
                graph(200, |from| vec![from + 1], |to| json!({"type": "object", "additionalProperties": to})),
            ),
            (
                "chain of unions",
                graph(200, |from| vec![from + 1], |to| json!({"anyOf": [{"type": "string"}, to]})),
            ),
            ("ring of 6", graph(6, |from| vec![(from + 1) % 6], |to| to)),
            ("ring of 100", graph(100, |from| vec![(from + 1) % 100], |to| to)),
            ("net of 40", graph(40, |_| (0..40).collect(), |to| json!({"type": "array", "items": to}))),
            (
                "net of 6 below 20",
                graph(26, |from| if from < 20 { vec![from + 1] } else { (20..26).collect() }, |to| to),
            ),
        ]
        .map(|(name, schema)| (name.to_owned(), schema)),
    )
}

/// A schema in the place of `hole` in itself, so many times.
fn nested(level: &Value, levels: usize) -> String {
    let level = level.to_string();
    let (before, after) = level.split_once("\"hole\"").unwrap();
    before.repeat(levels) + "true" + &after.repeat(levels)
}

/// Objects with one optional member for each object that they lead to.
fn graph(size: usize, leads: impl Fn(usize) -> Vec<usize>, member: impl Fn(Value) -> Value) -> String {
    let definition = |from: usize| {
        let members = leads(from).into_iter().filter(|to| *to < size);
        let members: Map<String, Value> =
            members.map(|to| (format!("m{to}"), member(json!({"$ref": format!("#/$defs/n{to}")})))).collect();
        json!({"type": "object", "properties": members, "additionalProperties": false})
    };
    let definitions: Map<String, Value> =
        (0..size).map(|from| (format!("n{from}"), definition(from))).collect();
    json!({"$ref": "#/$defs/n0", "$defs": definitions}).to_string()
}
