//! How code reaches a value inside a type, by the value's JSON Pointer.

use forecheck_contract::pointer;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::super::names::Namespace;
use super::emit::Emitter;
use super::finish::Finished;
use super::shape::{Body, Field, ItemId, Shape};

/// The way from a value to one inside it.
#[derive(Debug, Clone)]
pub struct Reached {
    steps: Vec<Step>,
    kind: Kind,
    of: TokenStream,
    local: bool,
    default: Option<TokenStream>,
}

/// A field on the way.
#[derive(Debug, Clone)]
struct Step {
    ident: Ident,
    /// Whether it is an `Option`.
    optional: bool,
    /// Whether a box is around its value.
    boxed: bool,
}

/// How a value is passed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// As a copy.
    Copy,
    /// As a `&str`.
    Text,
    /// As a slice.
    List,
    /// As a reference.
    Other,
}

impl Reached {
    /// Whether the type belongs to the module of its verb.
    pub fn is_local(&self) -> bool {
        self.local
    }

    /// The type of a parameter that takes the value.
    pub fn parameter(&self) -> TokenStream {
        let of = &self.of;
        let plain = match self.kind {
            Kind::Copy => quote!(#of),
            Kind::Text => quote!(&str),
            Kind::List => quote!(&[#of]),
            Kind::Other => quote!(&#of),
        };
        let optional = self.default.is_none() && self.steps.iter().any(|step| step.optional);
        if optional { quote!(Option<#plain>) } else { plain }
    }

    /// The value inside `whole`, as the parameter takes it.
    pub fn argument(&self, whole: &TokenStream) -> TokenStream {
        if let [Step { ident, optional: true, boxed: false }] = self.steps.as_slice() {
            let value = match self.kind {
                Kind::Copy => quote!(#whole.#ident),
                Kind::Text | Kind::List => quote!(#whole.#ident.as_deref()),
                Kind::Other => quote!(#whole.#ident.as_ref()),
            };
            return match &self.default {
                Some(default) => quote!(#value.unwrap_or(#default)),
                None => value,
            };
        }
        let mut path = whole.clone();
        let mut optional = false;
        for step in &self.steps {
            let Step { ident, boxed, .. } = step;
            path = match (optional, step.optional) {
                (false, false) => quote!(#path.#ident),
                (false, true) if *boxed => quote!(#path.#ident.as_deref()),
                (false, true) => quote!(#path.#ident.as_ref()),
                (true, false) if *boxed => quote!(#path.map(|value| &*value.#ident)),
                (true, false) => quote!(#path.map(|value| &value.#ident)),
                (true, true) if *boxed => quote!(#path.and_then(|value| value.#ident.as_deref())),
                (true, true) => quote!(#path.and_then(|value| value.#ident.as_ref())),
            };
            optional |= step.optional;
        }
        match (optional, self.kind) {
            (false, Kind::Copy) | (true, Kind::Other) => path,
            (false, Kind::Text | Kind::List | Kind::Other) => quote!(&#path),
            (true, Kind::Copy) => quote!(#path.copied()),
            (true, Kind::Text) => quote!(#path.map(String::as_str)),
            (true, Kind::List) => quote!(#path.map(Vec::as_slice)),
        }
    }
}

impl Reached {
    /// The same for a value whose default, a JSON text, is filled in before anybody sees it: it is
    /// always there.
    #[must_use]
    pub fn with_default(mut self, default: &str) -> Self {
        if let ([Step { optional: true, .. }], Kind::Copy | Kind::Text) = (self.steps.as_slice(), self.kind) {
            self.default = default.parse().ok();
        }
        self
    }
}

/// An item and the module that it belongs to.
#[derive(Clone, Copy)]
struct Owner<'f, 's> {
    finished: &'f Finished<'s>,
    id: ItemId,
    /// Whether it is of the module `shared`.
    shared: bool,
}

impl Finished<'_> {
    /// The way from the item `root` to the value that `pointer` names; `None` where no field says
    /// what is there.
    pub(super) fn reach(
        &self,
        shared: &Finished<'_>,
        emitter: &Emitter<'_>,
        root: ItemId,
        pointer: &str,
    ) -> Option<Reached> {
        let mut owner = Owner { finished: self, id: root, shared: false };
        if let Body::Alias(shape) = &self.items.get(root)?.body {
            owner = inside(self, shared, shape, false)?;
        }
        let mut steps = Vec::new();
        let mut last: Option<(Shape, bool)> = None;
        for token in pointer::tokens(pointer)? {
            if let Some((shape, is_shared)) = last.take() {
                owner = inside(self, shared, &shape, is_shared)?;
            }
            let (ident, field) = owner.field(&token)?;
            let (nullable, shape) = match (&field.shape, field.required) {
                (Shape::Nullable(inner), true) => (true, (**inner).clone()),
                (shape, _) => (false, shape.clone()),
            };
            let boxed = match &shape {
                Shape::Item(id) if !owner.shared => emitter.boxes.contains(&(owner.id, *id)),
                Shape::Item(_) => return None,
                _ => false,
            };
            steps.push(Step { ident, optional: nullable || !field.required, boxed });
            last = Some((shape, owner.shared));
        }
        let (shape, is_shared) = last?;
        let mut local = false;
        shape.each_item(&mut |_| local = true);
        if is_shared && local {
            return None;
        }
        let (kind, of) = match &shape {
            Shape::Bool | Shape::Integer(_) => (Kind::Copy, emitter.shape(&shape, None)),
            Shape::Text => (Kind::Text, quote!(str)),
            Shape::List(inner) => (Kind::List, emitter.shape(inner, None)),
            _ => (Kind::Other, emitter.shape(&shape, None)),
        };
        Some(Reached { steps, kind, of, local, default: None })
    }
}

fn inside<'f, 's>(
    own: &'f Finished<'s>,
    shared: &'f Finished<'s>,
    shape: &Shape,
    is_shared: bool,
) -> Option<Owner<'f, 's>> {
    match shape {
        Shape::Item(id) if !is_shared => Some(Owner { finished: own, id: *id, shared: false }),
        Shape::Item(id) | Shape::Shared(id) => Some(Owner { finished: shared, id: *id, shared: true }),
        _ => None,
    }
}

impl<'f, 's> Owner<'f, 's> {
    fn field(&self, name: &str) -> Option<(Ident, &'f Field<'s>)> {
        let Body::Struct(body) = &self.finished.items.get(self.id)?.body else { return None };
        let names: Vec<&str> = body.fields.iter().map(|field| field.name).collect();
        let idents = Namespace::default().fields(&names);
        let at = names.iter().position(|known| *known == name)?;
        Some((format_ident!("{}", idents.get(at)?), body.fields.get(at)?))
    }
}
