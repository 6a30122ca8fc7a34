//! What single keywords of a schema say about types.

use forecheck_contract::json::{Node, Number, Value};

/// Keywords that a type can honour. All others are left to the validator: a type that ignores them
/// is wider than the schema, never narrower.
const SHAPING: &[&str] = &[
    "$ref",
    "additionalProperties",
    "allOf",
    "anyOf",
    "const",
    "enum",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "items",
    "maxItems",
    "maximum",
    "minItems",
    "minimum",
    "oneOf",
    "patternProperties",
    "prefixItems",
    "properties",
    "required",
    "type",
    "unevaluatedProperties",
];

/// The keywords of `schema` that a type can honour.
pub(super) fn shaping<'s>(schema: &'s Node<'s>) -> impl Iterator<Item = &'s str> {
    let names = schema.as_object().unwrap_or_default().iter().map(|member| &*member.name);
    names.filter(|name| SHAPING.binary_search(name).is_ok())
}

/// The schemas in the array under `keyword`.
pub(super) fn list<'s>(schema: &'s Node<'s>, keyword: &str) -> &'s [Node<'s>] {
    schema.get(keyword).and_then(Node::as_array).unwrap_or_default()
}

/// The schemas under `properties`, by name.
pub(super) fn properties<'s>(schema: &'s Node<'s>) -> impl Iterator<Item = (&'s str, &'s Node<'s>)> {
    let members = schema.get("properties").and_then(Node::as_object).unwrap_or_default();
    members.iter().map(|member| (&*member.name, &member.node))
}

/// The schemas under `patternProperties`.
pub(super) fn patterns<'s>(schema: &'s Node<'s>) -> impl Iterator<Item = (&'s str, &'s Node<'s>)> {
    let members = schema.get("patternProperties").and_then(Node::as_object).unwrap_or_default();
    members.iter().map(|member| (&*member.name, &member.node))
}

/// The names under `required`.
pub(super) fn required<'s>(schema: &'s Node<'s>) -> impl Iterator<Item = &'s str> {
    list(schema, "required").iter().filter_map(Node::as_str)
}

/// Whether `keyword` is there and `false`.
pub(super) fn forbids(schema: &Node<'_>, keyword: &str) -> bool {
    schema.get(keyword).and_then(Node::as_bool) == Some(false)
}

/// The number of items that `keyword` states.
pub(super) fn count(schema: &Node<'_>, keyword: &str) -> Option<u64> {
    schema.get(keyword).and_then(Node::as_number).and_then(Number::as_u64)
}

/// A set of kinds of JSON values; numbers are two kinds, the whole ones and the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kinds(u8);

impl Kinds {
    pub(super) const NONE: Kinds = Kinds(0);
    pub(super) const NULL: Kinds = Kinds(1);
    pub(super) const BOOL: Kinds = Kinds(1 << 1);
    pub(super) const INTEGER: Kinds = Kinds(1 << 2);
    pub(super) const FRACTION: Kinds = Kinds(1 << 3);
    pub(super) const NUMBER: Kinds = Kinds(Kinds::INTEGER.0 | Kinds::FRACTION.0);
    pub(super) const STRING: Kinds = Kinds(1 << 4);
    pub(super) const ARRAY: Kinds = Kinds(1 << 5);
    pub(super) const OBJECT: Kinds = Kinds(1 << 6);
    pub(super) const ALL: Kinds = Kinds((1 << 7) - 1);

    /// What `type` allows.
    pub(super) fn of_type(schema: &Node<'_>) -> Kinds {
        match schema.get("type").map(|types| &types.value) {
            Some(Value::String(name)) => Kinds::named(name),
            Some(Value::Array(names)) => {
                let named = names.iter().map(|name| name.as_str().map_or(Kinds::ALL, Kinds::named));
                named.fold(Kinds::NONE, Kinds::or)
            }
            _ => Kinds::ALL,
        }
    }

    fn named(name: &str) -> Kinds {
        match name {
            "null" => Kinds::NULL,
            "boolean" => Kinds::BOOL,
            "integer" => Kinds::INTEGER,
            "number" => Kinds::INTEGER.or(Kinds::FRACTION),
            "string" => Kinds::STRING,
            "array" => Kinds::ARRAY,
            "object" => Kinds::OBJECT,
            _ => Kinds::ALL,
        }
    }

    /// The kind of a value.
    pub(super) fn of_value(value: &Node<'_>) -> Kinds {
        match &value.value {
            Value::Null => Kinds::NULL,
            Value::Bool(_) => Kinds::BOOL,
            Value::Number(number) if whole(*number).is_some() => Kinds::INTEGER,
            Value::Number(_) => Kinds::FRACTION,
            Value::String(_) => Kinds::STRING,
            Value::Array(_) => Kinds::ARRAY,
            Value::Object(_) => Kinds::OBJECT,
        }
    }

    pub(super) fn or(self, other: Kinds) -> Kinds {
        Kinds(self.0 | other.0)
    }

    pub(super) fn and(self, other: Kinds) -> Kinds {
        Kinds(self.0 & other.0)
    }

    pub(super) fn without(self, other: Kinds) -> Kinds {
        Kinds(self.0 & !other.0)
    }

    pub(super) fn is_none(self) -> bool {
        self == Kinds::NONE
    }

    /// Whether every kind here is one of `other`.
    pub(super) fn within(self, other: Kinds) -> bool {
        self.and(other) == self
    }
}

/// The integer that a number is, where it is one that bounds can be compared with.
pub(super) fn whole(number: Number) -> Option<i128> {
    match number {
        Number::Unsigned(n) => Some(n.into()),
        Number::Signed(n) => Some(n.into()),
        Number::Float(n) if n.fract() == 0.0 => Some(saturated(n)),
        Number::Float(_) => None,
    }
}

#[expect(clippy::cast_possible_truncation, reason = "`as` saturates, and any such bound is beyond 64 bits")]
fn saturated(n: f64) -> i128 {
    n as i128
}

/// The smallest integer that the lower bounds of `schema` allow.
pub(super) fn low(schema: &Node<'_>) -> Option<i128> {
    let at_least = bound(schema, "minimum", f64::ceil);
    let above = bound(schema, "exclusiveMinimum", f64::floor).map(|bound| bound.saturating_add(1));
    at_least.max(above)
}

/// The largest integer that the upper bounds of `schema` allow.
pub(super) fn high(schema: &Node<'_>) -> Option<i128> {
    let at_most = bound(schema, "maximum", f64::floor);
    let below = bound(schema, "exclusiveMaximum", f64::ceil).map(|bound| bound.saturating_sub(1));
    [at_most, below].into_iter().flatten().min()
}

fn bound(schema: &Node<'_>, keyword: &str, round: fn(f64) -> f64) -> Option<i128> {
    match schema.get(keyword)?.as_number()? {
        Number::Float(n) => Some(saturated(round(n))),
        exact => whole(exact),
    }
}

#[cfg(test)]
mod tests {
    use forecheck_contract::json::{self, Limits};

    use super::*;

    #[test]
    fn the_list_can_be_searched() {
        assert!(SHAPING.is_sorted());
    }

    #[test]
    fn bounds_are_the_integers_inside() {
        let check = |text: &str, expected: (Option<i128>, Option<i128>)| {
            let schema = json::read(text.as_bytes(), Limits::SPEC).unwrap();
            assert_eq!((low(&schema), high(&schema)), expected, "{text}");
        };
        check(r#"{"minimum": 0, "maximum": 255}"#, (Some(0), Some(255)));
        check(r#"{"exclusiveMinimum": 0, "exclusiveMaximum": 10}"#, (Some(1), Some(9)));
        check(r#"{"exclusiveMinimum": -0.5, "exclusiveMaximum": 9.5}"#, (Some(0), Some(9)));
        check(r#"{"minimum": 0.5, "maximum": 9.5}"#, (Some(1), Some(9)));
        check(r#"{"minimum": 3, "exclusiveMinimum": 5}"#, (Some(6), None));
        check(r#"{"maximum": 1e300}"#, (None, Some(i128::MAX)));
        check("{}", (None, None));
    }
}
