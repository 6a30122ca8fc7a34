//! The keywords of JSON Schema 2020-12 that a surface may use, and what each may hold.

use forecheck_contract::applicator::{Applicator, applicator};
use forecheck_contract::json::{Member, Node, Value};

/// What a keyword holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holds {
    /// A schema.
    Schema,
    /// An array of schemas, at least one.
    Schemas,
    /// An object whose values are schemas.
    SchemaMap,
    /// A string.
    Text,
    /// A `$ref`.
    Reference,
    /// The name of a format.
    Format,
    /// A number.
    Number,
    /// A number above zero.
    Positive,
    /// A whole number from zero on.
    Count,
    /// `true` or `false`.
    Flag,
    /// An array of strings, none twice.
    Names,
    /// An object whose values are arrays of strings, none twice.
    NamesMap,
    /// The name of a type, or an array of them.
    Types,
    /// An array of any values.
    Values,
    /// Any value.
    Any,
    /// `x-key`: the word `ignore`.
    KeyMark,
    /// Known to JSON Schema, but not honoured here.
    Unsupported,
}

impl Holds {
    /// Whether schemas stand under such a keyword.
    pub(crate) fn is_applicator(self) -> bool {
        matches!(self, Holds::Schema | Holds::Schemas | Holds::SchemaMap)
    }
}

/// What the keyword `name` holds; `None` for what 2020-12 does not define. Asked of every keyword of
/// every schema: patterns of bytes become a tree of comparisons, texts would be compared in turn.
pub(crate) fn holds(name: &str) -> Option<Holds> {
    if let Some(applicator) = applicator(name) {
        return Some(match applicator {
            Applicator::One => Holds::Schema,
            Applicator::Each => Holds::Schemas,
            Applicator::ByName => Holds::SchemaMap,
        });
    }
    Some(match name.as_bytes() {
        b"title" | b"description" | b"$comment" | b"$schema" | b"contentEncoding" | b"contentMediaType"
        | b"pattern" => Holds::Text,
        b"$ref" => Holds::Reference,
        b"format" => Holds::Format,
        b"minimum" | b"maximum" | b"exclusiveMinimum" | b"exclusiveMaximum" => Holds::Number,
        b"multipleOf" => Holds::Positive,
        b"minLength" | b"maxLength" | b"minItems" | b"maxItems" | b"minContains" | b"maxContains"
        | b"minProperties" | b"maxProperties" => Holds::Count,
        b"uniqueItems" | b"deprecated" | b"readOnly" | b"writeOnly" => Holds::Flag,
        b"required" => Holds::Names,
        b"dependentRequired" => Holds::NamesMap,
        b"type" => Holds::Types,
        b"enum" | b"examples" => Holds::Values,
        b"const" | b"default" => Holds::Any,
        b"x-key" => Holds::KeyMark,
        b"$id" | b"$anchor" | b"$dynamicRef" | b"$dynamicAnchor" | b"$vocabulary" | b"$recursiveRef"
        | b"$recursiveAnchor" => Holds::Unsupported,
        _ => return None,
    })
}

/// The formats that JSON Schema 2020-12 defines.
pub(crate) const FORMATS: [&str; 19] = [
    "date-time",
    "date",
    "time",
    "duration",
    "email",
    "idn-email",
    "hostname",
    "idn-hostname",
    "ipv4",
    "ipv6",
    "uri",
    "uri-reference",
    "iri",
    "iri-reference",
    "uuid",
    "uri-template",
    "json-pointer",
    "relative-json-pointer",
    "regex",
];

/// The names of the types.
pub(crate) const TYPES: [&str; 7] = ["null", "boolean", "object", "array", "number", "string", "integer"];

/// The schemas directly under a keyword that holds `holds`.
pub(crate) fn children<'s>(holds: Holds, value: &'s Node<'s>) -> impl Iterator<Item = &'s Node<'s>> {
    let (items, members): (&[Node<'s>], &[Member<'s>]) = match (holds, &value.value) {
        (Holds::Schema, _) => (std::slice::from_ref(value), &[]),
        (Holds::Schemas, Value::Array(items)) => (items, &[]),
        (Holds::SchemaMap, Value::Object(members)) => (&[], members),
        _ => (&[], &[]),
    };
    items.iter().chain(members.iter().map(|member| &member.node))
}

/// What is wrong with the value of a keyword, if anything is.
pub(crate) fn fault(holds: Holds, value: &Node<'_>) -> Option<String> {
    let wanted = match holds {
        Holds::Schema if is_schema(value) => return None,
        Holds::Schema => "a schema: an object, true or false",
        Holds::Schemas => match value.as_array() {
            Some(items) if !items.is_empty() && items.iter().all(is_schema) => return None,
            _ => "an array of schemas, at least one",
        },
        Holds::SchemaMap => match value.as_object() {
            Some(members) if members.iter().all(|member| is_schema(&member.node)) => return None,
            _ => "an object whose values are schemas",
        },
        Holds::Text | Holds::Reference | Holds::Format => {
            return is_wrong(value.as_str().is_none(), "a string", value);
        }
        Holds::Number => return is_wrong(value.as_number().is_none(), "a number", value),
        Holds::Positive => {
            let positive = value.as_number().is_some_and(|number| number.as_f64() > 0.0);
            return is_wrong(!positive, "a number above zero", value);
        }
        Holds::Count => {
            let count = value.as_number().is_some_and(|number| number.as_u64().is_some());
            return is_wrong(!count, "a whole number from zero on", value);
        }
        Holds::Flag => return is_wrong(value.as_bool().is_none(), "true or false", value),
        Holds::Names => return names_fault(value),
        Holds::NamesMap => match value.as_object() {
            Some(members) => return members.iter().find_map(|member| names_fault(&member.node)),
            None => "an object whose values are arrays of strings",
        },
        Holds::Types => return types_fault(value),
        Holds::Values => return is_wrong(value.as_array().is_none(), "an array", value),
        Holds::KeyMark => return is_wrong(value.as_str() != Some("ignore"), "the word \"ignore\"", value),
        Holds::Any | Holds::Unsupported => return None,
    };
    Some(format!("must be {wanted}"))
}

fn is_wrong(wrong: bool, wanted: &str, value: &Node<'_>) -> Option<String> {
    wrong.then(|| format!("must be {wanted}, not {}", value.kind()))
}

/// Whether a value can be a schema.
pub(crate) fn is_schema(node: &Node<'_>) -> bool {
    matches!(node.value, Value::Object(_) | Value::Bool(_))
}

fn names_fault(value: &Node<'_>) -> Option<String> {
    let names: Option<Vec<&str>> =
        value.as_array().and_then(|items| items.iter().map(Node::as_str).collect());
    let Some(mut names) = names else { return Some("must be an array of strings".to_owned()) };
    names.sort_unstable();
    let twice = names.windows(2).find(|pair| matches!(pair, [a, b] if a == b));
    twice.and_then(<[&str]>::first).map(|name| format!("names {} twice", crate::text::quoted(name)))
}

fn types_fault(value: &Node<'_>) -> Option<String> {
    let single = std::slice::from_ref(value);
    let types = value.as_array().unwrap_or(single);
    let known = |node: &Node<'_>| node.as_str().is_some_and(|name| TYPES.contains(&name));
    if !types.is_empty() && types.iter().all(known) {
        return if value.as_array().is_some() { names_fault(value) } else { None };
    }
    Some(format!("must be one of {}, or an array of them", TYPES.join(", ")))
}
