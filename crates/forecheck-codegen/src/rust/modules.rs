//! The modules of a surface: `codes`, `details`, `shared`, `facts`, `checks`, one per verb, `twins`,
//! `examples`.

use std::collections::BTreeMap;

use forecheck_spec::fold::type_identifier;
use forecheck_spec::schema::{Place, Resource};
use forecheck_spec::surface::{Surface, Verb};
use forecheck_spec::text::collapsed;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::checks::{Maker, Ways, wanted};
use super::dispatch::dispatch;
use super::docs::{inner_docs, outer_docs};
use super::examples::examples;
use super::facts::{self, Facts};
use super::names::{free_type_name, module_name};
use super::refusal::refusal;
use super::twins::twins;
use super::types::{Module, Reached, Reading, Root, Shared, module};
use super::verb::{Runtime, TAKEN};
use crate::generator::{GenerateError, GeneratedFile, Source};

/// The identifier of each code.
type Variants<'s> = BTreeMap<&'s str, Ident>;

/// Modules that every surface has, and what Rust calls the roots of crates; a verb of such a name gets another one.
const RESERVED: [&str; 10] =
    ["checks", "codes", "details", "examples", "facts", "lib", "main", "reading", "shared", "twins"];

pub(crate) fn generate(source: &Source<'_, '_>) -> Result<Vec<GeneratedFile>, GenerateError> {
    let surface = source.surface;
    let details = details_of(surface);
    let facts = Facts::of(surface);
    let roots = surface.verbs.iter().flat_map(|verb| [Some(verb.input()), verb.output()]).flatten();
    let roots = roots.chain(details.values().cloned()).chain(facts.places());
    let shared = Shared::collect(&surface.schemas, roots);
    let variants = variants(surface);
    let ways = ways(surface, &facts, &shared);
    let maker = Maker { facts: &facts, variants: &variants };
    let runtime = Runtime {
        surface,
        checks: maker.checks(surface, &ways),
        gatherers: maker.gatherers(surface, &ways),
        maker,
    };
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
    if !runtime.gatherers.is_empty() {
        let items = modules.facts(&facts, &runtime);
        modules.add("facts", items)?;
    }
    if let Some(checks) = runtime.checks.shared() {
        let docs = inner_docs("Checks that several verbs share.");
        modules.add("checks", quote!(#docs #checks))?;
    }
    for verb in &surface.verbs {
        let runtime = runtime.verb(verb, ways.get(verb.name()))?;
        let items = modules.verb(verb);
        modules.add(&verb_module(verb), quote!(#items #runtime))?;
    }
    modules.add("twins", twins(surface, &runtime.checks))?;
    modules.add("examples", examples(surface)?)?;
    modules.finish(source)
}

/// The ways into the inputs of verbs that need any.
fn ways<'s>(surface: &Surface<'s>, facts: &Facts<'s>, shared: &Shared<'s>) -> BTreeMap<&'s str, Ways> {
    let of_verb = |verb: &Verb<'s>| {
        let wanted = wanted(facts, verb);
        let types =
            (!wanted.is_empty()).then(|| module(&surface.schemas, shared, &roots(verb), &TAKEN, &wanted));
        let defaults = &verb.recipe.defaults;
        let way = |(at, way): (String, Reached)| {
            let way =
                defaults.get(&at).map_or_else(|| way.clone(), |default| way.clone().with_default(default));
            (at, way)
        };
        types.map(|types| (verb.name(), types.reached.into_iter().map(way).collect()))
    };
    surface.verbs.iter().filter_map(of_verb).collect()
}

fn roots<'s>(verb: &Verb<'s>) -> Vec<Root<'s>> {
    let name = verb.name();
    let root = |name: &str, about, place| Root { name: name.to_owned(), about, place };
    let input = root("Input", format!("What `{name}` is called with."), verb.input());
    let output = verb.output().map(|place| root("Output", format!("What `{name}` answers."), place));
    std::iter::once(input).chain(output).collect()
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
        items.extend(dispatch(self.surface));
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
        let types = module(&self.surface.schemas, self.shared, &roots, &[], &[]);
        self.with_types("The values that refusals carry, by code.", &types)
    }

    fn facts(&mut self, facts: &Facts<'s>, runtime: &Runtime<'_, 's>) -> TokenStream {
        let types = module(&self.surface.schemas, self.shared, &facts.roots(), &["Gather"], &[]);
        let types = self.with_types("What checks read of the world, and who gathers it.", &types);
        let gather = facts::gather(facts, &runtime.gatherers);
        quote!(#types #gather)
    }

    fn verb(&mut self, verb: &Verb<'s>) -> TokenStream {
        let name = verb.name();
        let types = module(&self.surface.schemas, self.shared, &roots(verb), &TAKEN, &[]);
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

/// The module of a verb: its name, unless that is taken. No verb ends with an underscore.
pub(super) fn verb_module(verb: &Verb<'_>) -> String {
    let name = module_name(verb.name());
    if RESERVED.contains(&name.as_str()) { name + "_" } else { name }
}

/// An identifier made from a name that is one already.
fn ident(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}
