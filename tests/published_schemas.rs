//! The published schemas against an independent validator: they hold for what is published and for
//! what authors write, and refuse what the program refuses.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::program::{Scene, keeper, repository};

fn read(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

fn valid(schema: &Path, instance: &Value) -> bool {
    jsonschema::options().offline().build(&read(schema)).unwrap().is_valid(instance)
}

fn generated() -> Scene {
    let scene = keeper();
    assert_eq!(scene.run(&["gen"]).exit, 0);
    scene
}

#[test]
fn published_files_fit_their_schemas() {
    let scene = generated();
    for root in [scene.path("generated"), repository().join("generated")] {
        for name in ["errors", "keys"] {
            let file = read(&root.join(format!("{name}.json")));
            assert!(valid(&root.join(format!("{name}.schema.json")), &file), "{name}");
            assert_eq!(file["$schema"], format!("{name}.schema.json"));
        }
    }
}

/// The schema of errors.json is open, so that readers of this version accept what a later one adds.
#[test]
fn readers_ignore_what_they_do_not_know() {
    let schema = repository().join("generated/errors.schema.json");
    let file = read(&repository().join("generated/errors.json"));
    let mut later = file.clone();
    for at in [
        "",
        "/surface",
        "/retry",
        "/retry/resend",
        "/codes/0",
        "/codes/0/change",
        "/codes/0/change/facts/0",
        "/runtime_codes/0",
        "/statuses/0",
    ] {
        later.pointer_mut(at).unwrap()["later"] = json!(1);
    }
    for (at, word) in [
        ("/codes/0", "resend"),
        ("/codes/0", "basis"),
        ("/codes/0/change/facts/0", "changed_by"),
        ("/statuses/0", "status"),
    ] {
        later.pointer_mut(at).unwrap()[word] = json!("a_later_word");
    }
    later["codes"][0]["refuse_when"] = json!({"a_later_operator": {"of": 1}});
    assert!(valid(&schema, &later));
    for (at, wrong) in
        [("/codes/0/verbs", json!("no list")), ("/codes/0/resend", json!(1)), ("/format", json!("1"))]
    {
        let mut file = file.clone();
        *file.pointer_mut(at).unwrap() = wrong;
        assert!(!valid(&schema, &file), "{at}");
    }
}

#[test]
fn spec_files_fit_their_schemas() {
    let spec = repository().join("spec");
    let schemas = repository().join("generated");
    let check = |folder: &str, schema: &str| {
        for entry in fs::read_dir(spec.join(folder)).unwrap().map(Result::unwrap) {
            if entry.file_name() != "_common.schema.json" {
                assert!(valid(&schemas.join(schema), &read(&entry.path())), "{:?}", entry.path());
            }
        }
    };
    check("verbs", "verb.schema.json");
    check("constraints", "constraint.schema.json");
    check("facts", "fact.schema.json");
    assert!(valid(&schemas.join("surface.schema.json"), &read(&spec.join("surface.json"))));
}

/// Each edit is refused by the published schema as by the program; the file before it by neither.
#[test]
fn the_schema_and_the_program_refuse_alike() {
    let schema = repository().join("generated/verb.schema.json");
    let edits: [(&str, Value); 21] = [
        ("/unknown", json!(1)),
        ("/verb", json!(null)),
        ("/verb", json!("Open")),
        ("/revision", json!(0)),
        ("/revision", json!("1")),
        ("/summary", json!(null)),
        ("/deprecated", json!(true)),
        ("/deprecated", json!({"note": "x"})),
        ("/effects", json!([{"target": "x"}])),
        ("/repeat", json!("often")),
        ("/exclusive", json!("yes")),
        ("/target", json!("/repo")),
        ("/constraints", json!({})),
        ("/constraints/1/code", json!("lower")),
        ("/constraints/1/policy", json!(1)),
        ("/constraints/1/refuse_when", json!({"equals": [1, 1]})),
        ("/constraints/1/refuse_when", json!({"eq": [1]})),
        ("/constraints/1/refuse_when", json!({"eq": [{"value": 1}, 1]})),
        ("/constraints/1/refuse_when", json!({"eq": [1, 1], "ne": [1, 1]})),
        ("/constraints/1/refuse_when", json!({"and": []})),
        ("/examples/0/expect", json!(1)),
    ];
    let scene = keeper();
    let path = scene.path("spec/verbs/open_change.schema.json");
    let sound = read(&path);
    assert!(valid(&schema, &sound) && scene.run(&["check"]).exit == 0);
    for (at, value) in edits {
        let mut edited = sound.clone();
        let (parent, name) = at.rsplit_once('/').unwrap();
        edited.pointer_mut(parent).unwrap()[name] = value;
        fs::write(&path, edited.to_string()).unwrap();
        assert!(!valid(&schema, &edited), "{at}: the schema accepts {edited}");
        assert_eq!(scene.run(&["check"]).exit, 1, "{at}: the program accepts {edited}");
    }
}
