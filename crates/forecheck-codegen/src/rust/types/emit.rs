//! Shapes as Rust.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::super::names::{self, Case, Namespace, Wish};
use super::docs::{Lines, code};
use super::reading::{Function, Reading};
use super::shape::{
    Body, Field, Item, ItemId, Label, Shape, Struct, Tagged, Union, UnionReading, Width, Word,
};
use super::view::Site;

/// Writes the items of one module.
#[derive(Debug)]
pub(super) struct Emitter<'a> {
    /// The names of the module's items.
    pub(super) names: &'a BTreeMap<ItemId, String>,
    /// What is said of items that no schema describes.
    pub(super) abouts: &'a BTreeMap<ItemId, String>,
    /// The names of the items of the module `shared`.
    pub(super) shared: &'a BTreeMap<ItemId, String>,
    /// Which item holds which in a box.
    pub(super) boxes: BTreeSet<(ItemId, ItemId)>,
    /// What was used.
    pub(super) reading: Reading,
}

impl Emitter<'_> {
    /// An item of the module.
    pub(super) fn item(&mut self, id: ItemId, item: &Item<'_>) -> TokenStream {
        let Some(name) = self.names.get(&id) else {
            return TokenStream::new();
        };
        let ident = format_ident!("{name}");
        let about = || self.abouts.get(&id).cloned().unwrap_or_else(|| described(&item.site));
        let docs = doc(&Lines::describing(&item.schemas, about));
        match &item.body {
            Body::Pending => TokenStream::new(),
            Body::Struct(body) => self.structure(id, &ident, &docs, body),
            Body::Words(words) => enum_of_words(&ident, &docs, words),
            Body::Tagged(body) => self.tagged(id, &ident, &docs, body),
            Body::Union(body) => self.union(id, &ident, &docs, body),
            Body::Wrapper(shape) => self.wrapper(id, &ident, &docs, shape),
            // serde's attributes stand on fields, so what needs one cannot be an alias.
            Body::Alias(shape) if shape.holds_integer() => self.wrapper(id, &ident, &docs, shape),
            Body::Alias(shape) => {
                let of = self.shape(shape, None);
                quote! {
                    #docs
                    pub type #ident = #of;
                }
            }
        }
    }

    fn wrapper(&mut self, id: ItemId, ident: &Ident, docs: &TokenStream, shape: &Shape) -> TokenStream {
        let (whole, of) = (self.whole(shape), self.shape(shape, Some(id)));
        let complex = complex(std::iter::once(shape));
        quote! {
            #docs
            #complex
            #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
            pub struct #ident(#whole pub #of);
        }
    }

    fn structure(&mut self, id: ItemId, ident: &Ident, docs: &TokenStream, body: &Struct<'_>) -> TokenStream {
        let named: Vec<&str> = body.fields.iter().map(|field| field.name).collect();
        let mut scope = Namespace::default();
        let idents = scope.fields(&named);
        let fields: Vec<TokenStream> =
            body.fields.iter().zip(&idents).map(|(field, ident)| self.field(id, ident, field)).collect();
        let closed = body.rest.is_none().then(|| quote! { #[serde(deny_unknown_fields)] });
        let rest = body.rest.as_ref().map(|rest| self.rest(&scope.free("other"), rest));
        let complex = complex(body.fields.iter().map(|field| &field.shape));
        quote! {
            #docs
            #complex
            #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
            #closed
            pub struct #ident {
                #(#fields,)*
                #rest
            }
        }
    }

    fn field(&mut self, owner: ItemId, ident: &str, field: &Field<'_>) -> TokenStream {
        let docs = doc(&Lines::describing(&field.schemas, || code(field.name)).with_default(&field.schemas));
        let whole = field.shape.holds_integer();
        let mut attributes = Vec::new();
        if ident != field.name {
            let name = field.name;
            attributes.push(quote! { rename = #name });
        }
        if !field.required {
            attributes.push(quote! { default });
            attributes.push(quote! { skip_serializing_if = "Option::is_none" });
        }
        let function = match (field.required, whole) {
            (true, true) => Some(self.reading.uses(Function::Whole)),
            (true, false) if matches!(field.shape, Shape::Nullable(_)) => {
                Some(self.reading.uses(Function::Required))
            }
            (true, false) => None,
            (false, true) => Some(self.reading.uses(Function::PresentWhole)),
            (false, false) => Some(self.reading.uses(Function::Present)),
        };
        attributes.extend(function.map(|function| quote! { deserialize_with = #function }));
        let serde = (!attributes.is_empty()).then(|| quote! { #[serde(#(#attributes),*)] });
        let ident = format_ident!("{ident}");
        let of = self.shape(&field.shape, Some(owner));
        let of = if field.required {
            of
        } else {
            quote! { Option<#of> }
        };
        quote! {
            #docs
            #serde
            pub #ident: #of
        }
    }

    /// The field that keeps the members which have no field of their own.
    fn rest(&mut self, ident: &str, map: &Shape) -> TokenStream {
        let ident = format_ident!("{ident}");
        let any = Shape::Map(Box::new(Shape::Any));
        // What was cut for its depth is still a map: serde flattens nothing else.
        let of = self.shape(if matches!(map, Shape::Map(_)) { map } else { &any }, None);
        let whole = map.holds_integer().then(|| {
            let function = self.reading.uses(Function::Whole);
            quote! { , deserialize_with = #function }
        });
        quote! {
            /// All other members.
            #[serde(flatten #whole)]
            pub #ident: #of,
        }
    }

    fn tagged(&mut self, id: ItemId, ident: &Ident, docs: &TokenStream, body: &Tagged<'_>) -> TokenStream {
        let texts: Vec<&str> = body.variants.iter().map(|(label, _)| label.word.as_str()).collect();
        let idents = Namespace::default().variants(&texts);
        let holds =
            body.variants.iter().any(|(_, shape)| matches!(shape, Some(Shape::Item(_) | Shape::Shared(_))));
        let allow = allowances(&ident.to_string(), &idents, holds);
        let variants = body.variants.iter().zip(&idents).map(|((label, shape), ident)| {
            let docs = doc(&label_docs(label));
            let rename = renamed(ident, &label.word);
            let of = shape.as_ref().map(|shape| {
                let (whole, of) = (self.whole(shape), self.shape(shape, Some(id)));
                quote! { (#whole #of) }
            });
            let ident = format_ident!("{ident}");
            quote! { #docs #rename #ident #of }
        });
        let variants: Vec<TokenStream> = variants.collect();
        let tag = body.tag;
        quote! {
            #docs
            #allow
            #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
            #[serde(tag = #tag)]
            pub enum #ident {
                #(#variants,)*
            }
        }
    }

    fn union(&mut self, id: ItemId, ident: &Ident, docs: &TokenStream, body: &Union<'_>) -> TokenStream {
        let idents = variant_idents(body);
        let holds =
            body.variants.iter().any(|variant| matches!(variant.shape, Shape::Item(_) | Shape::Shared(_)));
        let allow = allowances(&ident.to_string(), &idents, holds);
        let by_kind = body.reading == UnionReading::ByKind;
        let variants = body.variants.iter().zip(&idents).map(|(variant, ident)| {
            let docs = doc(&label_docs(&variant.label));
            let of = self.shape(&variant.shape, Some(id));
            let whole = if by_kind { self.whole(&variant.shape) } else { None };
            let ident = format_ident!("{ident}");
            quote! { #docs #ident(#whole #of) }
        });
        let variants: Vec<TokenStream> = variants.collect();
        let complex = complex(body.variants.iter().map(|variant| &variant.shape));
        let derive = if by_kind {
            quote! { serde::Serialize, serde::Deserialize }
        } else {
            quote! { serde::Serialize }
        };
        let reading = (!by_kind).then(|| self.reading_by_trial(ident, &idents));
        quote! {
            #docs
            #allow
            #complex
            #[derive(Debug, Clone, PartialEq, #derive)]
            #[serde(untagged)]
            pub enum #ident {
                #(#variants,)*
            }
            #reading
        }
    }

    /// Reading a union whose variants cannot be told apart by kind: serde's `untagged` would take a
    /// variant that loses a part of the value.
    fn reading_by_trial(&mut self, ident: &Ident, variants: &[String]) -> TokenStream {
        self.reading.uses(Function::Whole);
        self.reading.uses(Function::Kept);
        let variants: Vec<Ident> = variants.iter().map(|variant| format_ident!("{variant}")).collect();
        let nothing = format!("no variant of {ident} holds the value");
        let trials = variants.iter().map(|variant| {
            quote! {
                if let Some(value) = super::reading::kept(&value) {
                    return Ok(Self::#variant(value));
                }
            }
        });
        quote! {
            impl<'de> serde::Deserialize<'de> for #ident {
                fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    let value: serde_json::Value = super::reading::whole(deserializer)?;
                    #(#trials)*
                    Err(serde::de::Error::custom(#nothing))
                }
            }
        }
    }

    fn whole(&mut self, shape: &Shape) -> Option<TokenStream> {
        shape.holds_integer().then(|| {
            let function = self.reading.uses(Function::Whole);
            quote! { #[serde(deserialize_with = #function)] }
        })
    }

    /// A type; `holder` is the item that holds it in place, if one does.
    pub(super) fn shape(&self, shape: &Shape, holder: Option<ItemId>) -> TokenStream {
        match shape {
            Shape::Any => quote! { serde_json::Value },
            Shape::Null => quote! { () },
            Shape::Bool => quote! { bool },
            Shape::Integer(width) => {
                let ident = format_ident!("{}", width_name(*width));
                quote! { #ident }
            }
            Shape::Number => quote! { serde_json::Number },
            Shape::Text => quote! { String },
            Shape::List(inner) => {
                let of = self.shape(inner, None);
                quote! { Vec<#of> }
            }
            Shape::Map(inner) => {
                let of = self.shape(inner, None);
                quote! { std::collections::BTreeMap<String, #of> }
            }
            Shape::Tuple(inner) => {
                let of = inner.iter().map(|inner| self.shape(inner, holder));
                quote! { (#(#of,)*) }
            }
            Shape::Nullable(inner) => {
                let of = self.shape(inner, holder);
                quote! { Option<#of> }
            }
            Shape::Item(id) => self.held(*id, holder),
            Shape::Shared(id) => {
                let ident = name(self.shared, *id);
                quote! { super::shared::#ident }
            }
        }
    }

    fn held(&self, id: ItemId, holder: Option<ItemId>) -> TokenStream {
        let ident = name(self.names, id);
        if holder.is_some_and(|holder| self.boxes.contains(&(holder, id))) {
            quote! { Box<#ident> }
        } else {
            quote! { #ident }
        }
    }
}

fn name(names: &BTreeMap<ItemId, String>, id: ItemId) -> Ident {
    // INVARIANT: items that shapes name are reachable, and reachable items have names.
    names.get(&id).map_or_else(|| format_ident!("Unnamed"), |name| format_ident!("{name}"))
}

fn doc(lines: &Lines) -> TokenStream {
    let lines = lines.0.iter().map(|line| if line.is_empty() { String::new() } else { format!(" {line}") });
    quote! { #(#[doc = #lines])* }
}

/// What is said about an item that no schema describes.
fn described(site: &Site<'_>) -> String {
    let pointer = &site.place.pointer;
    let schema = if pointer.is_empty() {
        "the whole schema".to_owned()
    } else {
        format!("the schema at {}", code(pointer))
    };
    match site.path.last() {
        Some(step) => format!("{} of {schema}.", code(&step.word)),
        None => format!("A value of {schema}."),
    }
}

fn label_docs(label: &Label<'_>) -> Lines {
    Lines::describing(&label.schemas, || code(&label.word))
}

fn enum_of_words(ident: &Ident, docs: &TokenStream, words: &[Word<'_>]) -> TokenStream {
    let texts: Vec<&str> = words.iter().map(|word| word.text).collect();
    let idents = Namespace::default().variants(&texts);
    let allow = allowances(&ident.to_string(), &idents, false);
    let variants = words.iter().zip(&idents).map(|(word, ident)| {
        let docs = doc(&Lines::describing(&word.schemas, || code(word.text)));
        let rename = renamed(ident, word.text);
        let ident = format_ident!("{ident}");
        quote! { #docs #rename #ident }
    });
    quote! {
        #docs
        #allow
        #[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        pub enum #ident {
            #(#variants,)*
        }
    }
}

fn renamed(ident: &str, text: &str) -> Option<TokenStream> {
    (ident != text).then(|| quote! { #[serde(rename = #text)] })
}

/// The variants of a union, each named by its label; where labels fold, by the place of its schema too.
fn variant_idents(body: &Union<'_>) -> Vec<String> {
    let wish = |label: &Label<'_>| Wish {
        ident: names::variant_name(&label.word),
        longer: None,
        name: format!("{}#{:?}", label.site.place.pointer, label.site.path),
    };
    let wishes: Vec<Wish> = body.variants.iter().map(|variant| wish(&variant.label)).collect();
    Namespace::default().assign(Case::Camel, &wishes)
}

/// Lints that judge names and sizes, which here are the schema's.
fn allowances(name: &str, variants: &[String], holds: bool) -> TokenStream {
    let names = has_common_words(name, variants)
        .then(|| quote! { #[allow(clippy::enum_variant_names, reason = "named by the schema")] });
    let sizes = holds
        .then(|| quote! { #[allow(clippy::large_enum_variant, reason = "as large as the schema says")] });
    quote! { #names #sizes }
}

fn has_common_words(name: &str, variants: &[String]) -> bool {
    let first = |ident: &str| {
        ident.char_indices().skip(1).find(|(_, c)| !c.is_lowercase()).map_or(ident.len(), |(at, _)| at)
    };
    let last = |ident: &str| ident.rfind(|c: char| !c.is_lowercase()).unwrap_or_default();
    let same = |part: &dyn Fn(&str) -> String| {
        let parts: BTreeSet<String> = variants.iter().map(|variant| part(variant)).collect();
        parts.len() == 1
    };
    variants.len() > 2
        && (variants.iter().any(|variant| variant.starts_with(name) || variant.ends_with(name))
            || same(&|ident| ident.get(..first(ident)).unwrap_or_default().to_owned())
            || same(&|ident| ident.get(last(ident)..).unwrap_or_default().to_owned()))
}

/// The allowance for types that clippy finds too complex.
fn complex<'a>(mut shapes: impl Iterator<Item = &'a Shape>) -> Option<TokenStream> {
    // One level more than the shape has: an optional member is inside an `Option`.
    let complex = shapes.any(|shape| 10 + complexity(shape, 2) > MAX_COMPLEXITY);
    complex.then(|| quote! { #[allow(clippy::type_complexity, reason = "as nested as the schema is")] })
}

/// The threshold of `clippy::type_complexity`.
const MAX_COMPLEXITY: usize = 250;

/// What `clippy::type_complexity` counts for a shape.
fn complexity(shape: &Shape, nest: usize) -> usize {
    let key = if matches!(shape, Shape::Map(_)) { 10 * (nest + 1) } else { 0 };
    let inner: usize = shape.inner().iter().map(|inner| complexity(inner, nest + 1)).sum();
    10 * nest + key + inner
}

fn width_name(width: Width) -> &'static str {
    match width {
        Width::U8 => "u8",
        Width::U16 => "u16",
        Width::U32 => "u32",
        Width::U64 => "u64",
        Width::I8 => "i8",
        Width::I16 => "i16",
        Width::I32 => "i32",
        Width::I64 => "i64",
    }
}
