//! The module `facts`: what checks may read of the world, and who gathers it.

use std::collections::BTreeMap;

use forecheck_spec::file::FactFile;
use forecheck_spec::schema::{Place, Resource, Schemas};
use forecheck_spec::surface::{Surface, Verb};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::checks::{Param, reads_of};
use super::docs::outer_docs;
use super::names::{Namespace, free_type_name};
use super::types::Root;

/// The fact that every surface has: the time of the call.
pub(super) const NOW: &str = "now";

/// The facts of a surface, by name.
#[derive(Debug)]
pub(super) struct Facts<'s> {
    schemas: &'s Schemas<'s>,
    by_name: BTreeMap<&'s str, Fact<'s>>,
}

/// A fact and what it is called.
#[derive(Debug)]
pub(super) struct Fact<'s> {
    pub(super) name: &'s str,
    /// Its file; the time has none.
    pub(super) file: Option<&'s FactFile<'s>>,
    /// Its slot, its gatherer, and the parameters that take it.
    pub(super) ident: Ident,
    /// The variable that holds it while checks are made: no other variable starts like that.
    pub(super) local: Ident,
    /// Its variant of a verb's `Fact`, and its type.
    pub(super) variant: Ident,
}

impl<'s> Facts<'s> {
    pub(super) fn of(surface: &'s Surface<'s>) -> Self {
        let names: Vec<&'s str> = surface.facts.keys().copied().chain([NOW]).collect();
        let idents = Namespace::new(["target", "input", "verb", "seen", "read", "act"]).fields(&names);
        let variants = Namespace::new(["Gather"]).variants(&names);
        let facts = names.iter().zip(idents.iter().zip(variants)).map(|(&name, (ident, variant))| {
            let fact = Fact {
                name,
                file: surface.facts.get(name),
                local: format_ident!("fact_{ident}"),
                ident: format_ident!("{ident}"),
                variant: format_ident!("{}", free_type_name(variant)),
            };
            (name, fact)
        });
        Facts { schemas: &surface.schemas, by_name: facts.collect() }
    }

    /// The schemas of those with a file.
    pub(super) fn places(&self) -> impl Iterator<Item = Place<'s>> {
        self.declared().map(|(_, file)| Resource::own(file.schema).place())
    }

    /// The types of those with a file.
    pub(super) fn roots(&self) -> Vec<Root<'s>> {
        let root = |((fact, _), place): ((&Fact<'s>, &FactFile<'s>), _)| Root {
            name: fact.variant.to_string(),
            about: format!("The fact `{}`.", fact.name),
            place,
        };
        self.declared().zip(self.places()).map(root).collect()
    }

    /// The names of all of them, and of the time.
    pub(super) fn names(&self) -> impl Iterator<Item = &'s str> {
        self.by_name.keys().copied()
    }

    pub(super) fn get(&self, name: &str) -> Option<&Fact<'s>> {
        self.by_name.get(name)
    }

    /// Those with a file, by name.
    pub(super) fn declared(&self) -> impl Iterator<Item = (&Fact<'s>, &'s FactFile<'s>)> {
        self.by_name.values().filter_map(|fact| Some((fact, fact.file?)))
    }

    /// Every fact that a constraint may read which does not say what it reads, and whose gatherer gets
    /// what it needs from the verb.
    pub(super) fn of_everything(&self, verb: &Verb<'s>) -> Vec<&'s str> {
        self.declared()
            .filter(|(_, file)| verb.can_gather(self.schemas, file))
            .map(|(fact, _)| fact.name)
            .collect()
    }

    /// The facts that a verb's checks read, by name.
    pub(super) fn of_verb(&self, verb: &Verb<'s>) -> Vec<&Fact<'s>> {
        let read = |name: &str| verb.constraints.iter().any(|one| reads_of(self, verb, one).contains(&name));
        self.by_name.values().filter(|fact| read(fact.name)).collect()
    }
}

impl<'s> Fact<'s> {
    /// What it is declared to be of.
    pub(super) fn of_what(&self) -> Vec<&'s str> {
        self.file.iter().flat_map(|file| file.of.iter().flatten()).map(|of| of.value).collect()
    }

    /// The type of its value.
    pub(super) fn of(&self) -> TokenStream {
        let variant = &self.variant;
        match self.file {
            Some(_) => quote!(super::facts::#variant),
            None => quote!(forecheck::Time),
        }
    }

    fn gatherer(&self, of: &[Param]) -> TokenStream {
        let Fact { ident, variant, .. } = self;
        let names = of.iter().map(|param| &param.name);
        let types = of.iter().map(|param| &param.of);
        match self.file {
            Some(file) => {
                let docs = outer_docs(file.description.unwrap_or("No description."));
                quote! {
                    #docs
                    ///
                    /// # Errors
                    /// Why the fact cannot be gathered: the call is then refused with `FACT_UNAVAILABLE`.
                    fn #ident(read: &Self::Read #(, #names: #types)*) -> Result<#variant, forecheck::FactUnavailable>;
                }
            }
            None => quote! {
                /// The time of the call.
                ///
                /// # Errors
                /// Why it is not known.
                fn #ident(_read: &Self::Read) -> Result<forecheck::Time, forecheck::FactUnavailable> {
                    Ok(forecheck::Time::now())
                }
            },
        }
    }
}

/// The trait with one gatherer for each fact that is read; `of` are the parameters of each.
pub(super) fn gather(facts: &Facts<'_>, of: &BTreeMap<&str, Vec<Param>>) -> TokenStream {
    let gatherers = of.iter().filter_map(|(name, params)| facts.get(name).map(|fact| fact.gatherer(params)));
    quote! {
        /// One gatherer for each fact. Its parameters are what the fact is declared to be *of*. It only
        /// reads: nothing it does may change what other calls see.
        pub trait Gather: forecheck::World {
            #(#gatherers)*
        }
    }
}
