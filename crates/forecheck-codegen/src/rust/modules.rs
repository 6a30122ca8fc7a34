//! The modules of a surface: `codes`, `details`, `shared`, and one per verb.

use std::collections::BTreeMap;

use forecheck_spec::fold::type_identifier;
use forecheck_spec::schema::{Place, Resource};
use forecheck_spec::surface::{Constraint, Surface, Verb};
use forecheck_spec::text::collapsed;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::names::{free_type_name, module_name};
use super::types::docs::prose;
use super::types::{Module, Reading, Root, Shared, module};
use crate::generator::{GenerateError, GeneratedFile, Source};

/// The identifier of each code.
type Variants<'s> = BTreeMap<&'s str, Ident>;

/// Modules that every surface has; a verb of such a name gets another one.
const RESERVED: [&str; 4] = ["codes", "details", "reading", "shared"];

pub(crate) fn generate(source: &Source<'_, '_>) -> Result<Vec<GeneratedFile>, GenerateError> {
    let surface = source.surface;
    let details = details_of(surface);
    let roots = surface.verbs.iter().flat_map(|verb| [Some(verb.input()), verb.output()]).flatten();
    let shared = Shared::collect(&surface.schemas, roots.chain(details.values().cloned()));
    let variants = variants(surface);
    let mut modules = Modules {
        surface,
        shared: &shared,
        variants: &variants,
        reading: Reading::default(),
        files: Vec::new(),
    };
    modules.add("codes", codes(source, &variants))?;
    if !details.is_empty() {
        let items = modules.details(&details);
        modules.add("details", items)?;
    }
    if let Some(types) = shared.module() {
        let items = modules.with_types("Types that several verbs share.", &types);
        modules.add("shared", items)?;
    }
    for verb in &surface.verbs {
        let items = modules.verb(verb);
        modules.add(&verb_module(verb), items)?;
    }
    modules.finish(source)
}

/// The modules of a surface as they are made.
struct Modules<'m, 's> {
    surface: &'m Surface<'s>,
    shared: &'m Shared<'s>,
    variants: &'m Variants<'s>,
    /// What the types of all modules need to be read.
    reading: Reading,
    files: Vec<GeneratedFile>,
}

impl<'s> Modules<'_, 's> {
    fn add(&mut self, name: &str, items: TokenStream) -> Result<(), GenerateError> {
        self.files.push(file(&format!("{name}.rs"), items)?);
        Ok(())
    }

    /// The files, with the module that names all others.
    fn finish(mut self, source: &Source<'_, '_>) -> Result<Vec<GeneratedFile>, GenerateError> {
        let public = self.files.iter().map(|file| ident(file.path.trim_end_matches(".rs")));
        let modules: TokenStream = public.map(|name| quote!(pub mod #name;)).collect();
        let mut items = root(source, &modules);
        if let Some(functions) = self.reading.module() {
            let docs = inner_docs("How members are read where JSON Schema and serde differ.");
            self.add("reading", quote!(#docs #functions))?;
            items.extend(quote!(
                mod reading;
            ));
        }
        self.add("mod", items)?;
        Ok(self.files)
    }

    fn details(&mut self, details: &BTreeMap<&'s str, Place<'s>>) -> TokenStream {
        let root = |(code, place): (&&'s str, &Place<'s>)| {
            let name = self.variants.get(code)?.to_string();
            Some(Root { name, about: format!("What a refusal with `{code}` carries."), place: place.clone() })
        };
        let roots: Vec<Root<'s>> = details.iter().filter_map(root).collect();
        let types = module(&self.surface.schemas, self.shared, &roots, &[]);
        self.with_types("The values that refusals carry, by code.", &types)
    }

    fn verb(&mut self, verb: &Verb<'s>) -> TokenStream {
        let name = verb.name();
        let input = Root {
            name: "Input".to_owned(),
            about: format!("What `{name}` is called with."),
            place: verb.input(),
        };
        let output = verb.output().map(|place| Root {
            name: "Output".to_owned(),
            about: format!("What `{name}` answers."),
            place,
        });
        let roots: Vec<Root<'s>> = std::iter::once(input).chain(output).collect();
        let types = module(&self.surface.schemas, self.shared, &roots, &["Refusal"]);
        let about = verb.file.summary.or(verb.file.description);
        let body =
            self.with_types(&about.map_or_else(|| format!("The verb `{name}`.").into(), collapsed), &types);
        let refusal = refusal(verb, self.variants);
        quote! {
            #body
            /// The name of the verb.
            pub const VERB: &str = #name;
            #refusal
        }
    }

    fn with_types(&mut self, about: &str, types: &Module) -> TokenStream {
        self.reading.extend(&types.reading);
        let docs = inner_docs(about);
        let notes = types.notes.iter().map(|note| {
            let note = format!(" {note}");
            quote!(#![doc = ""] #![doc = #note])
        });
        let items = &types.items;
        quote!(#docs #(#notes)* #items)
    }
}

fn file(path: &str, items: TokenStream) -> Result<GeneratedFile, GenerateError> {
    match syn::parse2::<syn::File>(items) {
        Ok(parsed) => {
            let header = "// Generated by `forecheck gen` from the verb schemas. Do not edit.\n\n";
            Ok(GeneratedFile {
                path: path.to_owned(),
                content: header.to_owned() + &prettyplease::unparse(&parsed),
            })
        }
        Err(error) => Err(GenerateError { path: path.to_owned(), reason: error.to_string() }),
    }
}

/// The schema of the details of each code that carries any. All verbs agree about it.
fn details_of<'s>(surface: &Surface<'s>) -> BTreeMap<&'s str, Place<'s>> {
    let constraints = surface.verbs.iter().flat_map(|verb| &verb.constraints);
    constraints
        .filter_map(|constraint| Some((constraint.code(), Resource::own(constraint.file.details?).place())))
        .collect()
}

fn root(source: &Source<'_, '_>, modules: &TokenStream) -> TokenStream {
    let surface = source.surface;
    let docs = inner_docs(&format!("The surface `{}`, version {}.", surface.id.name, surface.id.version));
    let digest = &surface.id.spec_sha256;
    quote! {
        #docs
        #modules
        /// SHA-256 over the canonical texts of the spec files, in hexadecimal.
        pub const SPEC_SHA256: &str = #digest;
    }
}

fn codes(source: &Source<'_, '_>, variants: &Variants<'_>) -> TokenStream {
    let variants: Vec<&Ident> =
        source.table.codes.iter().filter_map(|row| variants.get(&*row.code)).collect();
    let rows = &source.table.codes;
    let codes: Vec<&str> = rows.iter().map(|row| row.code.as_str()).collect();
    let texts: Vec<&str> = rows.iter().map(|row| row.description.as_str()).collect();
    let docs = rows.iter().map(|row| {
        let text = if row.description.is_empty() { "No description." } else { &row.description };
        outer_docs(text)
    });
    let (as_str, description) = if rows.is_empty() {
        (quote!(match self {}), quote!(match self {}))
    } else {
        (
            quote!(match self { #(Code::#variants => #codes,)* }),
            quote!(match self { #(Code::#variants => #texts,)* }),
        )
    };
    quote! {
        //! Every refusal code of the surface, once.
        use serde::{Deserialize, Serialize};
        /// A refusal code: the bare name of the constraint that failed.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum Code {
            #(#docs #[serde(rename = #codes)] #variants,)*
        }
        impl Code {
            /// All codes, sorted by name.
            pub const ALL: &'static [Code] = &[#(Code::#variants,)*];
            /// The code as it is emitted and published.
            pub const fn as_str(self) -> &'static str { #as_str }
            /// The condition under which it is raised, in the words of `errors.json`.
            pub const fn description(self) -> &'static str { #description }
        }
        impl std::fmt::Display for Code {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.write_str(self.as_str()) }
        }
    }
}

/// The identifier of each code: the one that its author chose, or the one made from its name.
fn variants<'s>(surface: &Surface<'s>) -> Variants<'s> {
    let constraints = surface.verbs.iter().flat_map(|verb| &verb.constraints);
    let chosen: BTreeMap<&str, Option<&str>> = constraints
        .map(|constraint| (constraint.code(), constraint.file.x_name.map(|name| name.value)))
        .collect();
    let identifier = |code: &str, x_name: Option<&str>| {
        free_type_name(x_name.map_or_else(|| type_identifier(code), str::to_owned))
    };
    chosen.into_iter().map(|(code, x_name)| (code, ident(&identifier(code, x_name)))).collect()
}

/// The enum of a verb's refusals, in the order in which its constraints are evaluated.
fn refusal(verb: &Verb<'_>, variants: &Variants<'_>) -> TokenStream {
    let arms: Vec<Arm<'_>> =
        verb.constraints.iter().filter_map(|constraint| Arm::of(constraint, variants)).collect();
    let variants = arms.iter().map(Arm::declaration);
    let codes = arms.iter().map(Arm::code);
    let details = arms.iter().map(Arm::details);
    let (code, details) = if arms.is_empty() {
        (quote!(match *self {}), quote!(match *self {}))
    } else {
        (quote!(match self { #(#codes,)* }), quote!(match self { #(#details,)* }))
    };
    quote! {
        /// Why a call is refused, in the order in which it is checked.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Refusal { #(#variants,)* }
        impl Refusal {
            /// The code to emit.
            pub const fn code(&self) -> super::codes::Code { #code }
            /// The values that the refusal carries, as JSON.
            ///
            /// # Errors
            /// As `serde_json::to_value`.
            pub fn details(&self) -> Result<Option<serde_json::Value>, serde_json::Error> { #details }
        }
    }
}

/// One variant of a refusal enum.
struct Arm<'v> {
    variant: &'v Ident,
    docs: TokenStream,
    has_details: bool,
}

impl<'v> Arm<'v> {
    fn of(constraint: &Constraint<'_>, variants: &'v Variants<'_>) -> Option<Arm<'v>> {
        let text = constraint.description();
        let docs = outer_docs(if text.is_empty() { "No description." } else { &text });
        let has_details = constraint.file.details.is_some();
        Some(Arm { variant: variants.get(constraint.code())?, docs, has_details })
    }

    fn declaration(&self) -> TokenStream {
        let Arm { variant, docs, has_details } = self;
        let details = has_details.then(|| quote!((super::details::#variant)));
        quote!(#docs #variant #details)
    }

    fn code(&self) -> TokenStream {
        let Arm { variant, has_details, .. } = self;
        let ignored = has_details.then(|| quote!((_)));
        quote!(Refusal::#variant #ignored => super::codes::Code::#variant)
    }

    fn details(&self) -> TokenStream {
        let variant = self.variant;
        if self.has_details {
            quote!(Refusal::#variant(details) => serde_json::to_value(details).map(Some))
        } else {
            quote!(Refusal::#variant => Ok(None))
        }
    }
}

/// Text as the documentation of the module around it.
fn inner_docs(text: &str) -> TokenStream {
    let lines = prose(text).into_iter().map(|line| format!(" {line}"));
    quote!(#(#![doc = #lines])*)
}

/// Text as the documentation of the item after it.
fn outer_docs(text: &str) -> TokenStream {
    let lines = prose(text).into_iter().map(|line| format!(" {line}"));
    quote!(#(#[doc = #lines])*)
}

/// The module of a verb: its name, unless that is taken. No verb ends with an underscore.
fn verb_module(verb: &Verb<'_>) -> String {
    let name = module_name(verb.name());
    if RESERVED.contains(&name.as_str()) { name + "_" } else { name }
}

/// An identifier made from a name that is one already.
fn ident(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}
