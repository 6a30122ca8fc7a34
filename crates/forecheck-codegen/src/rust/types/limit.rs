//! How deep types may nest.
//!
//! To know whether a type may be sent to another thread rustc walks through all types inside it,
//! down every path that does not meet itself, and gives up at a depth of 128; an `Option<Box<_>>`
//! alone costs six. So what lies deeper than [`LIMIT`] arrays and objects below a root is read as
//! any value, and groups of types that lead to each other are kept only where they are small.

use super::graph::{self, Edges};
use super::shape::{Body, Item, ItemId, Shape};

/// The most arrays and objects around a typed value.
pub(super) const LIMIT: usize = 24;

/// What a map counts for: it costs rustc a depth of ten, three times as much as a list.
const MAP: usize = 2;

/// The largest group of types that lead to each other and stay as they are.
const MAX_GROUP: usize = 6;

/// Cuts what lies too deep below `roots`, which are items of the module. `heights` are those of the
/// items of the module `shared`. Gives the items in which something was cut.
pub(super) fn cut(items: &mut [Item<'_>], roots: &[ItemId], heights: &[usize]) -> Vec<ItemId> {
    let mut cut = open_large_groups(items, roots);
    let groups = graph::groups(&edges(items));
    let mut cutter = Cutter {
        group_of: group_of(&groups, items.len()),
        levels: (0..items.len()).map(|id| roots.contains(&id).then_some(0)).collect(),
        words: items.iter().map(|item| matches!(item.body, Body::Words(_))).collect(),
        groups: &groups,
        heights,
    };
    for group in &groups {
        cut.extend(cutter.group(items, group));
    }
    cut
}

fn edges(items: &[Item<'_>]) -> Edges {
    let of = |item: &Item<'_>| {
        let mut ids = Vec::new();
        item.body.each_shape(|shape| shape.each_item(&mut |id| ids.push(id)));
        ids.sort_unstable();
        ids.dedup();
        ids
    };
    items.iter().map(of).collect()
}

/// Large groups lose the ways back: those to items that are at most as far from a root.
fn open_large_groups(items: &mut [Item<'_>], roots: &[ItemId]) -> Vec<ItemId> {
    let edges = edges(items);
    let distances = graph::distances(&edges, roots);
    let groups = graph::groups(&edges);
    let group_of = group_of(&groups, items.len());
    let mut cut = Vec::new();
    for &id in groups.iter().filter(|group| group.len() > MAX_GROUP).flatten() {
        let Some(item) = items.get_mut(id) else { continue };
        let is_back = |to: ItemId| {
            to != id && group_of.get(to) == group_of.get(id) && distances.get(to) <= distances.get(id)
        };
        let changed = change(&mut item.body, |shape| without(shape, &is_back));
        cut.extend(changed.then_some(id));
    }
    cut
}

/// The shape with any value in the place of some items.
fn without(shape: &Shape, gone: &impl Fn(ItemId) -> bool) -> Shape {
    match shape {
        Shape::Item(id) if gone(*id) => Shape::Any,
        Shape::List(inner) => Shape::List(Box::new(without(inner, gone))),
        Shape::Map(inner) => Shape::Map(Box::new(without(inner, gone))),
        Shape::Tuple(inner) => Shape::Tuple(inner.iter().map(|inner| without(inner, gone)).collect()),
        Shape::Nullable(inner) => without(inner, gone).nullable(true),
        Shape::Any
        | Shape::Null
        | Shape::Bool
        | Shape::Integer(_)
        | Shape::Number
        | Shape::Text
        | Shape::Item(_)
        | Shape::Shared(_) => shape.clone(),
    }
}

/// Changes the shapes of an item; false when they are as they were.
fn change(body: &mut Body<'_>, mut new: impl FnMut(&Shape) -> Shape) -> bool {
    let mut changed = false;
    body.each_shape_mut(|shape| {
        let new = new(shape);
        changed |= new != *shape;
        *shape = new;
    });
    changed
}

/// The group of each item.
fn group_of(groups: &[Vec<ItemId>], items: usize) -> Vec<usize> {
    let mut group_of = vec![0; items];
    for (index, id) in
        groups.iter().enumerate().flat_map(|(index, group)| group.iter().map(move |id| (index, id)))
    {
        if let Some(known) = group_of.get_mut(*id) {
            *known = index;
        }
    }
    group_of
}

/// How many arrays and objects nest inside each item, once too deep ones are cut.
pub(super) fn heights(items: &[Item<'_>]) -> Vec<usize> {
    let mut heights = vec![0; items.len()];
    for group in graph::groups(&edges(items)).into_iter().rev() {
        let inside = group.iter().filter_map(|id| items.get(*id)).map(|item| {
            let mut height = 0;
            item.body.each_shape(|shape| height = height.max(1 + shape_height(shape, &heights)));
            height
        });
        let height = inside.max().unwrap_or_default() + weight(group.len());
        for id in group {
            if let Some(known) = heights.get_mut(id) {
                *known = height;
            }
        }
    }
    heights
}

fn shape_height(shape: &Shape, heights: &[usize]) -> usize {
    match shape {
        Shape::Item(id) => heights.get(*id).copied().unwrap_or_default(),
        Shape::Nullable(inner) => shape_height(inner, heights),
        Shape::Map(inner) => MAP + shape_height(inner, heights),
        other => other.inner().iter().map(|inner| 1 + shape_height(inner, heights)).max().unwrap_or_default(),
    }
}

/// What a group of types that lead to each other counts for, above a single one.
fn weight(size: usize) -> usize {
    2 * size.saturating_sub(1)
}

/// Goes through the groups, each before those it leads to.
struct Cutter<'a> {
    groups: &'a [Vec<ItemId>],
    group_of: Vec<usize>,
    /// How deep each item is, at its deepest; `None` when no root leads to it.
    levels: Vec<Option<usize>>,
    /// Which items are enums of texts, and so end every path.
    words: Vec<bool>,
    heights: &'a [usize],
}

impl Cutter<'_> {
    fn group(&mut self, items: &mut [Item<'_>], group: &[ItemId]) -> Vec<ItemId> {
        let mut cut = Vec::new();
        let Some(deepest) = group.iter().filter_map(|id| self.levels.get(*id).copied().flatten()).max()
        else {
            return cut;
        };
        let level = deepest + weight(group.len());
        for id in group {
            if let Some(item) = items.get_mut(*id) {
                let own = self.group_of.get(*id).copied().unwrap_or_default();
                let changed = change(&mut item.body, |shape| self.shape(shape, level + 1, own));
                cut.extend(changed.then_some(*id));
            }
        }
        cut
    }

    /// What is left of a shape at `level`, inside an item of the group `own`.
    fn shape(&mut self, shape: &Shape, level: usize, own: usize) -> Shape {
        match shape {
            Shape::Item(id) => self.item(*id, level, own),
            Shape::Shared(id) if level + self.heights.get(*id).copied().unwrap_or_default() > LIMIT => {
                Shape::Any
            }
            Shape::Map(_) if level + MAP - 1 > LIMIT => Shape::Any,
            Shape::List(_) | Shape::Tuple(_) if level > LIMIT => Shape::Any,
            Shape::List(inner) => Shape::List(Box::new(self.shape(inner, level + 1, own))),
            Shape::Map(inner) => Shape::Map(Box::new(self.shape(inner, level + MAP, own))),
            Shape::Tuple(inner) => {
                Shape::Tuple(inner.iter().map(|inner| self.shape(inner, level + 1, own)).collect())
            }
            Shape::Nullable(inner) => self.shape(inner, level, own).nullable(true),
            Shape::Any
            | Shape::Null
            | Shape::Bool
            | Shape::Integer(_)
            | Shape::Number
            | Shape::Text
            | Shape::Shared(_) => shape.clone(),
        }
    }

    fn item(&mut self, id: ItemId, level: usize, own: usize) -> Shape {
        let group = self.group_of.get(id).copied().unwrap_or_default();
        let size = self.groups.get(group).map_or(1, Vec::len);
        let is_leaf = self.words.get(id) == Some(&true);
        if !is_leaf && group != own && level + weight(size) > LIMIT {
            return Shape::Any;
        }
        if let Some(known) = self.levels.get_mut(id)
            && group != own
        {
            *known = (*known).max(Some(level));
        }
        Shape::Item(id)
    }
}
