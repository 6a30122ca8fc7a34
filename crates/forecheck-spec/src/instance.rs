//! Pointers into an input, answered by the input's schema.

use forecheck_contract::json::{Node, Value};
use forecheck_contract::pointer;

use crate::schema::{Place, Schemas};

/// The schemas that a value at `place` must fit in every case: the schema itself, what its `$ref`
/// names, and so on.
pub(crate) fn unconditional<'s>(schemas: &Schemas<'s>, place: &Place<'s>) -> Vec<Place<'s>> {
    closure(schemas, place, &[])
}

/// As [`unconditional`], and what `allOf` adds.
pub(crate) fn certain<'s>(schemas: &Schemas<'s>, place: &Place<'s>) -> Vec<Place<'s>> {
    closure(schemas, place, &["allOf"])
}

/// The schemas of which some speak about a value at `place`: also those under combinators and
/// conditions.
pub(crate) fn possible<'s>(schemas: &Schemas<'s>, place: &Place<'s>) -> Vec<Place<'s>> {
    closure(schemas, place, &["allOf", "anyOf", "oneOf", "if", "then", "else", "dependentSchemas"])
}

fn closure<'s>(schemas: &Schemas<'s>, place: &Place<'s>, combinators: &[&str]) -> Vec<Place<'s>> {
    let mut found = vec![place.clone()];
    let mut next = 0;
    while let Some(current) = found.get(next).cloned() {
        next += 1;
        let referred = current.node.get("$ref").and_then(Node::as_str);
        let referred = referred.and_then(|reference| schemas.resolve(current.resource, reference).ok());
        let combined = combinators.iter().flat_map(|keyword| under(&current, keyword));
        for place in referred.into_iter().chain(combined) {
            if !found.contains(&place) {
                found.push(place);
            }
        }
    }
    found
}

/// The schemas directly under `keyword` of the schema at `place`.
fn under<'s>(place: &Place<'s>, keyword: &str) -> Vec<Place<'s>> {
    let Some(node) = place.node.get(keyword) else { return Vec::new() };
    match &node.value {
        Value::Array(items) => {
            let indexed = items.iter().enumerate();
            indexed.map(|(index, item)| place.child(&[keyword, &index.to_string()], item)).collect()
        }
        Value::Object(members) if keyword == "dependentSchemas" => {
            members.iter().map(|member| place.child(&[keyword, &member.name], &member.node)).collect()
        }
        _ => vec![place.child(&[keyword], node)],
    }
}

/// The schemas that speak about the value at `at` below a value of the schema `root`; none when no
/// such value is described.
pub fn fields_at<'s>(schemas: &Schemas<'s>, root: &Place<'s>, at: &str) -> Vec<Place<'s>> {
    let Some(tokens) = pointer::tokens(at) else { return Vec::new() };
    tokens.iter().fold(vec![root.clone()], |places, token| {
        let inside = places.iter().flat_map(|place| possible(schemas, place));
        distinct(inside.flat_map(|place| step(&place, token)))
    })
}

/// Each place once: schemas that share definitions lead to one by many ways.
pub(crate) fn distinct<'s>(places: impl Iterator<Item = Place<'s>>) -> Vec<Place<'s>> {
    let mut found: Vec<Place<'s>> = Vec::new();
    for place in places {
        if !found.contains(&place) {
            found.push(place);
        }
    }
    found
}

/// The schemas that one schema has for the member or item `token`.
pub(crate) fn step<'s>(place: &Place<'s>, token: &str) -> Vec<Place<'s>> {
    if let Some(node) = place.node.get("properties").and_then(|properties| properties.get(token)) {
        return vec![place.child(&["properties", token], node)];
    }
    let mut found: Vec<Place<'s>> = Vec::new();
    let patterns = place.node.get("patternProperties").and_then(Node::as_object).unwrap_or_default();
    found.extend(
        patterns.iter().map(|member| place.child(&["patternProperties", &member.name], &member.node)),
    );
    let holders = if pointer::index(token).is_some() {
        &["additionalProperties", "items"][..]
    } else {
        &["additionalProperties"]
    };
    for keyword in holders {
        let schema = place.node.get(keyword).filter(|node| node.as_object().is_some());
        found.extend(schema.map(|node| place.child(&[keyword], node)));
    }
    found
}

/// Whether every valid value of `root` has a string at `at`.
pub fn is_required_string<'s>(schemas: &Schemas<'s>, root: &Place<'s>, at: &str) -> bool {
    let Some(tokens) = pointer::tokens(at) else { return false };
    let mut places = certain(schemas, root);
    for token in &tokens {
        let required = places.iter().any(|place| names_of(place.node, "required").any(|name| name == *token));
        let named = places.iter().filter_map(|place| {
            let node = place.node.get("properties")?.get(token)?;
            Some(place.child(&["properties", token], node))
        });
        let inside: Vec<Place<'s>> = named.collect();
        if !required {
            return false;
        }
        places = distinct(inside.iter().flat_map(|place| certain(schemas, place)));
    }
    places.iter().any(|place| place.node.get("type").and_then(Node::as_str) == Some("string"))
}

/// The strings in the array under `keyword`.
pub(crate) fn names_of<'s>(schema: &'s Node<'s>, keyword: &str) -> impl Iterator<Item = &'s str> {
    schema.get(keyword).and_then(Node::as_array).unwrap_or_default().iter().filter_map(Node::as_str)
}

#[cfg(test)]
mod tests {
    use forecheck_contract::json::{self, Limits};

    use super::*;
    use crate::schema::Resource;

    const INPUT: &str = r##"{
        "properties": {
            "repo": {"$ref": "#/$defs/name"},
            "paths": {"type": "array", "items": {"properties": {"file": {}}}},
            "labels": {"additionalProperties": {"type": "string"}},
            "node": {"$ref": "#/$defs/node"},
            "maybe": {"type": ["string", "null"]}
        },
        "required": ["repo", "node", "maybe"],
        "oneOf": [{"properties": {"branch": {}}}, {"properties": {"tag": {}}}],
        "$defs": {
            "name": {"allOf": [{"type": "string"}]},
            "node": {"properties": {"next": {"$ref": "#/$defs/node"}, "id": {"type": "string"}}, "required": ["id"]}
        }
    }"##;

    #[test]
    fn pointers_are_answered_by_the_schema() {
        let input = json::read(INPUT.as_bytes(), Limits::SPEC).unwrap();
        let (schemas, root) = (Schemas::default(), Resource::own(&input).place());
        let check = |at, expected: &[&str]| {
            let found: Vec<String> =
                fields_at(&schemas, &root, at).into_iter().map(|place| place.pointer).collect();
            assert_eq!(found, expected, "{at}");
        };
        check("", &[""]);
        check("/repo", &["/properties/repo"]);
        check("/paths/3/file", &["/properties/paths/items/properties/file"]);
        check("/paths/x", &[]);
        check("/labels/any", &["/properties/labels/additionalProperties"]);
        check("/tag", &["/oneOf/1/properties/tag"]);
        check("/node/next/next/id", &["/$defs/node/properties/id"]);
        check("/none", &[]);
    }

    #[test]
    fn required_strings_are_required_all_the_way() {
        let input = json::read(INPUT.as_bytes(), Limits::SPEC).unwrap();
        let (schemas, root) = (Schemas::default(), Resource::own(&input).place());
        let check = |at, expected| assert_eq!(is_required_string(&schemas, &root, at), expected, "{at}");
        check("/repo", true);
        check("/node/id", true);
        check("/node/next/id", false);
        check("/paths", false);
        check("/maybe", false);
        check("/tag", false);
    }
}
