//! The names of items: from the schema's key under `$defs`, or from the path that leads to it.

use forecheck_contract::json::Node;
use forecheck_contract::pointer;
use forecheck_spec::schema::{Place, Resource, ResourceId};

use super::super::names::{self, Case, Namespace, Wish};
use super::shape::ItemId;
use super::union;
use super::view::{Site, address};

/// A place whose name is given, and from which names of places below it are made.
#[derive(Debug, Clone)]
pub(super) struct Anchor {
    /// The identity of the resource's root.
    resource: usize,
    /// The pointer of the place.
    pointer: String,
    /// Its name.
    name: String,
}

impl Anchor {
    pub(super) fn new(place: &Place<'_>, name: &str) -> Self {
        Anchor {
            resource: address(place.resource.root),
            pointer: place.pointer.clone(),
            name: name.to_owned(),
        }
    }
}

/// What a name was made from: names of one source meet only each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Source {
    /// A key under `$defs`.
    Definition,
    /// A path.
    Path,
}

/// Gives each item a name; keys under `$defs` come first.
pub(super) fn assign(
    sites: &[(ItemId, &Site<'_>)],
    anchors: &[Anchor],
    scope: &mut Namespace,
) -> Vec<(ItemId, String)> {
    let wishes = sites.iter().map(|(id, site)| (*id, wish(site, anchors)));
    let wishes: Vec<(ItemId, (Source, Wish))> = wishes.collect();
    let mut names = Vec::new();
    for source in [Source::Definition, Source::Path] {
        let (ids, wishes): (Vec<ItemId>, Vec<Wish>) = wishes
            .iter()
            .filter(|(_, (own, _))| *own == source)
            .map(|(id, (_, wish))| (*id, wish.clone()))
            .unzip();
        names.extend(ids.into_iter().zip(scope.assign(Case::Camel, &wishes)));
    }
    names
}

/// The identifier that a site would like to have.
fn wish(site: &Site<'_>, anchors: &[Anchor]) -> (Source, Wish) {
    let place = &site.place;
    let anchor = anchors
        .iter()
        .filter(|anchor| anchor.resource == address(place.resource.root))
        .filter(|anchor| pointer::is_within(&place.pointer, &anchor.pointer))
        .max_by_key(|anchor| anchor.pointer.len());
    let resource = resource_name(place.resource);
    let (name, start) = match anchor {
        Some(anchor) => (anchor.name.clone(), anchor.pointer.as_str()),
        None => (resource.clone(), ""),
    };
    let (source, mut words) = path(place, start, name.clone());
    if anchor.is_some() && place.pointer == start && site.path.is_empty() {
        // The root's own name goes to an alias, such as one that allows `null` too.
        words.push("Value".to_owned());
    }
    words.extend(site.path.iter().map(|step| step.word.clone()));
    let source = if site.path.is_empty() { source } else { Source::Path };
    let parts: Vec<&str> = words.iter().map(String::as_str).collect();
    let steps: Vec<String> = site.path.iter().map(|step| format!("#{}/{}", step.word, step.index)).collect();
    let owner = if resource.is_empty() { name } else { resource };
    let identity = format!("{owner}{}{}", place.pointer, steps.concat());
    let longer: Vec<&str> = std::iter::once(owner.as_str()).chain(parts.iter().copied()).collect();
    let longer = (source == Source::Definition).then(|| names::type_name_of(&longer));
    (source, Wish { ident: names::type_name_of(&parts), longer, name: identity })
}

/// What a shared resource is called.
fn resource_name(resource: Resource<'_>) -> String {
    match resource.id {
        ResourceId::Own => String::new(),
        ResourceId::Common => "common".to_owned(),
        ResourceId::Defs(name) => name.to_owned(),
    }
}

/// The words of a place: the name where it starts, and what each step adds. A key under `$defs`
/// starts anew.
fn path(place: &Place<'_>, start: &str, name: String) -> (Source, Vec<String>) {
    let mut words = vec![name];
    let mut source = Source::Definition;
    let below = place.pointer.get(start.len()..).unwrap_or_default();
    let tokens = pointer::tokens(below).unwrap_or_default();
    let mut node = place.resource.root.at(start);
    let mut tokens = tokens.into_iter();
    while let Some(keyword) = tokens.next() {
        node = node.and_then(|node| child(node, &keyword));
        let takes_key = TAKING_A_KEY.contains(&&*keyword);
        let key = if takes_key { tokens.next() } else { None };
        node = match &key {
            Some(key) => node.and_then(|node| child(node, key)),
            None => node,
        };
        source = Source::Path;
        if let ("$defs" | "definitions", Some(key)) = (&*keyword, &key) {
            source = Source::Definition;
            words.clear();
            words.push(key.clone().into_owned());
        } else {
            words.extend(word(&keyword, key.as_deref(), node));
        }
    }
    (source, words)
}

/// Keywords whose value holds schemas by name or index.
const TAKING_A_KEY: &[&str] = &[
    "$defs",
    "allOf",
    "anyOf",
    "definitions",
    "dependentSchemas",
    "oneOf",
    "patternProperties",
    "prefixItems",
    "properties",
];

/// What a step through a keyword adds to a name.
fn word(keyword: &str, key: Option<&str>, node: Option<&Node<'_>>) -> Option<String> {
    match (keyword, key) {
        ("properties", Some(key)) => Some(key.to_owned()),
        ("items", _) => Some("Item".to_owned()),
        ("prefixItems", Some(index)) => {
            Some(format!("Item{}", index.parse::<usize>().unwrap_or_default() + 1))
        }
        ("oneOf" | "anyOf", Some(_)) => node.map(union::schema_word),
        ("additionalProperties" | "patternProperties", _) => Some("Value".to_owned()),
        ("allOf", _) => None,
        (keyword, key) => Some(key.unwrap_or(keyword).to_owned()),
    }
}

fn child<'n, 's>(node: &'n Node<'s>, token: &str) -> Option<&'n Node<'s>> {
    match node.as_array() {
        Some(items) => items.get(pointer::index(token)?),
        None => node.get(token),
    }
}
