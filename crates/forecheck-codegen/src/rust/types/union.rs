//! `oneOf`, `anyOf` and several types: one of several shapes.

use std::collections::{BTreeMap, BTreeSet};

use forecheck_contract::json::Node;
use forecheck_spec::schema::Place;

use super::build::{self, Builder, Depth};
use super::keywords::{self, Kinds};
use super::object::Object;
use super::shape::{Body, Label, Shape, Tagged, Union, UnionReading, Variant, Word};
use super::view::{self, Alternatives, Site, View, children};

/// The most fields that the variants of one union may have in common: each variant repeats them.
const MAX_REPEATED: usize = 4_096;

/// The longest title that names a variant.
const MAX_TITLE: usize = 40;

/// A `oneOf` or `anyOf` of a view.
#[derive(Debug)]
pub(super) struct Choice<'s> {
    /// The part that has it.
    host: usize,
    /// Whether only one branch may hold.
    exclusive: bool,
    branches: Vec<Place<'s>>,
}

/// All that a view has to choose from.
pub(super) fn choices<'s>(view: &View<'s>) -> Vec<Choice<'s>> {
    let open =
        view.parts.iter().enumerate().filter(|(_, part)| matches!(part.alternatives, Alternatives::Open));
    let both = open.flat_map(|(host, part)| {
        [("oneOf", true), ("anyOf", false)].map(|(keyword, exclusive)| Choice {
            host,
            exclusive,
            branches: children(&part.place, keyword),
        })
    });
    both.filter(|choice| !choice.branches.is_empty()).collect()
}

/// What may become a variant.
#[derive(Debug)]
pub(super) struct Candidate<'s> {
    pub(super) word: String,
    pub(super) view: View<'s>,
}

impl<'s> Builder<'_, 's> {
    /// The shape of a choice; `None` when it adds nothing to what the rest of the view says.
    pub(super) fn union(&mut self, view: &View<'s>, choice: &Choice<'s>, depth: Depth) -> Option<Shape> {
        let base = view.base();
        let common: BTreeSet<&str> =
            base.nodes().flat_map(keywords::properties).map(|(name, _)| name).collect();
        let branches: Vec<View<'s>> =
            choice.branches.iter().map(|place| self.views.at(place.clone())).collect();
        let mut branches: Vec<(usize, View<'s>)> = branches.into_iter().enumerate().collect();
        branches.retain(|(_, branch)| !branch.never);
        let telling = branches.iter().all(|(_, branch)| adds(branch, &base, &common));
        if !telling || view.site.is_far() || common.len() * branches.len() > MAX_REPEATED {
            return None;
        }
        let candidates = branches.into_iter().map(|(index, branch)| {
            let word = word(choice.branches.get(index), &branch);
            let view = combined(&base, choice, index, branch, &word);
            Candidate { word, view }
        });
        let mut candidates: Vec<Candidate<'s>> = candidates.flat_map(by_kind).collect();
        candidates.retain(|candidate| !candidate.view.allowed().is_none());
        if let Some(shape) = self.known_words(view, &candidates) {
            return Some(shape);
        }
        Some(match self.tagged(view, &candidates, depth) {
            Some(shape) => shape,
            None => self.by_trial(view, candidates, depth),
        })
    }

    /// The shape of candidates that are all texts, each described where it stands.
    fn known_words(&mut self, view: &View<'s>, candidates: &[Candidate<'s>]) -> Option<Shape> {
        let mut words = Vec::new();
        let mut null = false;
        for candidate in candidates.iter().map(|candidate| &candidate.view) {
            if candidate.allowed() == Kinds::NULL {
                null = true;
                continue;
            }
            let values = candidate.values()?;
            let schemas = if values.len() == 1 { candidate.describing.clone() } else { Vec::new() };
            for value in values {
                match value.as_str() {
                    Some(text) => words.push(Word { text, schemas: schemas.clone() }),
                    None if Kinds::of_value(value) == Kinds::NULL => null = true,
                    None => return None,
                }
            }
        }
        (!words.is_empty()).then(|| self.words(view, words).nullable(null))
    }

    /// The shape of objects that one member tells apart.
    fn tagged(&mut self, view: &View<'s>, candidates: &[Candidate<'s>], depth: Depth) -> Option<Shape> {
        let is_null = |candidate: &&Candidate<'s>| candidate.view.allowed() == Kinds::NULL;
        let null = candidates.iter().any(|candidate| is_null(&candidate));
        let objects: Vec<&Candidate<'s>> = candidates.iter().filter(|one| !is_null(one)).collect();
        let tag = self.tag(&objects)?;
        let mut variants = Vec::new();
        for (index, (candidate, text)) in objects.into_iter().zip(tag.texts).enumerate() {
            let site = view.site.inner(text, index);
            let view = View { site, tag: Some(tag.name), ..candidate.view.clone() };
            let object = Object::of(self.views, &view);
            let empty = object.members.is_empty() && object.rest.is_none();
            let shape = if empty { None } else { Some(self.object(&view, depth.again())) };
            variants.push((Label::of(text, &candidate.view), shape));
        }
        let body = Body::Tagged(Tagged { tag: tag.name, variants });
        Some(self.own_item(view, body).nullable(null))
    }

    /// The member that tells objects apart, where there is one: required, and another text in each.
    fn tag(&self, objects: &[&Candidate<'s>]) -> Option<Tag<'s>> {
        let plain =
            |one: &&Candidate<'s>| one.view.allowed() == Kinds::OBJECT && choices(&one.view).is_empty();
        if objects.len() < 2 || !objects.iter().all(plain) {
            return None;
        }
        let texts: Vec<BTreeMap<&'s str, &'s str>> =
            objects.iter().map(|object| self.fixed_texts(&object.view)).collect();
        texts.first()?.keys().find_map(|name| {
            let texts: Vec<&'s str> = texts.iter().filter_map(|texts| texts.get(name).copied()).collect();
            let distinct: BTreeSet<&str> = texts.iter().copied().collect();
            (distinct.len() == objects.len()).then_some(Tag { name, texts })
        })
    }

    /// The members that every object of a view has with one text.
    fn fixed_texts(&self, view: &View<'s>) -> BTreeMap<&'s str, &'s str> {
        let members = Object::of(self.views, view).members.into_iter().filter(|member| member.required);
        let fixed = members.filter_map(|member| {
            let values = self.views.together(member.places, || view.site.clone()).values()?;
            match values.as_slice() {
                [value] => Some((member.name, value.as_str()?)),
                _ => None,
            }
        });
        fixed.collect()
    }

    /// The shape of whatever the candidates' shapes hold.
    pub(super) fn by_trial(
        &mut self,
        view: &View<'s>,
        candidates: Vec<Candidate<'s>>,
        depth: Depth,
    ) -> Shape {
        let mut null = false;
        let mut variants: Vec<Variant<'s>> = Vec::new();
        for Candidate { word, view } in candidates {
            let (nullable, shape) = self.shape(&view, depth.again()).without_null();
            null |= nullable;
            if let Some(shape) = shape {
                add_variant(&mut variants, Variant { label: Label::of(&word, &view), shape });
            }
        }
        if variants.iter().any(|variant| variant.shape == Shape::Any) {
            return Shape::Any;
        }
        let only = if variants.len() < 2 { variants.pop().map(|variant| variant.shape) } else { None };
        let shape = match only {
            Some(shape) => shape,
            None if variants.is_empty() => return if null { Shape::Null } else { Shape::Any },
            None => {
                let union = Union { variants, reading: UnionReading::ByTrial };
                self.own_item(view, Body::Union(union))
            }
        };
        shape.nullable(null)
    }
}

/// A candidate for several kinds of values as one for each, unless it is a type of its own.
fn by_kind(candidate: Candidate<'_>) -> Vec<Candidate<'_>> {
    let view = &candidate.view;
    let kinds = build::kinds(view.allowed());
    let one = kinds.len() < 2 || kinds == build::KINDS;
    if one || view.values().is_some() || !choices(view).is_empty() || definition(&view.site).is_some() {
        return vec![candidate];
    }
    let null = view.allowed().and(Kinds::NULL);
    let kinds = kinds.into_iter().chain((!null.is_none()).then_some(null));
    kinds.map(|kinds| Candidate::of_kind(view, kinds)).collect()
}

impl<'s> Candidate<'s> {
    /// The values of some kinds that a view has.
    pub(super) fn of_kind(view: &View<'s>, kinds: Kinds) -> Self {
        let word = kind_word(kinds);
        let site = view.site.inner(word, 0);
        Candidate { word: word.to_owned(), view: View { site, kinds, ..view.base() } }
    }
}

/// What a branch is called as a variant.
fn word(place: Option<&Place<'_>>, branch: &View<'_>) -> String {
    let own = place.and_then(|place| title(place.node));
    match (own.or_else(|| definition(&branch.site)), branch.parts.as_slice()) {
        (Some(word), _) => word,
        (None, [part]) => schema_word(part.place.node),
        (None, _) => kind_word(branch.allowed().without(Kinds::NULL)).to_owned(),
    }
}

/// What a schema is called as a variant: its title, the text that its objects always have, the one
/// member that they need, or else its kind.
pub(super) fn schema_word(schema: &Node<'_>) -> String {
    if let Some(title) = title(schema) {
        return title;
    }
    let required: BTreeSet<&str> = keywords::required(schema).collect();
    let fixed = keywords::properties(schema)
        .filter(|(name, _)| required.contains(name))
        .filter_map(|(name, property)| Some((name, property.get("const")?.as_str()?)))
        .min();
    let mut required = required.into_iter();
    match (fixed, required.next(), required.next()) {
        (Some((_, text)), ..) => text.to_owned(),
        (None, Some(only), None) => only.to_owned(),
        _ => match view::kinds_of(schema).without(Kinds::NULL) {
            Kinds::STRING if schema.get("enum").is_some() => "Known".to_owned(),
            kinds => kind_word(kinds).to_owned(),
        },
    }
}

/// What a variant for some kinds of values is called.
pub(super) fn kind_word(kinds: Kinds) -> &'static str {
    match kinds {
        Kinds::BOOL => "Boolean",
        Kinds::INTEGER => "Integer",
        Kinds::STRING => "String",
        Kinds::ARRAY => "Array",
        Kinds::OBJECT => "Object",
        kinds if !kinds.is_none() && kinds.within(Kinds::NUMBER) => "Number",
        _ => "Other",
    }
}

/// A member that tells objects apart.
struct Tag<'s> {
    name: &'s str,
    texts: Vec<&'s str>,
}

fn title(node: &Node<'_>) -> Option<String> {
    let title = node.get("title").and_then(Node::as_str)?.trim();
    (!title.is_empty() && title.len() <= MAX_TITLE).then(|| title.to_owned())
}

/// The key of a site under `$defs`.
pub(super) fn definition(site: &Site<'_>) -> Option<String> {
    let tokens = forecheck_contract::pointer::tokens(&site.place.pointer)?;
    match tokens.as_slice() {
        [.., keyword, key] if matches!(&**keyword, "$defs" | "definitions") => Some(key.clone().into_owned()),
        _ => None,
    }
}

/// Whether a branch says anything about types that the rest of its view does not say.
fn adds(branch: &View<'_>, base: &View<'_>, common: &BTreeSet<&str>) -> bool {
    branch.nodes().any(|node| {
        keywords::shaping(node).any(|keyword| match keyword {
            "$ref" | "allOf" | "required" => false,
            "type" => !base.allowed().within(Kinds::of_type(node)),
            "properties" => keywords::properties(node)
                .any(|(name, schema)| !common.contains(name) || keywords::shaping(schema).next().is_some()),
            _ => true,
        })
    })
}

/// The view of one branch together with all that holds beside it.
fn combined<'s>(
    base: &View<'s>,
    choice: &Choice<'s>,
    index: usize,
    branch: View<'s>,
    word: &str,
) -> View<'s> {
    let around = || {
        let keywords = base.nodes().flat_map(keywords::shaping);
        keywords.filter(|keyword| !matches!(*keyword, "$ref" | "allOf" | "oneOf" | "anyOf"))
    };
    let same_kinds = branch.allowed().within(base.allowed());
    if same_kinds && around().all(|keyword| keyword == "type") {
        return branch;
    }
    let describing = branch.describing;
    let mut view = View { site: base.site.inner(word, index), describing, ..base.clone() };
    if let (true, Some(place), Some(host)) =
        (choice.exclusive, choice.branches.get(index), view.parts.get_mut(choice.host))
    {
        host.alternatives = Alternatives::Chosen(place.clone());
    }
    view.parts.extend(branch.parts);
    view
}

/// Adds a variant, unless one that is there holds what it holds.
fn add_variant<'s>(variants: &mut Vec<Variant<'s>>, variant: Variant<'s>) {
    for known in variants.iter_mut() {
        match (&known.shape, &variant.shape) {
            (Shape::Number, Shape::Integer(_)) => return,
            (Shape::Integer(_), Shape::Number) => {
                *known = variant;
                return;
            }
            (Shape::Integer(one), Shape::Integer(other)) => {
                known.shape = one.covering(*other).map_or(Shape::Number, Shape::Integer);
                return;
            }
            (one, other) if one == other => return,
            _ => {}
        }
    }
    variants.push(variant);
}
