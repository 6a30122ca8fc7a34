//! Rust types from JSON Schema.
//!
//! A type never refuses what its schema accepts, and loses nothing of it: reading a valid value and
//! writing it again gives the same canonical JSON. What Rust cannot say is left to the validator,
//! and where in doubt a type is wider, down to [`serde_json::Value`].
//!
//! A schema is looked at as a view (`view`) of all schemas that hold at one place. Views become
//! shapes (`build`, `object`, `union`), shapes that nest too deep are cut (`limit`), items get
//! names (`naming`), and are written (`emit`, `docs`, `reading`).

mod arrange;
mod build;
pub(super) mod docs;
mod emit;
mod finish;
mod graph;
mod keywords;
mod limit;
mod naming;
mod object;
mod reach;
mod reading;
mod shape;
mod union;
mod view;

use std::collections::{BTreeMap, BTreeSet};

use forecheck_spec::schema::{Place, ResourceId, Schemas};
use proc_macro2::TokenStream;

use build::Builder;
use finish::{Known, finish};
pub use reach::Reached;
pub use reading::Reading;
use shape::{ItemId, Shape};

/// A type that a module must have under a given name.
#[derive(Debug, Clone)]
pub struct Root<'s> {
    /// The name: an identifier of a type, as [`type_name`](super::names::type_name) makes them.
    pub name: String,
    /// What its documentation says where the schema says nothing.
    pub about: String,
    /// The schema.
    pub place: Place<'s>,
}

/// The types of one module: the roots and everything they need.
#[derive(Debug, Clone)]
pub struct Module {
    /// The types. Nothing needs to be imported.
    pub items: TokenStream,
    /// What the types do not say although the schemas do.
    pub notes: Vec<String>,
    /// The functions that the types need in the module `reading` beside their own.
    pub reading: Reading,
    /// The way to each value that was asked for and that has a field of its own, by pointer.
    pub reached: BTreeMap<String, Reached>,
}

/// The types of the schemas in `_common` and `defs/`, each emitted once, in the module `shared`, and
/// named from the modules of verbs as `super::shared::Name`.
#[derive(Debug, Default)]
pub struct Shared<'s> {
    known: Known<'s>,
}

impl<'s> Shared<'s> {
    /// The types of all schemas in shared resources to which a `$ref` leads from one of `roots`.
    pub fn collect(schemas: &Schemas<'s>, roots: impl Iterator<Item = Place<'s>>) -> Self {
        let mut builder = Builder::new(schemas, None);
        let mut needed: BTreeSet<ItemId> = BTreeSet::new();
        for place in view::shared_places(schemas, roots) {
            builder.root(&place).each_item(&mut |id| {
                needed.insert(id);
            });
        }
        let shapes = builder.shapes();
        let finished = finish(builder, &[], needed.into_iter().collect(), &Known::default(), &[]);
        let shapes = finished.seen_from_outside(shapes);
        Shared { known: Known { heights: limit::heights(&finished.items), shapes, finished } }
    }

    /// The module `shared`, if it holds any type.
    pub fn module(&self) -> Option<Module> {
        let finished = &self.known.finished;
        (!finished.names.is_empty()).then(|| finished.module(finished, &[]))
    }
}

/// The types of one module. `taken` are the names of types that the module has beside them, `wanted`
/// the pointers of values inside the first root that code wants to reach.
pub fn module<'s>(
    schemas: &Schemas<'s>,
    shared: &Shared<'s>,
    roots: &[Root<'s>],
    taken: &[&str],
    wanted: &[&str],
) -> Module {
    let mut builder = Builder::new(schemas, Some(&shared.known.shapes));
    let roots: Vec<(&Root<'s>, Shape)> = roots.iter().map(|root| (root, builder.root(&root.place))).collect();
    let finished = finish(builder, &roots, Vec::new(), &shared.known, taken);
    finished.module(&shared.known.finished, wanted)
}

/// Whether a place is in a resource that several verbs share.
fn is_shared(place: &Place<'_>) -> bool {
    match place.resource.id {
        ResourceId::Own => false,
        ResourceId::Common | ResourceId::Defs(_) => true,
    }
}
