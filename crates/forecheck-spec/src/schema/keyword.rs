//! The keywords of JSON Schema 2020-12 that a surface may use, and what each may hold.

use forecheck_contract::applicator::{Applicator, applicator};
use forecheck_contract::json::{Node, Value};

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

/// What the keyword `name` holds; `None` for what 2020-12 does not define.
pub(crate) fn holds(name: &str) -> Option<Holds> {
    if let Some(applicator) = applicator(name) {
        return Some(match applicator {
            Applicator::One => Holds::Schema,
            Applicator::Each => Holds::Schemas,
            Applicator::ByName => Holds::SchemaMap,
        });
    }
    Some(match name {
        "title" | "description" | "$comment" | "$schema" | "contentEncoding" | "contentMediaType"
        | "pattern" => Holds::Text,
        "$ref" => Holds::Reference,
        "format" => Holds::Format,
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => Holds::Number,
        "multipleOf" => Holds::Positive,
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minContains" | "maxContains"
        | "minProperties" | "maxProperties" => Holds::Count,
        "uniqueItems" | "deprecated" | "readOnly" | "writeOnly" => Holds::Flag,
        "required" => Holds::Names,
        "dependentRequired" => Holds::NamesMap,
        "type" => Holds::Types,
        "enum" | "examples" => Holds::Values,
        "const" | "default" => Holds::Any,
        "x-key" => Holds::KeyMark,
        "$id" | "$anchor" | "$dynamicRef" | "$dynamicAnchor" | "$vocabulary" | "$recursiveRef"
        | "$recursiveAnchor" => Holds::Unsupported,
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

/// The schemas directly inside `schema`, a keyword at a time.
pub(crate) fn subschemas<'s>(schema: &'s Node<'s>) -> impl Iterator<Item = &'s Node<'s>> {
    schema.as_object().unwrap_or_default().iter().flat_map(|member| {
        let (one, list, map) = match (holds(&member.name), &member.node.value) {
            (Some(Holds::Schema), _) => (Some(&member.node), None, None),
            (Some(Holds::Schemas), Value::Array(items)) => (None, Some(items), None),
            (Some(Holds::SchemaMap), Value::Object(members)) => (None, None, Some(members)),
            _ => (None, None, None),
        };
        let listed = list.into_iter().flatten();
        one.into_iter().chain(listed).chain(map.into_iter().flatten().map(|member| &member.node))
    })
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
