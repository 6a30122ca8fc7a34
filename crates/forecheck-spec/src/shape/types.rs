//! Sets of JSON types.

use std::fmt;

use forecheck_contract::json::Node;
use serde_json::Value;

/// A set of the types that a value can have. Integers are numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Types(u8);

/// Each type with its name in a schema and in a sentence.
const NAMED: [(Types, &str, &str); 6] = [
    (Types::NULL, "null", "null"),
    (Types::BOOLEAN, "boolean", "a truth value"),
    (Types::NUMBER, "number", "a number"),
    (Types::STRING, "string", "a text"),
    (Types::ARRAY, "array", "an array"),
    (Types::OBJECT, "object", "an object"),
];

impl Types {
    pub(crate) const NONE: Types = Types(0);
    pub(crate) const NULL: Types = Types(1);
    pub(crate) const BOOLEAN: Types = Types(2);
    pub(crate) const NUMBER: Types = Types(4);
    pub(crate) const STRING: Types = Types(8);
    pub(crate) const ARRAY: Types = Types(16);
    pub(crate) const OBJECT: Types = Types(32);
    /// What has a size.
    pub(crate) const SIZED: Types = Types(8 + 16 + 32);
    pub(crate) const ALL: Types = Types(63);

    #[must_use]
    pub(crate) fn and(self, other: Types) -> Types {
        Types(self.0 & other.0)
    }

    pub(crate) fn overlaps(self, other: Types) -> bool {
        self.and(other) != Types::NONE
    }

    pub(crate) fn is_within(self, other: Types) -> bool {
        self.and(other) == self
    }

    pub(crate) fn of(value: &Value) -> Types {
        match value {
            Value::Null => Types::NULL,
            Value::Bool(_) => Types::BOOLEAN,
            Value::Number(_) => Types::NUMBER,
            Value::String(_) => Types::STRING,
            Value::Array(_) => Types::ARRAY,
            Value::Object(_) => Types::OBJECT,
        }
    }

    pub(crate) fn of_all(values: &[Value]) -> Types {
        values.iter().map(Types::of).fold(Types::NONE, |all, one| Types(all.0 | one.0))
    }

    /// What the keyword `type` says.
    pub(super) fn stated(keyword: &Node<'_>) -> Types {
        let names = keyword.as_array().unwrap_or(std::slice::from_ref(keyword));
        let one = |node: &Node<'_>| {
            let name = node.as_str().map_or("", |name| if name == "integer" { "number" } else { name });
            NAMED.iter().find(|(_, known, _)| *known == name).map_or(Types::NONE, |(types, ..)| *types)
        };
        names.iter().map(one).fold(Types::NONE, |all, one| Types(all.0 | one.0))
    }
}

impl fmt::Display for Types {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = NAMED.iter().filter(|(types, ..)| self.overlaps(*types)).map(|(_, _, words)| *words);
        let named: Vec<&str> = named.collect();
        if named.is_empty() { f.write_str("nothing") } else { f.write_str(&named.join(" or ")) }
    }
}
