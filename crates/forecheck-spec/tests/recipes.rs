//! Recipes of generated schemas: what is executed does not change when an input is stripped, and one
//! key is one effect.
//!
//! What is executed is worked out here a second time, from the schema alone: defaults filled in from
//! the top down, ignored fields left out.

#![expect(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a generated schema that is no surface has failed the test"
)]

use std::collections::BTreeMap;

use forecheck::Definition;
use forecheck_contract::canonical;
use forecheck_contract::json::{self, Limits};
use forecheck_contract::recipe::Recipe;
use forecheck_spec::check::check;
use forecheck_spec::source::{SourceFile, Sources};
use forecheck_spec::tree::Trees;
use serde_json::{Map, Value, json};

/// Numbers that follow from a seed.
struct Choices(u64);

impl Choices {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % bound
    }

    fn one_in(&mut self, bound: usize) -> bool {
        self.below(bound) == 0
    }
}

const NAMES: [&str; 5] = ["a", "b", "c/d", "~e", "mode"];

fn object_schema(choices: &mut Choices, depth: usize) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for name in NAMES {
        if choices.one_in(3) {
            continue;
        }
        properties.insert(name.to_owned(), property_schema(choices, depth));
        if choices.one_in(4) {
            required.push(name);
        }
    }
    let mut schema = json!({"type": "object", "properties": properties, "required": required});
    if choices.one_in(3) {
        schema["additionalProperties"] = json!(false);
    }
    if choices.one_in(4) {
        schema["anyOf"] = json!([{"properties": {"mode": {"const": 1}}}, {"$ref": "#/$defs/branch"}, true]);
    }
    schema
}

fn property_schema(choices: &mut Choices, depth: usize) -> Value {
    let mut schema = match choices.below(if depth == 0 { 2 } else { 5 }) {
        0 | 1 => json!({"type": "integer"}),
        2 => json!({"$ref": "#/$defs/shared"}),
        3 => json!({"type": "array", "items": {"properties": {"a": {"default": 1}}}}),
        _ => object_schema(choices, depth - 1),
    };
    if choices.one_in(2) {
        schema["default"] = match schema["type"].as_str() {
            Some("integer") => json!(choices.below(3)),
            Some("array") => json!([]),
            _ => [json!({}), json!({"a": 1}), json!({"a": 1, "b": 2})][choices.below(3)].clone(),
        };
    }
    if choices.one_in(8) {
        schema["x-key"] = json!("ignore");
    }
    schema
}

fn input_schema(choices: &mut Choices) -> Value {
    let mut schema = object_schema(choices, 2);
    schema["$defs"] = json!({
        "shared": object_schema(choices, 0),
        "branch": {"properties": {"b": {"type": "integer"}}},
    });
    schema
}

/// The schema behind a `$ref`; the schema itself where there is none.
fn resolved<'s>(root: &'s Value, schema: &'s Value) -> &'s Value {
    match schema["$ref"].as_str() {
        Some(reference) => root.pointer(reference.trim_start_matches('#')).unwrap(),
        None => schema,
    }
}

fn instance(choices: &mut Choices, root: &Value, schema: &Value) -> Value {
    let schema = resolved(root, schema);
    let Some(properties) = schema["properties"].as_object() else {
        return if schema["type"] == "array" {
            json!([{"a": choices.below(2)}])
        } else {
            json!(choices.below(3))
        };
    };
    let mut members = Map::new();
    for (name, property) in properties {
        let required = is_required(schema, name);
        if !required && choices.one_in(3) {
            continue;
        }
        let default = property.get("default").or_else(|| resolved(root, property).get("default"));
        let value = match default {
            Some(default) if choices.one_in(2) => default.clone(),
            _ => instance(choices, root, property),
        };
        members.insert(name.clone(), value);
    }
    Value::Object(members)
}

fn is_required(schema: &Value, name: &str) -> bool {
    schema["required"].as_array().is_some_and(|all| all.iter().any(|one| one == name))
}

/// What is executed, without what the key ignores.
fn executed(root: &Value, schema: &Value, value: &Value) -> Value {
    let schema = resolved(root, schema);
    let (Some(properties), Some(members)) = (schema["properties"].as_object(), value.as_object()) else {
        return value.clone();
    };
    let mut filled: BTreeMap<String, Value> = BTreeMap::new();
    for (name, property) in properties {
        if property["x-key"] == "ignore" {
            continue;
        }
        let default = property.get("default").or_else(|| resolved(root, property).get("default"));
        let present = members.get(name).or(default.filter(|_| !is_required(schema, name)));
        if let Some(present) = present {
            filled.insert(name.clone(), executed(root, property, present));
        }
    }
    let others = members.iter().filter(|(name, _)| !properties.contains_key(*name));
    filled.extend(others.map(|(name, value)| (name.clone(), value.clone())));
    json!(filled)
}

fn recipe_of(input: &Value) -> Option<Recipe> {
    let verb = json!({"verb": "act", "input": input, "constraints": []}).to_string();
    let file = SourceFile { path: "act.schema.json".to_owned(), content: Ok(verb.into_bytes()) };
    let sources = Sources { folder_name: "spec".to_owned(), files: vec![file] };
    let trees = Trees::read(&sources);
    let surface = check(&trees).surface?;
    Some(surface.verbs.into_iter().next()?.recipe)
}

fn stripped(recipe: &Recipe, input: &Value) -> Value {
    let text = input.to_string();
    let node = json::read(text.as_bytes(), Limits::CALL).unwrap();
    serde_json::from_str(&canonical::to_string(&recipe.strip(&node))).unwrap()
}

fn without_ignored(recipe: &Recipe, mut value: Value) -> Value {
    for (object, name) in recipe.ignored.iter().filter_map(|at| at.rsplit_once('/')) {
        if let Some(Value::Object(members)) = value.pointer_mut(object) {
            members.remove(&name.replace("~1", "/").replace("~0", "~"));
        }
    }
    value
}

#[test]
fn what_is_executed_survives_stripping_and_one_key_is_one_effect() {
    let (mut surfaces, mut changed, mut met, mut filled) = (0, 0, 0, 0);
    for seed in 0..2000 {
        let mut choices = Choices(seed);
        let schema = input_schema(&mut choices);
        let Some(recipe) = recipe_of(&schema) else { continue };
        surfaces += 1;
        let definition = json!({"verb": "act", "recipe": recipe, "input": schema, "constraints": []});
        let definition = Definition::embedded("act", "", &definition.to_string());
        let mut by_text: BTreeMap<String, Value> = BTreeMap::new();
        for _ in 0..12 {
            let input = instance(&mut choices, &schema, &schema);
            let projection = stripped(&recipe, &input);
            let effect = executed(&schema, &schema, &input);
            assert_eq!(
                executed(&schema, &schema, &projection),
                effect,
                "seed {seed}: {schema}\n{input}\n{projection}"
            );
            assert_eq!(stripped(&recipe, &projection), projection, "seed {seed}");
            changed += usize::from(projection != input);
            let ours = |input: &Value| {
                definition.executed(input.to_string().as_bytes()).map_err(|refusal| refusal.code)
            };
            let (sent, kept) = (ours(&input), ours(&projection));
            if let (Ok(sent), Ok(kept)) = (sent, kept) {
                filled += usize::from(sent != input);
                let [sent, kept] = [sent, kept].map(|value| without_ignored(&recipe, value));
                assert_eq!(sent, kept, "seed {seed}: {schema}\n{input}");
            }
            if let Some(other) = by_text.insert(projection.to_string(), effect.clone()) {
                met += 1;
                assert_eq!(other, effect, "seed {seed}: one key, two effects: {projection}");
            }
        }
    }
    assert!(surfaces > 900 && changed > 5000 && met > 500, "{surfaces} {changed} {met}");
    assert!(filled > 4000, "{filled}");
}
