//! What can be decided once all items are known: how unions are read, and where boxes are needed.

use std::collections::{BTreeMap, BTreeSet};

use super::shape::{Body, Item, ItemId, Shape, UnionReading, Variant};

/// The items that a shape may name.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known<'a, 's> {
    /// Those of this module.
    pub(super) own: &'a [Item<'s>],
    /// Those of the module `shared`.
    pub(super) shared: &'a [Item<'s>],
}

/// The kinds of JSON values that a variant can be told by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    // INVARIANT: arrays come first and objects next. serde reads a struct from an array and an enum
    // of texts from an object too, so a variant must be tried after those whose kinds it also takes.
    Array,
    Object,
    Bool,
    Number,
    Text,
    Null,
    Several,
}

/// Decides the order and the reading of all unions.
pub(super) fn unions(items: &mut [Item<'_>], shared: &[Item<'_>]) {
    let own = items.to_vec();
    let known = Known { own: &own, shared };
    for item in items {
        if let Body::Union(union) = &mut item.body {
            let mut kinds: Vec<Kind> =
                union.variants.iter().map(|variant| kind(&variant.shape, known)).collect();
            kinds.sort_unstable();
            let apart =
                !kinds.contains(&Kind::Several) && kinds.windows(2).all(|pair| pair.first() != pair.last());
            union.reading = if apart { UnionReading::ByKind } else { UnionReading::ByTrial };
            union.variants.sort_by_key(|variant| rank(variant, known));
        }
    }
}

/// Where a variant is tried: first what holds the least.
fn rank(variant: &Variant<'_>, known: Known<'_, '_>) -> (Kind, usize, usize) {
    let kind = kind(&variant.shape, known);
    let width = match body(&variant.shape, known) {
        Some(Body::Struct(body)) => {
            let optional = body.fields.iter().filter(|field| !field.required).count();
            let required = body.fields.len() - optional;
            return (kind, usize::from(body.rest.is_some()), usize::MAX - required);
        }
        Some(Body::Words(_)) => 0,
        Some(Body::Pending | Body::Tagged(_) | Body::Union(_) | Body::Wrapper(_) | Body::Alias(_)) => 1,
        None => 2,
    };
    (kind, width, 0)
}

fn body<'a, 's>(shape: &Shape, known: Known<'a, 's>) -> Option<&'a Body<'s>> {
    let item = match shape {
        Shape::Item(id) => known.own.get(*id),
        Shape::Shared(id) => known.shared.get(*id),
        Shape::Any
        | Shape::Null
        | Shape::Bool
        | Shape::Integer(_)
        | Shape::Number
        | Shape::Text
        | Shape::List(_)
        | Shape::Tuple(_)
        | Shape::Map(_)
        | Shape::Nullable(_) => None,
    };
    item.map(|item| &item.body)
}

fn kind(shape: &Shape, known: Known<'_, '_>) -> Kind {
    match shape {
        Shape::Any | Shape::Nullable(_) => Kind::Several,
        Shape::Null => Kind::Null,
        Shape::Bool => Kind::Bool,
        Shape::Integer(_) | Shape::Number => Kind::Number,
        Shape::Text => Kind::Text,
        Shape::List(_) | Shape::Tuple(_) => Kind::Array,
        Shape::Map(_) => Kind::Object,
        Shape::Item(_) | Shape::Shared(_) => match body(shape, known) {
            Some(Body::Struct(_) | Body::Tagged(_)) => Kind::Object,
            Some(Body::Words(_)) => Kind::Text,
            Some(Body::Pending | Body::Union(_) | Body::Wrapper(_) | Body::Alias(_)) | None => Kind::Several,
        },
    }
}

/// The items that are reachable from `roots`.
pub(super) fn reachable(items: &[Item<'_>], roots: &[ItemId]) -> BTreeSet<ItemId> {
    let mut found = BTreeSet::new();
    let mut waiting = roots.to_vec();
    while let Some(id) = waiting.pop() {
        if found.insert(id)
            && let Some(item) = items.get(id)
        {
            item.body.each_shape(|shape| shape.each_item(&mut |id| waiting.push(id)));
        }
    }
    found
}

/// The pairs of items of which the first must hold the second in a box, because the second leads
/// back to it. Items are visited in the order of their names, so that only names decide.
pub(super) fn boxes(items: &[Item<'_>], names: &BTreeMap<ItemId, String>) -> BTreeSet<(ItemId, ItemId)> {
    let mut order: Vec<(&String, ItemId)> = names.iter().map(|(id, name)| (name, *id)).collect();
    order.sort_unstable();
    let mut search = Search { items, names, state: BTreeMap::new(), boxes: BTreeSet::new() };
    for (_, id) in order {
        search.visit(id);
    }
    search.boxes
}

struct Search<'a, 's> {
    items: &'a [Item<'s>],
    names: &'a BTreeMap<ItemId, String>,
    /// Whether an item that was visited is still open.
    state: BTreeMap<ItemId, bool>,
    boxes: BTreeSet<(ItemId, ItemId)>,
}

impl Search<'_, '_> {
    // The depth of this recursion is bounded by `limit`.
    fn visit(&mut self, id: ItemId) {
        if self.state.contains_key(&id) {
            return;
        }
        self.state.insert(id, true);
        for held in self.held(id) {
            if self.state.get(&held) == Some(&true) {
                self.boxes.insert((id, held));
            } else {
                self.visit(held);
            }
        }
        self.state.insert(id, false);
    }

    /// The items that one holds in place, by name.
    fn held(&self, id: ItemId) -> Vec<ItemId> {
        let mut held = BTreeSet::new();
        if let Some(item) = self.items.get(id) {
            item.body.each_shape(|shape| {
                shape.each_held_item(&mut |id| {
                    held.insert((self.names.get(&id), id));
                });
            });
        }
        held.into_iter().map(|(_, id)| id).collect()
    }
}
