//! The recipe of a verb's key, read off its input schema (outputs, "The key").

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use forecheck_contract::canonical;
use forecheck_contract::json::{Node, Value};
use forecheck_contract::pointer;
use forecheck_contract::recipe::{KnownObject, Recipe, TargetRecipe};

use crate::instance::{names_of, unconditional};
use crate::schema::keyword::{Holds, holds, subschemas};
use crate::schema::{Place, Schemas};

/// The most objects that a recipe names. Schemas that share definitions can reach more pointers
/// than there are bytes in them; what lies beyond, farthest from the root, is hashed as it is.
const MAX_OBJECTS: usize = 512;

/// A property that a recipe can speak of.
struct Property<'s> {
    at: String,
    schemas: Vec<Place<'s>>,
    /// Whether the key may leave it out when it equals its default.
    may_default: bool,
}

/// An object still to be looked at, with the schemas that it lies inside of.
struct Pending<'s> {
    at: String,
    schemas: Vec<Place<'s>>,
    around: Vec<&'s Node<'s>>,
}

/// The recipe for inputs of the schema `input`. `verb` is the first part of the key.
pub(crate) fn derive<'s>(
    schemas: &Schemas<'s>,
    input: &Place<'s>,
    verb: String,
    target: Option<TargetRecipe>,
) -> Recipe {
    let mut recipe =
        Recipe { verb, target, ignored: Vec::new(), defaults: BTreeMap::new(), objects: BTreeMap::new() };
    let root = Pending { at: String::new(), schemas: unconditional(schemas, input), around: Vec::new() };
    let mut pending = VecDeque::from([root]);
    let mut defaults = Vec::new();
    while let Some(object) = pending.pop_front() {
        if recipe.objects.len() == MAX_OBJECTS {
            break;
        }
        let properties = properties(schemas, &object);
        recipe.objects.insert(object.at.clone(), known(&object, &properties));
        for property in properties {
            if property.schemas.iter().any(|place| place.node.get("x-key").is_some()) {
                recipe.ignored.push(property.at.clone());
            }
            if property.may_default {
                defaults.extend(default_of(&property).map(|node| (property.at.clone(), node)));
            }
            pending.extend(inside(&object, property));
        }
    }
    recipe.ignored.sort();
    set_defaults(&mut recipe, defaults);
    recipe
}

/// Adds defaults, the deepest first: a default is itself stored without what it repeats.
fn set_defaults(recipe: &mut Recipe, mut defaults: Vec<(String, &Node<'_>)>) {
    defaults.sort_by_key(|(at, _)| std::cmp::Reverse(at.matches('/').count()));
    for (at, node) in defaults {
        let stripped = recipe.strip_below(&at, node);
        recipe.defaults.insert(at, canonical::to_string(&stripped));
    }
}

fn properties<'s>(schemas: &Schemas<'s>, object: &Pending<'s>) -> Vec<Property<'s>> {
    let mut names: BTreeMap<&'s str, Vec<Place<'s>>> = BTreeMap::new();
    for place in &object.schemas {
        for member in place.node.get("properties").and_then(Node::as_object).unwrap_or_default() {
            let property = place.child(&["properties", &member.name], &member.node);
            names.entry(&member.name).or_default().extend(unconditional(schemas, &property));
        }
    }
    let held: BTreeSet<&str> = object
        .schemas
        .iter()
        .flat_map(|place| names_of(place.node, "required").chain(conditional_names(place)))
        .collect();
    let property = |(name, schemas): (&'s str, Vec<Place<'s>>)| Property {
        at: pointer::join(&object.at, name),
        schemas,
        may_default: !held.contains(name),
    };
    names.into_iter().map(property).collect()
}

/// The properties that combinators and conditions beside `properties` speak of: whether such a
/// field is there may decide which branch holds.
fn conditional_names<'s>(place: &Place<'s>) -> impl Iterator<Item = &'s str> {
    let beside = place.node.as_object().unwrap_or_default().iter().filter(|member| {
        matches!(
            &*member.name,
            "allOf"
                | "anyOf"
                | "oneOf"
                | "not"
                | "if"
                | "then"
                | "else"
                | "dependentSchemas"
                | "dependentRequired"
        )
    });
    beside.flat_map(|member| mentioned(&member.name, &member.node))
}

fn mentioned<'s>(keyword: &'s str, node: &'s Node<'s>) -> Vec<&'s str> {
    let mut names: Vec<&str> = Vec::new();
    if keyword.starts_with("dependent") {
        for member in node.as_object().unwrap_or_default() {
            names.push(&member.name);
            names.extend(names_of(node, &member.name));
        }
    }
    let mut open = match &node.value {
        Value::Array(items) => items.iter().collect(),
        Value::Object(members) if holds(keyword) == Some(Holds::SchemaMap) => {
            members.iter().map(|m| &m.node).collect()
        }
        _ => vec![node],
    };
    while let Some(schema) = open.pop() {
        names.extend(names_of(schema, "required"));
        names.extend(
            schema.get("properties").and_then(Node::as_object).unwrap_or_default().iter().map(|m| &*m.name),
        );
        open.extend(subschemas(schema));
    }
    names
}

/// The default nearest to the property: its own before that of a definition that it refers to.
fn default_of<'s>(property: &Property<'s>) -> Option<&'s Node<'s>> {
    property.schemas.iter().find_map(|place| place.node.get("default"))
}

fn known(object: &Pending<'_>, properties: &[Property<'_>]) -> KnownObject {
    let closes = |place: &Place<'_>| {
        let forbidden = |keyword| place.node.get(keyword).and_then(Node::as_bool) == Some(false);
        forbidden("additionalProperties") && place.node.get("patternProperties").is_none()
    };
    let name = |property: &Property<'_>| {
        let token = property.at.rsplit('/').next().unwrap_or_default();
        token.replace("~1", "/").replace("~0", "~")
    };
    let mut properties: Vec<String> = properties.iter().map(name).collect();
    properties.sort();
    KnownObject { closed: object.schemas.iter().any(closes), properties }
}

/// The property as an object to look into, unless it is none or leads back to where it lies.
fn inside<'s>(object: &Pending<'s>, property: Property<'s>) -> Option<Pending<'s>> {
    let mut around = object.around.clone();
    around.extend(object.schemas.iter().map(|place| place.node));
    let recursive =
        property.schemas.iter().any(|place| around.iter().any(|node| std::ptr::eq(*node, place.node)));
    let has_properties = property.schemas.iter().any(|place| place.node.get("properties").is_some());
    (has_properties && !recursive).then_some(Pending { at: property.at, schemas: property.schemas, around })
}

#[cfg(test)]
mod tests {
    use forecheck_contract::json::{self, Limits};

    use super::*;
    use crate::schema::Resource;

    fn recipe(input: &str) -> Recipe {
        let input = json::read(input.as_bytes(), Limits::SPEC).unwrap();
        derive(&Schemas::default(), &Resource::own(&input).place(), "open_pr".to_owned(), None)
    }

    fn object(closed: bool, properties: &[&str]) -> KnownObject {
        KnownObject { closed, properties: properties.iter().map(|&name| name.to_owned()).collect() }
    }

    #[test]
    fn a_recipe_follows_properties_and_references() {
        let found = recipe(
            r##"{
                "properties": {
                    "title": {"type": "string", "x-key": "ignore"},
                    "draft": {"type": "boolean", "default": false},
                    "base": {"type": "string", "default": "main"},
                    "opts": {"$ref": "#/$defs/opts"},
                    "list": {"type": "array", "items": {"properties": {"a": {"default": 1}}}}
                },
                "required": ["base"],
                "additionalProperties": false,
                "$defs": {"opts": {"properties": {"n": {"default": 1.0}, "again": {"$ref": "#/$defs/opts"}}, "default": {"n": 1}}}
            }"##,
        );
        let expected = Recipe {
            verb: "open_pr".to_owned(),
            target: None,
            ignored: vec!["/title".to_owned()],
            defaults: [("/draft", "false"), ("/opts", "{}"), ("/opts/n", "1"), ("/opts/again", "{\"n\":1}")]
                .map(|(at, value)| (at.to_owned(), value.to_owned()))
                .into(),
            objects: [
                (String::new(), object(true, &["base", "draft", "list", "opts", "title"])),
                ("/opts".to_owned(), object(false, &["again", "n"])),
            ]
            .into(),
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn fields_that_decide_a_branch_keep_their_default() {
        let found = recipe(
            r#"{
                "properties": {"mode": {"default": "a"}, "size": {"default": 1}, "depth": {"default": 2},
                               "other": {"default": 3}},
                "oneOf": [{"properties": {"mode": {"const": "a"}}}, {"properties": {"mode": {"const": "b"}}}],
                "dependentRequired": {"depth": ["size"]}
            }"#,
        );
        assert_eq!(found.defaults, [("/other".to_owned(), "3".to_owned())].into());
    }
}
