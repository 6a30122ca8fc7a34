//! Validation of values against a surface's schemas. The library behind it stays behind it.

use std::fmt;

use forecheck_contract::json::Node;
use jsonschema::Draft;
use serde_json::Value;

use crate::schema::Schemas;
use crate::schema::bundle::bundle;

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
        let document = bundle(schemas, schema);
        let options = jsonschema::options().with_draft(Draft::Draft202012).offline();
        options.build(&document).map(Validator).map_err(|error| Uncompilable(error.to_string()))
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
