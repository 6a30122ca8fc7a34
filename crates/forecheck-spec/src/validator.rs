//! Validation of values against a surface's schemas. The library behind it stays behind it.

use std::fmt;

use forecheck_contract::json::Node;
use jsonschema::{Draft, Registry};
use serde_json::Value;

use crate::schema::Schemas;

/// The base of the names under which the shared resources are registered.
const BASE: &str = "json-schema:///verbs/input.schema.json";

/// A compiled schema.
#[derive(Debug)]
pub struct Validator(jsonschema::Validator);

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
    /// Compiles `schema`, whose references to shared resources lead into `schemas`.
    ///
    /// # Errors
    /// [`Uncompilable`] in the library's words.
    pub fn new(schemas: &Schemas<'_>, schema: &Node<'_>) -> Result<Validator, Uncompilable> {
        let failed = |error: &dyn fmt::Display| Uncompilable(error.to_string());
        let mut registry = Registry::new().draft(Draft::Draft202012);
        for (name, node) in &schemas.defs {
            let uri = format!("json-schema:///defs/{name}.schema.json");
            registry = registry.add(uri, value_of(node)).map_err(|error| failed(&error))?;
        }
        if let Some(node) = schemas.common {
            registry = registry
                .add("json-schema:///verbs/_common.schema.json", value_of(node))
                .map_err(|error| failed(&error))?;
        }
        let registry = registry.prepare().map_err(|error| failed(&error))?;
        let options = jsonschema::options()
            .with_draft(Draft::Draft202012)
            .with_base_uri(BASE)
            .with_registry(&registry)
            .offline();
        options.build(&value_of(schema)).map(Validator).map_err(|error| failed(&error))
    }

    /// Everything in `input` that the schema does not allow; nothing for a valid input.
    pub fn violations(&self, input: &Node<'_>) -> Vec<Violation> {
        let value = value_of(input);
        let violation = |error: jsonschema::ValidationError<'_>| Violation {
            at: error.instance_path().to_string(),
            message: error.to_string(),
        };
        self.0.iter_errors(&value).map(violation).collect()
    }
}

/// A node as the library's kind of value.
fn value_of(node: &Node<'_>) -> Value {
    // INVARIANT: a node has string names and finite numbers, so it always becomes a value.
    serde_json::to_value(node).unwrap_or(Value::Null)
}
