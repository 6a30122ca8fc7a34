//! The published table of keeper.

use std::fs;
use std::path::Path;

use serde_json::Value;

fn read(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// Most refusals say whether the same call can pass; each of the others says why it cannot be known.
#[test]
fn three_of_five_rows_say_what_to_do_and_every_other_has_its_reason() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let table = read(&root.join("generated/errors.json"));
    let rows = table["codes"].as_array().unwrap();
    let either: Vec<&str> = rows
        .iter()
        .filter(|row| row["resend"] == "either")
        .map(|row| row["code"].as_str().unwrap())
        .collect();
    println!("keeper: {} of {} rows are `either`", either.len(), rows.len());
    assert!(either.len() * 10 <= rows.len() * 4, "{either:?}");
    for code in either {
        let constraint = read(&root.join(format!("spec/constraints/{code}.json")));
        let reason = constraint["$comment"].as_str().unwrap_or_default();
        assert!(reason.starts_with("either: "), "{code}: {reason}");
    }
}
