//! A schema as it meets a value: together with everything it pulls in through `$ref` and `allOf`.
//!
//! A value must satisfy all parts of a view at once. So the type of any one part holds every valid
//! value, and whatever a type takes from several parts is a gain, never a need.

use std::collections::BTreeSet;

use forecheck_contract::json::Node;
use forecheck_spec::schema::{Place, ResourceId, Schemas};

use super::keywords::{self, Kinds};

/// Where a type comes from: a schema, and steps from there where one schema is several types.
#[derive(Debug, Clone)]
pub(super) struct Site<'s> {
    /// The schema.
    pub(super) place: Place<'s>,
    /// The steps.
    pub(super) path: Vec<Step>,
}

/// A step from a schema to a type inside it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Step {
    /// The word that the step adds to the name.
    pub(super) word: String,
    /// Which one it is, where several have the same word.
    pub(super) index: usize,
}

/// What tells sites apart: the address of the schema, and the steps. It has no order worth keeping.
pub(super) type Key = (usize, Vec<Step>);

impl<'s> Site<'s> {
    /// A schema that is one type.
    pub(super) fn of(place: Place<'s>) -> Self {
        Site { place, path: Vec::new() }
    }

    /// A type inside this one.
    pub(super) fn inner(&self, word: &str, index: usize) -> Self {
        let mut site = self.clone();
        site.path.push(Step { word: word.to_owned(), index });
        site
    }

    /// Whether another step would be one too many. Steps are taken where schemas meet; recursive
    /// schemas that meet would go on meeting for ever.
    pub(super) fn is_far(&self) -> bool {
        self.path.len() >= 2
    }

    /// What tells this site from others.
    pub(super) fn key(&self) -> Key {
        (address(self.place.node), self.path.clone())
    }
}

/// The identity of a schema.
pub(super) fn address(node: &Node<'_>) -> usize {
    std::ptr::from_ref(node).addr()
}

/// One schema of a view.
#[derive(Debug, Clone)]
pub(super) struct Part<'s> {
    /// The schema.
    pub(super) place: Place<'s>,
    /// What is to be made of its `oneOf` and `anyOf`.
    pub(super) alternatives: Alternatives<'s>,
}

/// What is to be made of the `oneOf` and `anyOf` of a part.
#[derive(Debug, Clone)]
pub(super) enum Alternatives<'s> {
    /// A union may be made of them.
    Open,
    /// They are left to the validator.
    Ignored,
    /// This is the view of one branch of its `oneOf`.
    Chosen(Place<'s>),
}

/// All schemas that a value must satisfy at one place.
#[derive(Debug, Clone)]
pub(super) struct View<'s> {
    /// Where the type comes from.
    pub(super) site: Site<'s>,
    /// The schemas.
    pub(super) parts: Vec<Part<'s>>,
    /// Whether a part is `false`.
    pub(super) never: bool,
    /// The member that tells variants apart, which is then no field.
    pub(super) tag: Option<&'s str>,
    /// The kinds of values that are looked at.
    pub(super) kinds: Kinds,
    /// The schemas that may describe what this is a view of, the best first.
    pub(super) describing: Vec<&'s Node<'s>>,
}

impl<'s> View<'s> {
    fn of_anything(site: Site<'s>) -> Self {
        let (parts, describing) = (Vec::new(), Vec::new());
        View { site, parts, never: false, tag: None, kinds: Kinds::ALL, describing }
    }

    /// The kinds of values that all parts allow.
    pub(super) fn allowed(&self) -> Kinds {
        if self.never {
            return Kinds::NONE;
        }
        self.nodes().map(kinds_of).fold(self.kinds, Kinds::and)
    }

    /// The schemas.
    pub(super) fn nodes(&self) -> impl Iterator<Item = &'s Node<'s>> {
        self.parts.iter().map(|part| part.place.node)
    }

    /// The values to which `enum` or `const` limit this view, those of a kind that is not allowed left out.
    pub(super) fn values(&self) -> Option<Vec<&'s Node<'s>>> {
        let lists = self.nodes().filter_map(|node| match node.get("const") {
            Some(value) => Some(std::slice::from_ref(value)),
            None => node.get("enum").and_then(Node::as_array),
        });
        let shortest = lists.min_by_key(|values| values.len())?;
        let allowed = self.allowed();
        Some(shortest.iter().filter(|value| Kinds::of_value(value).within(allowed)).collect())
    }

    /// The view of the same schemas without their `oneOf` and `anyOf`.
    pub(super) fn base(&self) -> View<'s> {
        let mut base = self.clone();
        base.parts.iter_mut().for_each(|part| part.alternatives = Alternatives::Ignored);
        base
    }
}

/// The views of a surface's schemas.
#[derive(Debug, Clone, Copy)]
pub(super) struct Views<'a, 's> {
    schemas: &'a Schemas<'s>,
}

impl<'a, 's> Views<'a, 's> {
    pub(super) fn new(schemas: &'a Schemas<'s>) -> Self {
        Views { schemas }
    }

    /// The view of the schema at `place`.
    pub(super) fn at(self, place: Place<'s>) -> View<'s> {
        let place = self.target(place);
        let gathered = self.gather(&place);
        let describing = vec![place.node];
        View {
            parts: gathered.parts,
            never: gathered.never,
            describing,
            ..View::of_anything(Site::of(place))
        }
    }

    /// The view of several schemas at once; `site` is where the type comes from, unless it is one of them.
    pub(super) fn together(self, places: Vec<Place<'s>>, site: impl FnOnce() -> Site<'s>) -> View<'s> {
        let mut views: Vec<View<'s>> = Vec::new();
        for view in places.into_iter().map(|place| self.at(place)) {
            let known = views.iter().any(|other| other.site.place == view.site.place);
            if !known && (view.never || !view.parts.is_empty()) {
                views.push(view);
            }
        }
        merged(views, site)
    }

    /// Follows `$ref` and a single `allOf` for as long as nothing else of the schema shapes a type.
    fn target(self, place: Place<'s>) -> Place<'s> {
        let mut seen = BTreeSet::new();
        let mut place = place;
        while seen.insert(address(place.node)) {
            match self.alias(&place) {
                Some(next) => place = next,
                None => break,
            }
        }
        place
    }

    fn alias(self, place: &Place<'s>) -> Option<Place<'s>> {
        let mut rest = keywords::shaping(place.node).filter(|keyword| *keyword != "type");
        let target = match (rest.next()?, rest.next()) {
            ("$ref", None) => self.referenced(place)?,
            ("allOf", None) => only_shaping_child(place)?,
            _ => return None,
        };
        let types = Kinds::of_type(place.node);
        let known = types == Kinds::ALL || self.kinds(&target).within(types);
        known.then_some(target)
    }

    /// The kinds that the schema at `place` and all it pulls in allow.
    fn kinds(self, place: &Place<'s>) -> Kinds {
        let gathered = self.gather(place);
        if gathered.never {
            return Kinds::NONE;
        }
        gathered.parts.iter().map(|part| kinds_of(part.place.node)).fold(Kinds::ALL, Kinds::and)
    }

    /// The schema that `$ref` names, if it is there.
    pub(super) fn referenced(self, place: &Place<'s>) -> Option<Place<'s>> {
        let reference = place.node.get("$ref")?.as_str()?;
        self.schemas.resolve(place.resource, reference).ok()
    }

    /// The schema at `place` and all it pulls in.
    pub(super) fn gather(self, place: &Place<'s>) -> Gathered<'s> {
        let mut gathered = Gathered::default();
        let mut seen = BTreeSet::new();
        let mut waiting = vec![place.clone()];
        while let Some(place) = waiting.pop() {
            if !seen.insert(address(place.node)) {
                continue;
            }
            gathered.never |= place.node.as_bool() == Some(false);
            waiting.extend(children(&place, "allOf").into_iter().rev());
            waiting.extend(self.referenced(&place));
            gathered.unresolved |= place.node.get("$ref").is_some() && self.referenced(&place).is_none();
            let shapes = keywords::shaping(place.node).any(|keyword| !matches!(keyword, "$ref" | "allOf"));
            if shapes {
                gathered.parts.push(Part { place: place.clone(), alternatives: Alternatives::Open });
            }
            gathered.all.push(place);
        }
        gathered
    }
}

/// The kinds that `type`, `enum` and `const` of one schema allow.
pub(super) fn kinds_of(schema: &Node<'_>) -> Kinds {
    let values = match (schema.get("const"), schema.get("enum").and_then(Node::as_array)) {
        (Some(value), _) => Kinds::of_value(value),
        (None, Some(values)) => values.iter().map(Kinds::of_value).fold(Kinds::NONE, Kinds::or),
        (None, None) => Kinds::ALL,
    };
    Kinds::of_type(schema).and(values)
}

/// What a schema pulls in.
#[derive(Debug, Default)]
pub(super) struct Gathered<'s> {
    /// The schemas with a keyword that shapes a type.
    pub(super) parts: Vec<Part<'s>>,
    /// All schemas.
    pub(super) all: Vec<Place<'s>>,
    /// Whether one is `false`.
    pub(super) never: bool,
    /// Whether a `$ref` leads nowhere.
    pub(super) unresolved: bool,
}

/// One view of what several say.
fn merged<'s>(mut views: Vec<View<'s>>, site: impl FnOnce() -> Site<'s>) -> View<'s> {
    let telling: Vec<Kinds> = views.iter().filter(|view| !is_type(view)).map(View::allowed).collect();
    views.retain(|view| !is_type(view) || !telling.iter().any(|kinds| kinds.within(view.allowed())));
    let site = site();
    if views.len() == 1 || site.is_far() {
        views.truncate(1);
        return views.pop().unwrap_or_else(|| View::of_anything(site));
    }
    let mut view = View::of_anything(site);
    for one in views {
        view.never |= one.never;
        view.parts.extend(one.parts);
        view.describing.extend(one.describing);
    }
    view
}

/// Whether a view says nothing beyond `type`.
fn is_type(view: &View<'_>) -> bool {
    !view.never && view.nodes().all(|node| keywords::shaping(node).all(|keyword| keyword == "type"))
}

/// The schemas in the array under `keyword`.
pub(super) fn children<'s>(place: &Place<'s>, keyword: &str) -> Vec<Place<'s>> {
    let nodes = keywords::list(place.node, keyword).iter().enumerate();
    nodes.map(|(index, node)| place.child(&[keyword, &index.to_string()], node)).collect()
}

/// The one schema under `allOf` that says anything about types.
fn only_shaping_child<'s>(place: &Place<'s>) -> Option<Place<'s>> {
    let mut telling = children(place, "allOf").into_iter().filter(|child| {
        child.node.as_bool() == Some(false) || keywords::shaping(child.node).next().is_some()
    });
    let first = telling.next()?;
    telling.next().is_none().then_some(first)
}

/// The schemas in shared resources to which a `$ref` leads from `roots`, through whatever keywords
/// shape types.
pub(super) fn shared_places<'s>(
    schemas: &Schemas<'s>,
    roots: impl Iterator<Item = Place<'s>>,
) -> Vec<Place<'s>> {
    let views = Views::new(schemas);
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    let mut waiting: Vec<(Place<'s>, bool)> = roots.map(|root| (root, false)).collect();
    while let Some((place, referenced)) = waiting.pop() {
        if referenced && super::is_shared(&place) {
            found.push(place.clone());
        }
        if seen.insert(address(place.node)) {
            waiting.extend(views.referenced(&place).map(|target| (target, true)));
            waiting.extend(inner(&place).into_iter().map(|inner| (inner, false)));
        }
    }
    found.sort_unstable_by(|a, b| order(a).cmp(&order(b)));
    found.dedup();
    found
}

fn order<'p>(place: &'p Place<'_>) -> (ResourceId<'p>, &'p str) {
    (place.resource.id, &place.pointer)
}

/// The schemas directly inside one, as far as they shape its type.
fn inner<'s>(place: &Place<'s>) -> Vec<Place<'s>> {
    let mut inner = Vec::new();
    for keyword in ["allOf", "anyOf", "oneOf", "prefixItems"] {
        inner.extend(children(place, keyword));
    }
    for keyword in ["additionalProperties", "items"] {
        inner.extend(place.node.get(keyword).map(|node| place.child(&[keyword], node)));
    }
    for keyword in ["patternProperties", "properties"] {
        let members = place.node.get(keyword).and_then(Node::as_object).unwrap_or_default();
        inner.extend(members.iter().map(|member| place.child(&[keyword, &member.name], &member.node)));
    }
    inner
}
