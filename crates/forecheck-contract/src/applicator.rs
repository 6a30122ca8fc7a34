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
    match name {
        "not"
        | "if"
        | "then"
        | "else"
        | "items"
        | "contains"
        | "additionalProperties"
        | "propertyNames"
        | "unevaluatedItems"
        | "unevaluatedProperties"
        | "contentSchema" => Some(Applicator::One),
        "allOf" | "anyOf" | "oneOf" | "prefixItems" => Some(Applicator::Each),
        "properties" | "patternProperties" | "dependentSchemas" | "$defs" | "definitions" => {
            Some(Applicator::ByName)
        }
        _ => None,
    }
}
