//! The keywords of JSON Schema 2020-12 that hold schemas: one list for everything that walks them.

/// How a keyword holds schemas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Applicator {
    /// One schema.
    One,
    /// An array of schemas.
    Each,
    /// An object whose values are schemas.
    ByName,
}

/// How the keyword `name` holds schemas; `None` where it holds none.
pub fn applicator(name: &str) -> Option<Applicator> {
    match name.as_bytes() {
        b"not"
        | b"if"
        | b"then"
        | b"else"
        | b"items"
        | b"contains"
        | b"additionalProperties"
        | b"propertyNames"
        | b"unevaluatedItems"
        | b"unevaluatedProperties"
        | b"contentSchema" => Some(Applicator::One),
        b"allOf" | b"anyOf" | b"oneOf" | b"prefixItems" => Some(Applicator::Each),
        b"properties" | b"patternProperties" | b"dependentSchemas" | b"$defs" | b"definitions" => {
            Some(Applicator::ByName)
        }
        _ => None,
    }
}
