//! Values that differ in one place.

use serde_json::{Map, Value, json};

use crate::random::Random;

/// `value` after one change that schemas tend to look at.
pub(crate) fn mutant(random: &mut Random, value: &Value) -> Value {
    let mut mutant = value.clone();
    let pointer = random.pick(&pointers(value));
    // INVARIANT: the pointer was made from the value.
    let place = mutant.pointer_mut(&pointer).unwrap();
    match random.below(6) {
        0 => *place = Value::Null,
        1 => *place = random.anything(2),
        _ => change(random, place),
    }
    mutant
}

/// The pointers of a value and of everything in it.
fn pointers(value: &Value) -> Vec<String> {
    let inside: Vec<(String, &Value)> = match value {
        Value::Array(items) => items.iter().enumerate().map(|(at, item)| (at.to_string(), item)).collect(),
        Value::Object(members) => members.iter().map(|(name, member)| (escaped(name), member)).collect(),
        _ => Vec::new(),
    };
    let inside = inside
        .into_iter()
        .flat_map(|(token, inner)| pointers(inner).into_iter().map(move |below| format!("/{token}{below}")));
    std::iter::once(String::new()).chain(inside).collect()
}

fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// A change that keeps the kind of the value.
fn change(random: &mut Random, place: &mut Value) {
    match place {
        Value::Null => *place = json!("null"),
        Value::Bool(truth) => *place = random.pick(&[json!(!*truth), json!(u8::from(*truth))]),
        Value::Number(number) => *place = other_number(random, number.as_f64().unwrap()),
        Value::String(text) => *place = other_text(random, text).into(),
        Value::Array(items) => change_items(random, items),
        Value::Object(members) => change_members(random, members),
    }
}

fn other_number(random: &mut Random, number: f64) -> Value {
    let large =
        [json!(256), json!(1_u64 << 32), json!(9_007_199_254_740_991_u64), json!(u64::MAX), json!(1e300)];
    match random.below(7) {
        0 => json!(number + 1.0),
        1 => json!(number - 1.0),
        2 => json!(-number),
        3 => json!(number + 0.5),
        4 => json!(number.to_string()),
        5 => json!(number),
        _ => random.pick(&large),
    }
}

fn other_text(random: &mut Random, text: &str) -> String {
    match random.below(5) {
        0 => String::new(),
        1 => text.to_uppercase(),
        2 => text.replace(['-', '_'], " "),
        3 => text.chars().skip(1).collect(),
        _ => format!("{text}{}", random.pick(&["x", "\n", "\u{e9}", " "])),
    }
}

fn change_items(random: &mut Random, items: &mut Vec<Value>) {
    let at = random.below(items.len().max(1));
    match random.below(4) {
        0 => items.push(random.anything(1)),
        1 if at < items.len() => drop(items.remove(at)),
        2 if at < items.len() => items.insert(at, items[at].clone()),
        _ => items.reverse(),
    }
}

fn change_members(random: &mut Random, members: &mut Map<String, Value>) {
    let names: Vec<String> = members.keys().cloned().collect();
    let unknown = random.pick(&["unknown", "x-unknown", "", "Type", "__proto__"]);
    match random.below(4) {
        0 => drop(members.insert(unknown.to_owned(), random.anything(1))),
        1 if !names.is_empty() => {
            let value = members.remove(&random.pick(&names)).unwrap_or_default();
            members.insert(unknown.to_owned(), value);
        }
        _ if !names.is_empty() => drop(members.remove(&random.pick(&names))),
        _ => drop(members.insert(unknown.to_owned(), "x".into())),
    }
}
