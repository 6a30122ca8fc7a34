//! Public failures of programs that make types from schemas, each under the name of its report.

use std::time::{Duration, Instant};

use forecheck_codegen::rust::names;
use forecheck_contract::json::Node;
use forecheck_contract::validator::Validator;
use serde_json::{Value, json};

use crate::built::answered;
use crate::support::{case_files, files, module, read, text};

/// The compiled types of these cases read every valid instance and lose nothing of it, and the validator before them
/// refuses every other one.
#[track_caller]
fn agree(cases: &[&str]) {
    let (contents, traps) = (case_files(), files("traps"));
    for case in cases {
        read_whole(&names::module_name(&format!("case {case}")));
        let content = read(&contents[*case]);
        let trap = traps.get(*case).map(|trap| read(trap));
        let schema = content.get("schema").or(trap.as_ref()).unwrap();
        let validator = Validator::new(serde_json::to_value(schema).unwrap()).unwrap();
        let of = |list: &str| content.get(list).and_then(Node::as_array).unwrap();
        let refused =
            |instance: &&Node<'_>| !validator.violations(&serde_json::to_value(instance).unwrap()).is_empty();
        let counts =
            (of("valid").iter().filter(refused).count(), of("invalid").iter().filter(refused).count());
        assert_eq!(counts, (0, of("invalid").len()), "{case}");
    }
}

#[track_caller]
fn read_whole(module: &str) {
    let valid: Vec<_> = answered().iter().filter(|(one, _)| one.of == module && one.valid).collect();
    assert!(!valid.is_empty(), "{module}");
    let faults = valid.into_iter().filter_map(|(instance, answer)| instance.fault(answer));
    assert_eq!(faults.collect::<Vec<_>>(), [""; 0]);
}

/// typify#601, gpu-cli/openapi-to-rust#52, json-schema-to-typescript#56: two names that folded to one.
#[test]
fn typify_601() {
    agree(&["NameCollision", "TypeCollision", "Unicode", "Scripts", "Signs"]);
}

/// datamodel-code-generator#385: members that are called like words of the language.
#[test]
fn datamodel_code_generator_385() {
    agree(&["Reserved", "PreludeNames", "KeywordNames"]);
}

/// typify#762, datamodel-code-generator#3943: variants that became one by the change of their letters.
#[test]
fn typify_762() {
    agree(&["EnumClash", "ScriptWords", "CommonAffixes"]);
}

/// typify#450: `prefixItems` ended in a panic, later in a type that read nothing but `[]`.
#[test]
fn typify_450() {
    agree(&["PrefixItems", "Tuples"]);
}

/// typify#447, json-schema-to-typescript#152, #369: `allOf` lost properties, or let closed objects refuse each other.
#[test]
fn typify_447() {
    agree(&["AllOfClosed", "Merged", "AdditionalInAllOf", "ClosedTwice"]);
}

/// quicktype#1257, ts-json-schema-generator#4: `if` and `then` were dropped without a word.
#[test]
fn quicktype_1257() {
    agree(&["IfThen", "UnevaluatedConditions"]);
}

/// quicktype#2964: an integer with one bound became an i32.
#[test]
fn quicktype_2964() {
    agree(&["IntRange"]);
}

/// tinyhumansai/openhuman#6117: what was valid and beyond 64 bits, or written as a float, was refused by its type.
#[test]
fn tinyhumansai_openhuman_6117() {
    agree(&["Numbers", "IntegerMap"]);
}

/// openapi-typescript#2775, #1879: a tag of `oneOf` made a type without values.
#[test]
fn openapi_typescript_2775() {
    agree(&["OneOfSameShape", "OpenTagged", "OptionalTag", "SameTagTwice", "TaggedOrNull"]);
}

/// hey-api#3399: a tag was another one where the branches stood in other files.
#[test]
fn hey_api_3399() {
    read_whole("surface_open");
}

/// json-schema-to-typescript#323, #400: bounds of a list were written out, item by item, until memory ended.
#[test]
fn json_schema_to_typescript_323() {
    let many = 1_u64 << 40;
    for (schema, expected) in [
        (json!({"type": "array", "items": {"type": "string"}, "minItems": many}), "Vec<String>"),
        (json!({"type": "array", "items": {"type": "string"}, "maxItems": many}), "Vec<String>"),
        (
            json!({"type": "array", "prefixItems": [{"type": "string"}], "minItems": many}),
            "Vec<serde_json::Value>",
        ),
        (json!({"type": "string", "minLength": many}), "String"),
    ] {
        assert_eq!(
            written_quickly(&schema),
            format!("/// A root.\npub type Root = {expected};\n"),
            "{schema}"
        );
    }
}

fn written_quickly(schema: &Value) -> String {
    let start = Instant::now();
    let written = text(&module("Root", &read(schema.to_string().as_bytes())));
    assert_eq!(Validator::new(schema.clone()).unwrap().violations(&Value::from("")).len(), 1);
    assert!(start.elapsed() < Duration::from_secs(5));
    written
}

/// paiml/batuta#75: what is empty and valid was refused.
#[test]
fn paiml_batuta_75() {
    agree(&["EmptyClosed", "MapOfMaps", "ListOfItself", "TextOrList", "Recursive"]);
}
