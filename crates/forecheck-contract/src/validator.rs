//! Validation of values against a schema. The library behind it stays behind it.

use std::fmt::{self, Write as _};

use jsonschema::Draft;
use serde_json::{Value, json};

use crate::admission::MOST_PROBLEMS;
use crate::applicator::{Applicator, applicator};
use crate::json::{MAX_SAFE_INTEGER, Node, Number, Value as Json};

/// A compiled schema.
#[derive(Debug)]
pub struct Validator {
    document: Value,
    compiled: jsonschema::Validator,
}

/// Something in a value that its schema does not allow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The pointer of the offending value.
    pub at: String,
    /// What is wrong with it.
    pub message: String,
}

/// A schema that the library cannot compile.
#[derive(Debug)]
pub struct Uncompilable(String);

impl fmt::Display for Uncompilable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Uncompilable {}

impl Validator {
    /// Compiles `document`, a schema whose references all stay inside it. Patterns that cannot be
    /// compiled are not enforced; [`compiles`] tells which.
    ///
    /// # Errors
    /// [`Uncompilable`] in the library's words.
    pub fn new(mut document: Value) -> Result<Validator, Uncompilable> {
        let compiled = compile(&document).or_else(|_| {
            drop_patterns(&mut document);
            compile(&document)
        })?;
        Ok(Validator { document, compiled })
    }

    /// Everything in `input` that the schema does not allow; nothing for a valid input.
    pub fn violations(&self, input: &Value) -> Vec<Violation> {
        all_violations(&self.compiled, input)
    }

    /// As [`violations`](Self::violations), for a value that was read.
    pub fn violations_of(&self, node: &Node<'_>) -> Vec<Violation> {
        self.violations(&value_of(node))
    }

    /// Every value of an `integer` that other readers would round: beyond 2^53 - 1 either way. As a
    /// literal the reader refuses it; `1e20` gets here.
    pub fn unsafe_integers(&self, input: &Node<'_>) -> Vec<Violation> {
        if !has_large_float(input) {
            return Vec::new();
        }
        let mut document = self.document.clone();
        bound_integers(&mut document);
        compile(&document).map(|bounded| all_violations(&bounded, &value_of(input))).unwrap_or_default()
    }
}

/// Whether a pattern can be enforced: a matcher can be built for it.
pub fn compiles(pattern: &str) -> bool {
    compile(&json!({ "pattern": pattern })).is_ok()
}

/// Takes out every pattern that cannot be compiled.
fn drop_patterns(schema: &mut Value) {
    let Some(keywords) = schema.as_object_mut() else { return };
    if keywords.get("pattern").and_then(Value::as_str).is_some_and(|pattern| !compiles(pattern)) {
        keywords.remove("pattern");
    }
    if let Some(patterns) = keywords.get_mut("patternProperties").and_then(Value::as_object_mut) {
        patterns.retain(|pattern, _| compiles(pattern));
    }
    each_subschema(keywords, drop_patterns);
}

fn each_subschema(keywords: &mut serde_json::Map<String, Value>, visit: fn(&mut Value)) {
    for (keyword, value) in keywords.iter_mut() {
        match (applicator(keyword), value) {
            (Some(Applicator::One), schema) => visit(schema),
            (Some(Applicator::Each), Value::Array(schemas)) => schemas.iter_mut().for_each(visit),
            (Some(Applicator::ByName), Value::Object(schemas)) => schemas.values_mut().for_each(visit),
            _ => {}
        }
    }
}

fn compile(document: &Value) -> Result<jsonschema::Validator, Uncompilable> {
    let options = jsonschema::options().with_draft(Draft::Draft202012).offline();
    options.build(document).map_err(|error| Uncompilable(error.to_string()))
}

fn all_violations(validator: &jsonschema::Validator, input: &Value) -> Vec<Violation> {
    if validator.is_valid(input) {
        return Vec::new();
    }
    let violation = |error: jsonschema::ValidationError<'_>| Violation {
        at: error.instance_path().to_string(),
        message: message(&error),
    };
    validator.iter_errors(input).take(MOST_PROBLEMS).map(violation).collect()
}

/// The most bytes of a message that shows the value.
const LONGEST_MESSAGE: usize = 300;

/// What is wrong, with the value where that is short: a refusal is not many times as long as its input.
fn message(error: &jsonschema::ValidationError<'_>) -> String {
    let mut shown = Bounded(String::new());
    match write!(shown, "{error}") {
        Ok(()) => shown.0,
        Err(_) => error.masked().to_string(),
    }
}

/// A text that refuses to become too long.
struct Bounded(String);

impl fmt::Write for Bounded {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.0.len() + text.len() > LONGEST_MESSAGE {
            return Err(fmt::Error);
        }
        self.0.push_str(text);
        Ok(())
    }
}

fn has_large_float(node: &Node<'_>) -> bool {
    match &node.value {
        Json::Number(Number::Float(float)) => float.abs() > LARGEST,
        Json::Array(items) => items.iter().any(has_large_float),
        Json::Object(members) => members.iter().any(|member| has_large_float(&member.node)),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => false,
    }
}

/// Adds bounds to every schema of integers. Only schemas are looked at: what is data in a schema has
/// no say in validation.
fn bound_integers(schema: &mut Value) {
    let Some(keywords) = schema.as_object_mut() else { return };
    each_subschema(keywords, bound_integers);
    let named = |name: &str, stated: &Value| {
        *stated == name || stated.as_array().is_some_and(|all| all.iter().any(|one| *one == name))
    };
    let stated = keywords.get("type").cloned().unwrap_or_default();
    if named("integer", &stated) && !named("number", &stated) {
        let bounds = json!({ "maximum": MAX_SAFE_INTEGER, "minimum": -LARGEST });
        let all = keywords.entry("allOf").or_insert_with(|| json!([]));
        if let Some(all) = all.as_array_mut() {
            all.push(bounds);
        }
    }
}

/// 2^53 - 1 as a double, which holds it exactly.
const LARGEST: f64 = 9_007_199_254_740_991.0;

/// A node as the library's kind of value.
pub(crate) fn value_of(node: &Node<'_>) -> Value {
    // INVARIANT: a node has string names and finite numbers, so it always becomes a value.
    serde_json::to_value(node).unwrap_or(Value::Null)
}

#[cfg(test)]
mod tests {
    use crate::json::{self, Limits};

    use super::*;

    #[test]
    fn messages_about_long_values_are_short() {
        let validator = Validator::new(json!({"properties": {"a": {"maxLength": 3}}})).unwrap();
        let told = |length: usize| validator.violations(&json!({"a": "x".repeat(length)}))[0].message.clone();
        assert_eq!(told(4), "\"xxxx\" is longer than 3 characters");
        assert_eq!(told(100_000), "value is longer than 3 characters");
    }

    #[test]
    fn integers_beyond_2_to_the_53_are_unsafe_wherever_they_stand() {
        let schema = json!({
            "properties": {
                "n": {"type": "integer"},
                "x": {"type": "number"},
                "list": {"items": {"$ref": "#/$defs/n"}},
                "either": {"type": ["integer", "number"]},
            },
            "$defs": {"n": {"type": ["integer", "null"]}},
        });
        let validator = Validator::new(schema).unwrap();
        let check = |input: &'static str, expected: &[&str]| {
            let node = json::read(input.as_bytes(), Limits::CALL).unwrap();
            assert_eq!(validator.violations(&value_of(&node)), []);
            let found: Vec<String> =
                validator.unsafe_integers(&node).into_iter().map(|violation| violation.at).collect();
            assert_eq!(found, expected);
        };
        check(r#"{"n": 9007199254740991, "x": 1e300, "either": 1e20}"#, &[]);
        check(r#"{"n": 9007199254740991.0, "list": [-9007199254740991.0, null]}"#, &[]);
        check(r#"{"n": 1e20}"#, &["/n"]);
        check(r#"{"n": -1e16, "x": 1e20, "list": [1, 1e17]}"#, &["/list/1", "/n"]);
    }
}
