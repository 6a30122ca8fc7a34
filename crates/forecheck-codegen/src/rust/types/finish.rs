//! From items to the text of a module.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::TokenStream;

use super::super::names::{self, Namespace};
use super::build::{self, Builder};
use super::emit::Emitter;
use super::naming::{self, Anchor};
use super::reading::Reading;
use super::shape::{Body, Item, ItemId, Shape};
use super::view::{Key, Site};
use super::{Module, Root, arrange, limit, union};

/// The items of a module, with their names.
#[derive(Debug, Default)]
pub(super) struct Finished<'s> {
    /// All items; those without a name are not needed.
    pub(super) items: Vec<Item<'s>>,
    /// Names, by item.
    pub(super) names: BTreeMap<ItemId, String>,
    /// The items that stand first, in this order.
    first: Vec<ItemId>,
    /// What is said of roots that no schema describes.
    abouts: BTreeMap<ItemId, String>,
    notes: BTreeSet<String>,
}

/// What other modules know of the module `shared`.
#[derive(Debug, Default)]
pub(super) struct Known<'s> {
    /// Its items.
    pub(super) finished: Finished<'s>,
    /// How deep each nests.
    pub(super) heights: Vec<usize>,
    /// The shapes of its sites, as others see them.
    pub(super) shapes: BTreeMap<Key, Shape>,
}

/// Gives roots their names, cuts what nests too deep, and names the rest. `others` are items that
/// are needed although no root leads to them.
pub(super) fn finish<'s>(
    builder: Builder<'_, 's>,
    roots: &[(&Root<'s>, Shape)],
    others: Vec<ItemId>,
    shared: &Known<'s>,
    taken: &[&str],
) -> Finished<'s> {
    let Builder { mut items, mut notes, .. } = builder;
    let names = root_items(&mut items, roots);
    let first: Vec<ItemId> = names.iter().map(|(id, _)| *id).collect();
    let abouts = first.iter().copied().zip(roots.iter().map(|(root, _)| root.about.clone())).collect();
    let all: Vec<ItemId> = first.iter().copied().chain(others).collect();
    let cut = limit::cut(&mut items, &all, &shared.heights);
    let needed = arrange::reachable(&items, &all);
    for item in cut.iter().filter(|id| needed.contains(id)).filter_map(|id| items.get(*id)) {
        let what =
            format!("nests deeper than {} levels or leads back, so any value is read there", limit::LIMIT);
        notes.insert(build::note(&item.site.place, &what));
    }
    arrange::unions(&mut items, &shared.finished.items);
    let names = all_names(&items, names, needed, roots, taken);
    Finished { items, names, first, abouts, notes }
}

/// The item of each root: the one that it leads to, where that has no other name yet, or an alias.
fn root_items<'s>(items: &mut Vec<Item<'s>>, roots: &[(&Root<'s>, Shape)]) -> Vec<(ItemId, String)> {
    let mut named: Vec<(ItemId, String)> = Vec::new();
    for (root, shape) in roots {
        let own = match shape {
            Shape::Item(id) if !named.iter().any(|(other, _)| other == id) => {
                items.get(*id).filter(|item| is_named_like(item, root)).map(|_| *id)
            }
            _ => None,
        };
        let id = own.unwrap_or_else(|| {
            items.push(Item {
                site: Site::of(root.place.clone()),
                schemas: vec![root.place.node],
                body: Body::Alias(shape.clone()),
            });
            items.len() - 1
        });
        named.push((id, root_name(root)));
    }
    named
}

/// The name of a root. What is no identifier would end in a panic when it is written.
fn root_name(root: &Root<'_>) -> String {
    if names::is_identifier(&root.name) { root.name.clone() } else { names::type_name(&root.name) }
}

/// Whether the name of `root` is also that of the item: because it stands there, or by chance.
fn is_named_like(item: &Item<'_>, root: &Root<'_>) -> bool {
    let key = union::definition(&item.site).map(|key| names::type_name(&key));
    item.site.path.is_empty() && (item.site.place == root.place || key.as_ref() == Some(&root.name))
}

fn all_names(
    items: &[Item<'_>],
    roots: Vec<(ItemId, String)>,
    needed: BTreeSet<ItemId>,
    places: &[(&Root<'_>, Shape)],
    taken: &[&str],
) -> BTreeMap<ItemId, String> {
    let anchors: Vec<Anchor> = places.iter().map(|(root, _)| Anchor::new(&root.place, &root.name)).collect();
    let mut scope = Namespace::new(taken.iter().copied().chain(roots.iter().map(|(_, name)| name.as_str())));
    let mut names: BTreeMap<ItemId, String> = roots.into_iter().collect();
    let others = needed.into_iter().filter(|id| !names.contains_key(id));
    let sites: Vec<(ItemId, &Site<'_>)> =
        others.filter_map(|id| items.get(id).map(|item| (id, &item.site))).collect();
    names.extend(naming::assign(&sites, &anchors, &mut scope));
    names
}

impl Finished<'_> {
    /// The text of the module: roots as they were given, and then everything else by name. `wanted`
    /// are pointers into the first root.
    pub(super) fn module(&self, shared: &Finished<'_>, wanted: &[&str]) -> Module {
        let mut emitter = Emitter {
            names: &self.names,
            abouts: &self.abouts,
            shared: &shared.names,
            boxes: arrange::boxes(&self.items, &self.names),
            reading: Reading::default(),
        };
        let mut order: Vec<(&String, ItemId)> = self.names.iter().map(|(id, name)| (name, *id)).collect();
        order.sort_unstable();
        let rest = order.into_iter().map(|(_, id)| id).filter(|id| !self.first.contains(id));
        let ids = self.first.iter().copied().chain(rest);
        let items: TokenStream =
            ids.filter_map(|id| self.items.get(id).map(|item| emitter.item(id, item))).collect();
        let reached = wanted.iter().filter_map(|pointer| {
            let reached = self.reach(shared, &emitter, *self.first.first()?, pointer)?;
            Some(((*pointer).to_owned(), reached))
        });
        let reached = reached.collect();
        Module { items, notes: self.notes.iter().cloned().collect(), reading: emitter.reading, reached }
    }

    /// The shapes of a builder's sites as other modules see them: those whose items all have names.
    pub(super) fn seen_from_outside(&self, shapes: BTreeMap<Key, Shape>) -> BTreeMap<Key, Shape> {
        let seen = shapes.into_iter().filter_map(|(key, shape)| {
            let mut named = true;
            shape.each_item(&mut |id| named &= self.names.contains_key(&id));
            named.then(|| (key, outside(&shape)))
        });
        seen.collect()
    }
}

/// The shape with items of the module `shared` in the place of its own.
fn outside(shape: &Shape) -> Shape {
    match shape {
        Shape::Item(id) => Shape::Shared(*id),
        Shape::List(inner) => Shape::List(Box::new(outside(inner))),
        Shape::Map(inner) => Shape::Map(Box::new(outside(inner))),
        Shape::Tuple(inner) => Shape::Tuple(inner.iter().map(outside).collect()),
        Shape::Nullable(inner) => Shape::Nullable(Box::new(outside(inner))),
        Shape::Any
        | Shape::Null
        | Shape::Bool
        | Shape::Integer(_)
        | Shape::Number
        | Shape::Text
        | Shape::Shared(_) => shape.clone(),
    }
}
