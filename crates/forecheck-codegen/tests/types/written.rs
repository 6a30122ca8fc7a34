//! What is written.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use forecheck_codegen::rust::names;
use forecheck_codegen::rust::types::{self, Module, Root, Shared};
use forecheck_contract::json::Node;
use forecheck_spec::schema::{Resource, Schemas};
use serde_json::{Value, json};

use crate::deep;
use crate::support::{cases, files, module, read, text};
use crate::surface;

#[test]
fn traps() {
    for (name, schema) in files("traps") {
        insta::assert_snapshot!(name.clone(), text(&module(&name, &read(&schema))));
    }
}

#[test]
fn other_cases() {
    for (name, schema) in cases() {
        insta::assert_snapshot!(name.clone(), text(&module(&name, &read(schema.as_bytes()))));
    }
}

#[test]
fn shared_types_stand_in_one_module() {
    for (name, module) in surface::modules() {
        insta::assert_snapshot!(name, text(&module));
    }
}

#[test]
fn definitions_of_two_roots_that_meet_are_named_after_both() {
    let input = json!({"$defs": {"X": {"enum": ["a"]}, "Own": {"enum": ["b"]}}, "type": "object", "properties": {
        "x": {"$ref": "#/$defs/X"}, "own": {"$ref": "#/$defs/Own"}
    }});
    let output = json!({"$defs": {"X": {"enum": ["c"]}, "Code": {"enum": ["d"]}}, "type": "object", "properties": {
        "x": {"$ref": "#/$defs/X"}, "code": {"$ref": "#/$defs/Code"}
    }});
    let texts = [("Input", input.to_string()), ("Output", output.to_string())];
    let nodes: Vec<(&str, Node<'_>)> =
        texts.iter().map(|(name, text)| (*name, read(text.as_bytes()))).collect();
    let roots = nodes.iter().map(|(name, node)| Root {
        name: (*name).to_owned(),
        about: "A root.".to_owned(),
        place: Resource::own(node).place(),
    });
    let roots: Vec<Root<'_>> = roots.collect();
    let module = types::module(&Schemas::default(), &Shared::default(), &roots, &["Code"], &[]);
    let text = text(&module);
    let names = text.lines().filter_map(|line| line.strip_prefix("pub ")?.split(' ').nth(1));
    assert_eq!(names.collect::<Vec<_>>(), ["Input", "Output", "InputX", "OutputCode", "OutputX", "Own"]);
}

/// The module of a schema that is made in a test.
fn made(schema: &Value) -> Module {
    let schema = schema.to_string();
    module("Root", &read(schema.as_bytes()))
}

#[test]
fn order_of_properties_names_nothing() {
    let forwards = made(&json!({"type": "object", "properties": {
        "foo-bar": {"type": "object", "properties": {"x": {}}}, "foo_bar": {"type": "object", "properties": {"y": {}}},
    }}));
    let schema = r#"{"type": "object", "properties": {
        "foo_bar": {"type": "object", "properties": {"y": {}}}, "foo-bar": {"type": "object", "properties": {"x": {}}}
    }}"#;
    let backwards = module("Root", &read(schema.as_bytes()));
    let sorted = |module: &Module| {
        let mut lines: Vec<String> = text(module).lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&forwards), sorted(&backwards));
}

#[test]
fn what_nests_too_deep_is_cut_and_noted() {
    let mut report = String::new();
    for (name, schema) in deep::schemas() {
        let start = Instant::now();
        let module = module("Root", &read(schema.as_bytes()));
        assert!(start.elapsed() < Duration::from_secs(20), "{name}");
        let text = text(&module);
        let types = text.matches("pub struct").count() + text.matches("pub enum").count();
        let (values, lists) = (text.matches("serde_json::Value").count(), text.matches("Vec<").count());
        writeln!(report, "{name}: {types} types, {lists} lists, any value {values} times").unwrap();
        for note in &module.notes {
            let end: Vec<&str> = note.rsplitn(3, '/').take(2).collect();
            writeln!(report, "    {}", end.into_iter().rev().collect::<Vec<_>>().join("/")).unwrap();
        }
    }
    insta::assert_snapshot!(report);
}

#[test]
fn five_thousand_values_are_an_enum() {
    let values: Vec<String> = (0..5000).map(|value| format!("value {value}")).collect();
    let text = text(&made(&json!({"enum": values})));
    assert_eq!(text.matches("#[serde(rename").count(), 5000);
    let values: Vec<String> = (0..20_000).map(|value| format!("value {value}")).collect();
    let module = made(&json!({"enum": values}));
    assert_eq!(module.notes, ["`#` has more than 10000 values, so any text is read"]);
    assert!(crate::support::text(&module).contains("pub type Root = String;"));
}

#[test]
fn a_megabyte_of_description_is_one_comment() {
    let description = "word [x] ".repeat(120_000);
    let start = Instant::now();
    let module = made(&json!({"type": "string", "description": description}));
    assert!(start.elapsed() < Duration::from_secs(20));
    assert_eq!(text(&module).lines().count(), 2);
}

#[test]
fn ten_thousand_schemas_take_seconds() {
    let verb = files("samples/codecommit").remove("codecommit_get_pull_request.schema").unwrap();
    let verb = read(&verb);
    let roots: Vec<Root<'_>> = ["input", "output"]
        .map(|name| Root {
            name: names::type_name(name),
            about: "A root.".to_owned(),
            place: Resource::own(verb.get(name).unwrap()).place(),
        })
        .into();
    let start = Instant::now();
    for _ in 0..200 {
        types::module(&Schemas::default(), &Shared::default(), &roots, &[], &[]);
    }
    // An optimised build takes 0.07 s for these, and 4 s for 10,000 of them.
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}
