//! The recipe of a verb's key, read off its input schema (outputs, "The key").

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use forecheck_contract::canonical;
use forecheck_contract::json::{Node, Value};
use forecheck_contract::pointer;
use forecheck_contract::recipe::{KnownObject, Recipe, TargetRecipe};

use crate::instance::{names_of, unconditional};
use crate::schema::{Place, Schemas};

/// The most objects and properties that a recipe names. Schemas that share definitions can reach
/// more pointers than there are bytes in them; what lies beyond, farthest from the root, is hashed
/// as it is.
const MAX_OBJECTS: usize = 512;
const MAX_PROPERTIES: usize = 8192;

/// Keywords with which a branch may depend on any property of its object.
const OF_ALL_PROPERTIES: [&str; 8] = [
    "minProperties",
    "maxProperties",
    "additionalProperties",
    "unevaluatedProperties",
    "patternProperties",
    "propertyNames",
    "const",
    "enum",
];

/// A property that a recipe can speak of.
struct Property<'s> {
    name: &'s str,
    at: String,
    schemas: Vec<Place<'s>>,
    /// Whether every valid input has it.
    required: bool,
    /// Whether a combinator or condition beside it speaks of it: its presence or value may decide
    /// which branch holds.
    decides: bool,
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
    let mut named = 0;
    while let Some(object) = pending.pop_front() {
        let properties = properties(schemas, &object);
        named += properties.len();
        if recipe.objects.len() == MAX_OBJECTS || named > MAX_PROPERTIES {
            break;
        }
        recipe.objects.insert(object.at.clone(), known(&object, &properties));
        for property in properties {
            if property.schemas.iter().any(|place| place.node.get("x-key").is_some()) {
                recipe.ignored.push(property.at.clone());
            }
            if !property.required && !property.decides {
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
    let required: BTreeSet<&str> =
        object.schemas.iter().flat_map(|place| names_of(place.node, "required")).collect();
    let deciding: Vec<Deciding<'_>> = object.schemas.iter().map(|place| deciding(schemas, place)).collect();
    let property = |(name, schemas): (&'s str, Vec<Place<'s>>)| Property {
        name,
        at: pointer::join(&object.at, name),
        schemas,
        required: required.contains(name),
        decides: deciding.iter().any(|deciding| deciding.holds(name)),
    };
    names.into_iter().map(property).collect()
}

/// The properties that may decide which branch of a combinator or condition holds.
enum Deciding<'s> {
    All,
    Some(Vec<&'s str>),
}

impl Deciding<'_> {
    fn holds(&self, name: &str) -> bool {
        match self {
            Deciding::All => true,
            Deciding::Some(names) => names.contains(&name),
        }
    }
}

/// The properties that combinators and conditions beside `properties` speak of, also through `$ref`.
fn deciding<'s>(schemas: &Schemas<'s>, place: &Place<'s>) -> Deciding<'s> {
    let mut names: Vec<&str> = Vec::new();
    let mut open = branches(place, &mut names);
    let mut seen: Vec<*const Node<'s>> = Vec::new();
    while let Some(branch) = open.pop() {
        if seen.contains(&std::ptr::from_ref(branch.node)) {
            continue;
        }
        seen.push(std::ptr::from_ref(branch.node));
        if OF_ALL_PROPERTIES.iter().any(|keyword| branch.node.get(keyword).is_some()) {
            return Deciding::All;
        }
        names.extend(names_of(branch.node, "required"));
        let properties = branch.node.get("properties").and_then(Node::as_object).unwrap_or_default();
        names.extend(properties.iter().map(|member| &*member.name));
        let referred = branch.node.get("$ref").and_then(Node::as_str);
        open.extend(referred.and_then(|reference| schemas.resolve(branch.resource, reference).ok()));
        open.extend(branches(&branch, &mut names));
    }
    Deciding::Some(names)
}

/// The schemas under combinators and conditions that speak of the same object; properties on which
/// they depend go to `names`.
fn branches<'s>(place: &Place<'s>, names: &mut Vec<&'s str>) -> Vec<Place<'s>> {
    let mut found = Vec::new();
    for member in place.node.as_object().unwrap_or_default() {
        let nodes: Vec<&'s Node<'s>> = match (&*member.name, &member.node.value) {
            ("allOf" | "anyOf" | "oneOf", Value::Array(items)) => items.iter().collect(),
            ("not" | "if" | "then" | "else", _) => vec![&member.node],
            ("dependentSchemas" | "dependentRequired", Value::Object(members)) => {
                names.extend(members.iter().map(|dependent| &*dependent.name));
                names.extend(members.iter().flat_map(|dependent| names_of(&member.node, &dependent.name)));
                members.iter().map(|dependent| &dependent.node).collect()
            }
            _ => Vec::new(),
        };
        found.extend(nodes.into_iter().map(|node| place.child(&[&member.name], node)));
    }
    found
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
    let mut properties: Vec<String> = properties.iter().map(|property| property.name.to_owned()).collect();
    properties.sort();
    KnownObject { closed: object.schemas.iter().any(closes), properties }
}

/// The property as an object to look into, unless it is none, decides a branch, or leads back to
/// where it lies.
fn inside<'s>(object: &Pending<'s>, property: Property<'s>) -> Option<Pending<'s>> {
    let mut around = object.around.clone();
    around.extend(object.schemas.iter().map(|place| place.node));
    let recursive =
        property.schemas.iter().any(|place| around.iter().any(|node| std::ptr::eq(*node, place.node)));
    let has_properties = property.schemas.iter().any(|place| place.node.get("properties").is_some());
    (has_properties && !recursive && !property.decides).then_some(Pending {
        at: property.at,
        schemas: property.schemas,
        around,
    })
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

    #[test]
    fn a_branch_may_decide_by_reference_and_from_inside() {
        let found = recipe(
            r##"{
                "properties": {
                    "mode": {"default": "a"},
                    "opts": {"properties": {"m": {"default": 1}}},
                    "free": {"properties": {"n": {"default": 1}}}
                },
                "oneOf": [{"$ref": "#/$defs/a"}, {"properties": {"opts": {"properties": {"m": {"const": 1}}}}}],
                "$defs": {"a": {"properties": {"mode": {"const": "a"}}}}
            }"##,
        );
        assert_eq!(found.defaults, [("/free/n".to_owned(), "1".to_owned())].into());
    }

    #[test]
    fn a_branch_that_counts_properties_keeps_every_default() {
        let check = |branch: &str| {
            let found = recipe(&format!(
                r#"{{"properties": {{"mode": {{"default": "a"}}}}, "anyOf": [{branch}, true]}}"#
            ));
            assert_eq!(found.defaults, [].into(), "{branch}");
        };
        check(r#"{"minProperties": 1}"#);
        check(r#"{"additionalProperties": false}"#);
        check(r#"{"not": {"patternProperties": {"^m": false}}}"#);
        check(r#"{"const": {}}"#);
    }
}
