//! Checks: what each may look at, and whether several verbs share it.

use std::collections::{BTreeMap, BTreeSet};

use forecheck_spec::surface::{Class, Constraint, Surface, Verb};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::docs::outer_docs;
use super::facts::{Fact, Facts, NOW};
use super::names::{Namespace, field_name};
use super::predicate::compiled;
use super::types::Reached;

/// The ways into the input of a verb, by pointer.
pub(super) type Ways = BTreeMap<String, Reached>;

/// A parameter of a check or a gatherer, and what is passed for it.
#[derive(Debug, Clone)]
pub(super) struct Param {
    pub(super) name: Ident,
    pub(super) of: TokenStream,
    /// The value, from what is `seen` of a call; facts are in variables of their own.
    pub(super) argument: TokenStream,
    /// Whether its type belongs to the module of a verb.
    local: bool,
    /// Whether the value is from what is `seen` of a call.
    pub(super) seen: bool,
}

/// A constraint as code.
#[derive(Debug, Clone)]
pub(super) struct Check<'s> {
    pub(super) code: &'s str,
    pub(super) class: Class,
    pub(super) method: Ident,
    /// The variant of the verb's `Refusal`.
    pub(super) variant: Ident,
    pub(super) has_details: bool,
    pub(super) params: Vec<Param>,
    /// The facts that it reads.
    pub(super) facts: Vec<&'s str>,
    /// The condition and the remedy.
    pub(super) docs: String,
    /// Who evaluates it.
    pub(super) home: Home,
}

/// Who evaluates a check.
#[derive(Debug, Clone)]
pub(super) enum Home {
    /// A method of the verb's own trait.
    Verb,
    /// A method that verbs share.
    Shared,
    /// A function made from its predicate, which takes its facts as JSON.
    Predicate(TokenStream),
}

/// The checks of a surface.
#[derive(Debug)]
pub(super) struct Checks<'s> {
    by_verb: BTreeMap<&'s str, Vec<Check<'s>>>,
    shared: BTreeMap<&'s str, Check<'s>>,
}

/// What checks are made from.
pub(super) struct Maker<'m, 's> {
    pub(super) facts: &'m Facts<'s>,
    pub(super) variants: &'m BTreeMap<&'s str, Ident>,
}

/// The names that a constraint reads, as its author wrote them; everything where they are not declared.
/// A predicate sees all of the input as JSON, so only its facts are named.
pub(super) fn reads_of<'s>(facts: &Facts<'s>, verb: &Verb<'s>, constraint: &Constraint<'s>) -> Vec<&'s str> {
    if let Some(stated) = &constraint.file.refuse_when {
        let read: BTreeSet<&str> = stated.predicate.reads().facts;
        return facts.names().filter(|name| read.contains(name)).collect();
    }
    match &constraint.file.reads {
        Some(reads) => reads.iter().map(|read| read.value).collect(),
        None => std::iter::once("input").chain(facts.of_everything(verb)).collect(),
    }
}

/// The pointers into the input of a verb for which its checks and gatherers want a way.
pub(super) fn wanted<'s>(facts: &Facts<'s>, verb: &Verb<'s>) -> Vec<&'s str> {
    let mut wanted = BTreeSet::new();
    for constraint in &verb.constraints {
        for read in reads_of(facts, verb, constraint) {
            match facts.get(read).and_then(|fact| fact.file) {
                Some(file) => wanted.extend(file.of.iter().flatten().map(|of| of.value)),
                None => drop(wanted.insert(read)),
            }
        }
    }
    wanted.into_iter().filter(|name| name.starts_with('/')).collect()
}

impl<'s> Maker<'_, 's> {
    /// Every check, and those that verbs share: the same code with the same parameters in all verbs.
    pub(super) fn checks(&self, surface: &Surface<'s>, ways: &BTreeMap<&str, Ways>) -> Checks<'s> {
        let mut users: BTreeMap<&str, usize> = BTreeMap::new();
        for constraint in surface.verbs.iter().flat_map(|verb| &verb.constraints) {
            *users.entry(constraint.code()).or_default() += 1;
        }
        let mut by_verb: BTreeMap<&str, Vec<Check<'s>>> = BTreeMap::new();
        let mut signatures: BTreeMap<&str, BTreeSet<Option<String>>> = BTreeMap::new();
        let none = Ways::new();
        for verb in &surface.verbs {
            let ways = ways.get(verb.name()).unwrap_or(&none);
            let check = |constraint| {
                let several = users.get(Constraint::code(constraint)).is_some_and(|users| *users > 1);
                self.check(verb, constraint, ways, several)
            };
            let checks: Vec<Check<'s>> = verb.constraints.iter().filter_map(check).collect();
            for check in checks.iter().filter(|check| matches!(check.home, Home::Verb)) {
                signatures.entry(check.code).or_default().insert(signature(&check.params));
            }
            by_verb.insert(verb.name(), checks);
        }
        let mut shared = BTreeMap::new();
        for check in by_verb.values_mut().flatten() {
            let several = users.get(check.code).is_some_and(|users| *users > 1);
            let one = signatures.get(check.code).is_some_and(|all| all.len() == 1 && !all.contains(&None));
            if several && one && matches!(check.home, Home::Verb) {
                check.home = Home::Shared;
                shared.entry(check.code).or_insert_with(|| check.clone());
            }
        }
        Checks { by_verb, shared }
    }

    fn check(
        &self,
        verb: &Verb<'s>,
        constraint: &Constraint<'s>,
        ways: &Ways,
        several: bool,
    ) -> Option<Check<'s>> {
        let reads = reads_of(self.facts, verb, constraint);
        let declared = constraint.file.reads.is_some() || constraint.file.refuse_when.is_some();
        let open = !declared && several;
        let verb_name = open.then(|| Param { seen: false, ..param("verb", quote!(&str), quote!(VERB)) });
        let mut params: Vec<Param> = verb_name.into_iter().chain(self.params(&reads, ways, open)).collect();
        if constraint.file.refuse_when.is_some() {
            let times = params.iter_mut().zip(&reads).filter(|(_, read)| **read == NOW);
            times.for_each(|(param, _)| param.argument = quote!(&forecheck::seconds(*fact_now)));
        }
        let variant = self.variants.get(constraint.code())?.clone();
        let name = constraint.file.x_name.map_or(constraint.code(), |name| name.value);
        let method = format_ident!("{}", field_name(name));
        let home = constraint
            .file
            .refuse_when
            .as_ref()
            .map_or(Home::Verb, |stated| Home::Predicate(compiled(&method, &stated.predicate).body));
        Some(Check {
            code: constraint.code(),
            class: constraint.class(),
            method,
            variant,
            has_details: constraint.file.details.is_some(),
            params,
            facts: reads.into_iter().filter(|read| self.facts.get(read).is_some()).collect(),
            docs: docs(constraint),
            home,
        })
    }

    /// The parameters for names that are read, in their order. With `as_json`, all of an input is passed
    /// as JSON, which is one type for all verbs.
    fn params(&self, reads: &[&str], ways: &Ways, as_json: bool) -> Vec<Param> {
        let words: Vec<String> = reads.iter().map(|read| read.replace('/', " ")).collect();
        let fields: Vec<&str> = words.iter().map(String::as_str).collect();
        let names = Namespace::new(["read", "seen"]).fields(&fields);
        let params = reads.iter().zip(names).map(|(read, name)| self.param(read, &name, ways, as_json));
        params.collect()
    }

    fn param(&self, read: &str, name: &str, ways: &Ways, as_json: bool) -> Param {
        if let Some(fact) = self.facts.get(read) {
            let (local, of) = (&fact.local, fact.of());
            let (of, argument) =
                if read == NOW { (of, quote!(*#local)) } else { (quote!(&#of), quote!(#local)) };
            return Param { name: fact.ident.clone(), of, argument, local: false, seen: false };
        }
        match (read, ways.get(read)) {
            ("target", _) => param(name, quote!(&str), quote!(seen.target())),
            ("input", _) if as_json => param(name, quote!(&serde_json::Value), quote!(seen.value())),
            ("input", _) => Param { local: true, ..param(name, quote!(&Input), quote!(seen.input())) },
            (_, Some(way)) => {
                let argument = way.argument(&quote!(seen.input()));
                Param { local: way.is_local(), ..param(name, way.parameter(), argument) }
            }
            (pointer, None) => {
                param(name, quote!(Option<&serde_json::Value>), quote!(seen.value().pointer(#pointer)))
            }
        }
    }

    /// The parameters of the gatherer of each fact that is read: what the fact is *of*, with the types
    /// that all verbs agree on, as JSON where they do not.
    pub(super) fn gatherers(&self, surface: &Surface<'s>, ways: &BTreeMap<&str, Ways>) -> Gatherers<'s> {
        let mut gatherers = Gatherers::new();
        for verb in &surface.verbs {
            for fact in self.facts.of_verb(verb) {
                let params = self.gathered_of(fact, ways.get(verb.name()), gatherers.get(fact.name));
                gatherers.insert(fact.name, params);
            }
        }
        gatherers
    }

    /// What the gatherer of a fact is given in a verb with these `ways`. `agreed` are its parameters,
    /// as far as they are known.
    pub(super) fn gathered_of(
        &self,
        fact: &Fact<'s>,
        ways: Option<&Ways>,
        agreed: Option<&Vec<Param>>,
    ) -> Vec<Param> {
        let typed = ways.map(|ways| self.params(&fact.of_what(), ways, true));
        let fits = |params: &Vec<Param>| {
            let own = signature(params);
            own.is_some() && agreed.is_none_or(|agreed| signature(agreed) == own)
        };
        typed.filter(fits).unwrap_or_else(|| self.params(&fact.of_what(), &Ways::new(), true))
    }
}

/// The parameters of each gatherer, by fact.
pub(super) type Gatherers<'s> = BTreeMap<&'s str, Vec<Param>>;

fn param(name: &str, of: TokenStream, argument: TokenStream) -> Param {
    Param { name: format_ident!("{name}"), of, argument, local: false, seen: true }
}

/// What tells the parameters of checks apart; `None` where a type belongs to one verb alone.
fn signature(params: &[Param]) -> Option<String> {
    let each = params.iter().map(|Param { name, of, local, .. }| (!local).then(|| format!("{name}: {of},")));
    each.collect()
}

/// The contract of a check.
fn docs(constraint: &Constraint<'_>) -> String {
    let text = constraint.description();
    let mut docs = if text.is_empty() { "No description.".to_owned() } else { text.into_owned() };
    if let Some(help) = constraint.file.help {
        docs.push_str("\n\n");
        docs.push_str(help);
    }
    docs
}

impl<'s> Checks<'s> {
    /// The checks of a verb, in the order in which they are evaluated.
    pub(super) fn of_verb(&self, verb: &str) -> &[Check<'s>] {
        self.by_verb.get(verb).map(Vec::as_slice).unwrap_or_default()
    }

    /// The trait with the checks that verbs share, if there are any.
    pub(super) fn shared(&self) -> Option<TokenStream> {
        let methods = self.shared.values().map(Check::declaration);
        (!self.shared.is_empty()).then(|| {
            quote! {
                /// One check for each code that verbs share, with the same reads and details in all of
                /// them. A check is pure: it has its parameters and nothing else to hold on to.
                pub trait Checks {
                    #(#methods)*
                }
            }
        })
    }
}

impl Check<'_> {
    /// Whether it looks at what is `seen` of a call.
    pub(super) fn sees(&self) -> bool {
        self.predicate().is_some() || self.params.iter().any(|param| param.seen)
    }

    /// The function that was made from its predicate.
    pub(super) fn predicate(&self) -> Option<&TokenStream> {
        match &self.home {
            Home::Verb | Home::Shared => None,
            Home::Predicate(body) => Some(body),
        }
    }

    pub(super) fn declaration(&self) -> TokenStream {
        let Check { code, method, variant, .. } = self;
        let docs = outer_docs(&self.docs);
        let names = self.params.iter().map(|param| &param.name);
        let types = self.params.iter().map(|param| &param.of);
        let details = if self.has_details { quote!(super::details::#variant) } else { quote!(()) };
        let errors = format!(" `{code}`: what is said above is so.");
        quote! {
            #docs
            ///
            /// # Errors
            #[doc = #errors]
            fn #method(#(#names: #types),*) -> Result<(), forecheck::Failed<#details>>;
        }
    }
}
