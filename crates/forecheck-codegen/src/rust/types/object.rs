//! What the parts of a view say together about an object.

use std::collections::{BTreeMap, BTreeSet};

use forecheck_spec::schema::Place;

use super::keywords;
use super::view::{Alternatives, Part, View, Views, address};

/// An object, as far as a type can say it.
#[derive(Debug, Clone)]
pub(super) struct Object<'s> {
    /// The members with a name, in the order of the schema.
    pub(super) members: Vec<Member<'s>>,
    /// The schemas of other members; `None` when there can be none.
    pub(super) rest: Option<Vec<Place<'s>>>,
}

/// A member with a name.
#[derive(Debug, Clone)]
pub(super) struct Member<'s> {
    /// Its name.
    pub(super) name: &'s str,
    /// Its schemas.
    pub(super) places: Vec<Place<'s>>,
    /// Whether every object has it.
    pub(super) required: bool,
}

impl<'s> Object<'s> {
    /// What `view` says about objects.
    pub(super) fn of(views: Views<'_, 's>, view: &View<'s>) -> Self {
        let mut members = named(view);
        let closed = view.parts.iter().filter_map(|part| allowed_names(views, view, part));
        let closed = closed.reduce(|one, other| &one & &other);
        if let Some(names) = &closed {
            members.retain(|member| names.contains(member.name));
        }
        members.retain(|member| view.tag != Some(member.name));
        let rest = closed.is_none().then(|| view.parts.iter().filter_map(rest).collect());
        Object { members, rest }
    }
}

/// The members that `properties` names, and where it names any, those that are only required.
fn named<'s>(view: &View<'s>) -> Vec<Member<'s>> {
    let mut members: Vec<Member<'s>> = Vec::new();
    let mut index: BTreeMap<&str, usize> = BTreeMap::new();
    for part in &view.parts {
        for (name, node) in keywords::properties(part.place.node) {
            let at = *index.entry(name).or_insert(members.len());
            if at == members.len() {
                members.push(Member { name, places: Vec::new(), required: false });
            }
            if let Some(member) = members.get_mut(at) {
                member.places.push(part.place.child(&["properties", name], node));
            }
        }
    }
    if members.is_empty() {
        return members;
    }
    for name in view.nodes().flat_map(keywords::required) {
        if let Some(member) = index.get(name).and_then(|at| members.get_mut(*at)) {
            member.required = true;
        } else {
            index.insert(name, members.len());
            members.push(Member { name, places: Vec::new(), required: true });
        }
    }
    members
}

/// The names that an object may have because of one part; `None` when that part sets no such limit,
/// or one that a list of names cannot say.
fn allowed_names<'s>(views: Views<'_, 's>, view: &View<'s>, part: &Part<'s>) -> Option<BTreeSet<&'s str>> {
    let schema = part.place.node;
    if keywords::forbids(schema, "additionalProperties") && keywords::patterns(schema).next().is_none() {
        return Some(keywords::properties(schema).map(|(name, _)| name).collect());
    }
    keywords::forbids(schema, "unevaluatedProperties")
        .then(|| evaluated(views, view, &part.place, &mut BTreeSet::new()))
        .flatten()
}

/// The members that the schema at `place` evaluates; `None` when that depends on the value. `open`
/// are the schemas whose `oneOf` is being looked into: one of them again would never end.
fn evaluated<'s>(
    views: Views<'_, 's>,
    view: &View<'s>,
    place: &Place<'s>,
    open: &mut BTreeSet<usize>,
) -> Option<BTreeSet<&'s str>> {
    let gathered = views.gather(place);
    if gathered.unresolved {
        return None;
    }
    let mut names = BTreeSet::new();
    for inner in &gathered.all {
        let schema = inner.node;
        let depends =
            ["anyOf", "if", "dependentSchemas", "patternProperties", "$dynamicRef", "$recursiveRef"];
        let allows = |keyword| schema.get(keyword).is_some() && !keywords::forbids(schema, keyword);
        if depends.iter().any(|keyword| schema.get(keyword).is_some())
            || allows("additionalProperties")
            || allows("unevaluatedProperties")
        {
            return None;
        }
        if schema.get("oneOf").is_some() {
            let branch = chosen(view, inner).filter(|_| open.insert(address(schema)))?;
            names.extend(evaluated(views, view, branch, open)?);
        }
        names.extend(keywords::properties(schema).map(|(name, _)| name));
    }
    Some(names)
}

/// The branch of the `oneOf` at `place` that `view` is about.
fn chosen<'v, 's>(view: &'v View<'s>, place: &Place<'s>) -> Option<&'v Place<'s>> {
    view.parts.iter().find(|part| part.place == *place).and_then(|part| match &part.alternatives {
        Alternatives::Chosen(branch) => Some(branch),
        Alternatives::Open | Alternatives::Ignored => None,
    })
}

/// The schema that one part has for the members that no part names.
fn rest<'s>(part: &Part<'s>) -> Option<Place<'s>> {
    let schema = part.place.node;
    let mut patterns = keywords::patterns(schema);
    let additional = schema.get("additionalProperties")?;
    match (additional.as_bool(), patterns.next(), patterns.next()) {
        (None, None, None) => Some(part.place.child(&["additionalProperties"], additional)),
        // Closed, so that all other names match the one pattern.
        (Some(false), Some((pattern, node)), None) => {
            Some(part.place.child(&["patternProperties", pattern], node))
        }
        _ => None,
    }
}
