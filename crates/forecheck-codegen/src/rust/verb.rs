//! A verb as the runtime knows it: its checks in their order, its facts, its effect.

use forecheck_contract::definition::{ConstraintDefinition, VerbDefinition};
use forecheck_spec::schema::bundle::bundle;
use forecheck_spec::surface::{Class, Surface, Verb};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::checks::{Check, Checks, Gatherers, Home, Maker, Ways};
use super::facts::Fact;
use super::names::field_name;
use crate::generator::GenerateError;

/// The names of types that each verb's module has beside those of its schemas.
pub(super) const TAKEN: [&str; 8] =
    ["Refusal", "Verb", "Facts", "Fact", "Checks", "Effect", "Answer", "Probe"];

/// What the modules of all verbs are made from.
pub(super) struct Runtime<'r, 's> {
    pub(super) surface: &'r Surface<'s>,
    pub(super) maker: Maker<'r, 's>,
    pub(super) checks: Checks<'s>,
    pub(super) gatherers: Gatherers<'s>,
}

impl<'s> Runtime<'_, 's> {
    /// The part of a verb's module that is for the runtime.
    pub(super) fn verb(&self, verb: &Verb<'s>, ways: Option<&Ways>) -> Result<TokenStream, GenerateError> {
        let definition = self.definition(verb)?;
        let facts = self.maker.facts.of_verb(verb);
        let checks = self.checks.of_verb(verb.name());
        let own: Vec<TokenStream> =
            checks.iter().filter(|check| matches!(check.home, Home::Verb)).map(Check::declaration).collect();
        let own = (!own.is_empty()).then(|| {
            quote! {
                /// The checks that only this verb has. A check is pure: it has its parameters and nothing
                /// else to hold on to.
                pub trait Checks { #(#own)* }
            }
        });
        let predicates: Vec<&TokenStream> = checks.iter().filter_map(Check::predicate).collect();
        let predicates = (!predicates.is_empty()).then(|| quote!(mod predicates { #(#predicates)* }));
        let world = world(checks, &facts);
        let judging = judging(checks, &facts);
        let gathering = self.gathering(&facts, ways);
        let (slots, names) = (slots(&facts), fact_names(&facts));
        let output = match verb.output() {
            Some(_) => quote!(Output),
            None => quote!(serde_json::Value),
        };
        let acting = acting(verb, &world, &output);
        Ok(quote! {
            #own
            #predicates
            #slots
            #names
            /// The verb in a world.
            #[derive(Debug)]
            pub struct Verb<W>(std::marker::PhantomData<fn() -> W>);
            #definition
            impl<W: #world> forecheck::Verb for Verb<W> {
                type World = W;
                type Input = Input;
                type Output = #output;
                type Refusal = Refusal;
                type Facts = Facts;
                type Fact = Fact;
                const NAME: &'static str = VERB;
                fn definition() -> &'static forecheck::Definition { definition() }
                #judging
                #gathering
            }
            #acting
        })
    }

    fn definition(&self, verb: &Verb<'s>) -> Result<TokenStream, GenerateError> {
        let constraint = |constraint: &forecheck_spec::surface::Constraint<'_>| ConstraintDefinition {
            code: constraint.code().to_owned(),
            description: constraint.description().into_owned(),
            subject: constraint.file.subject.iter().flatten().map(|at| at.value.to_owned()).collect(),
            meaning: constraint.meaning.clone(),
        };
        let definition = VerbDefinition {
            verb: verb.name().to_owned(),
            read_only: verb.is_read_only(),
            repeat: verb.repeat(),
            exclusive: verb.file.exclusive == Some(true),
            window: verb.file.window.map(str::to_owned),
            settle_after: verb.settle_after().map(str::to_owned),
            recipe: verb.recipe.clone(),
            input: bundle(&self.surface.schemas, verb.file.input),
            constraints: verb.constraints.iter().map(constraint).collect(),
        };
        let text = serde_json::to_string(&definition).map_err(|error| GenerateError {
            path: format!("{}.rs", verb.name()),
            reason: error.to_string(),
        })?;
        let key = (!verb.is_read_only()).then(|| {
            quote! {
                /// The idempotency key of a call with the input `text`.
                ///
                /// # Errors
                /// The refusal of an input that has none.
                pub fn key(text: &[u8]) -> Result<forecheck::Key, Box<forecheck::outcome::Refusal>> {
                    definition().key(text)
                }
            }
        });
        Ok(quote! {
            /// What the surface says of the verb.
            pub fn definition() -> &'static forecheck::Definition {
                static DEFINITION: std::sync::LazyLock<forecheck::Definition> =
                    std::sync::LazyLock::new(|| forecheck::Definition::embedded(VERB, super::SPEC_SHA256, #text));
                &DEFINITION
            }
            #key
        })
    }

    fn gathering(&self, facts: &[&Fact<'s>], ways: Option<&Ways>) -> TokenStream {
        if facts.is_empty() {
            return quote! {
                fn gather(
                    fact: Fact,
                    _seen: &forecheck::Seen<Self>,
                    _facts: &mut Facts,
                    _read: &W::Read,
                ) -> Result<(), forecheck::FactUnavailable> {
                    match fact {}
                }
            };
        }
        let mut sees = false;
        let arms: TokenStream = facts
            .iter()
            .map(|fact| {
                let agreed = self.gatherers.get(fact.name);
                let params = self.maker.gathered_of(fact, ways, agreed);
                sees |= params.iter().any(|param| param.seen);
                let arguments = params.iter().map(|param| &param.argument);
                let Fact { ident, variant, .. } = fact;
                quote! {
                    Fact::#variant => {
                        facts.#ident = Some(<W as super::facts::Gather>::#ident(read #(, #arguments)*)?);
                    }
                }
            })
            .collect();
        let seen = parameter("seen", sees);
        quote! {
            fn gather(
                fact: Fact,
                #seen: &forecheck::Seen<Self>,
                facts: &mut Facts,
                read: &W::Read,
            ) -> Result<(), forecheck::FactUnavailable> {
                match fact { #arms }
                Ok(())
            }
        }
    }
}

/// What a verb asks of its world.
fn world(checks: &[Check<'_>], facts: &[&Fact<'_>]) -> TokenStream {
    let has = |home: fn(&Home) -> bool| checks.iter().any(|check| home(&check.home));
    let own = has(|home| matches!(home, Home::Verb)).then(|| quote!(+ Checks));
    let shared = has(|home| matches!(home, Home::Shared)).then(|| quote!(+ super::checks::Checks));
    let gather = (!facts.is_empty()).then(|| quote!(+ super::facts::Gather));
    quote!(forecheck::World #own #shared #gather)
}

/// Evaluates the constraints: policy one after the other, the input-only ones together, the others one
/// after the other.
fn judging(checks: &[Check<'_>], facts: &[&Fact<'_>]) -> TokenStream {
    let of_class = |class| checks.iter().filter(move |check| check.class == class);
    let policy = in_turn(of_class(Class::Policy), facts);
    let together: Vec<TokenStream> = of_class(Class::InputOnly)
        .map(|check| {
            let failing = failing(check);
            quote!(failed.extend(#failing);)
        })
        .collect();
    let together = (!together.is_empty()).then(|| {
        quote! {
            let mut failed = Vec::new();
            #(#together)*
            if let Some(refused) = forecheck::Verdict::refused(failed) { return refused; }
        }
    });
    let rest = in_turn(of_class(Class::State), facts);
    let seen = parameter("seen", checks.iter().any(Check::sees));
    let given = parameter("facts", !facts.is_empty());
    quote! {
        fn judge(
            class: forecheck::Class,
            #seen: &forecheck::Seen<Self>,
            #given: &Facts,
        ) -> forecheck::Verdict<Self> {
            match class {
                forecheck::Class::Policy => { #policy }
                forecheck::Class::Rest => { #together #rest }
            }
            forecheck::Verdict::Clear
        }
    }
}

/// The name of a parameter: with an underscore in front where it is not used.
fn parameter(name: &str, used: bool) -> Ident {
    if used { format_ident!("{name}") } else { format_ident!("_{name}") }
}

/// Checks up to the first that fails, each after the facts that it needs.
fn in_turn<'c, 's: 'c>(checks: impl Iterator<Item = &'c Check<'s>>, facts: &[&Fact<'_>]) -> TokenStream {
    let mut bound: Vec<&str> = Vec::new();
    let mut body = TokenStream::new();
    for check in checks {
        for fact in facts.iter().filter(|fact| check.facts.contains(&fact.name)) {
            if !bound.contains(&fact.name) {
                bound.push(fact.name);
                let Fact { ident, local, variant, .. } = fact;
                body.extend(quote! {
                    let Some(#local) = &facts.#ident else {
                        return forecheck::Verdict::Need(Fact::#variant);
                    };
                });
            }
        }
        let failing = failing(check);
        body.extend(quote! {
            if let Some(failed) = #failing { return forecheck::Verdict::Refused(failed, Vec::new()); }
        });
    }
    body
}

/// The refusal of a check, if it fails.
fn failing(check: &Check<'_>) -> TokenStream {
    let Check { method, variant, .. } = check;
    let arguments = check.params.iter().map(|param| &param.argument);
    let of = match &check.home {
        Home::Verb => quote!(Checks),
        Home::Shared => quote!(super::checks::Checks),
        Home::Predicate(_) => {
            let refuses = refuses(check);
            return quote!(#refuses.then(|| forecheck::Failed::from(Refusal::#variant)));
        }
    };
    let map = if check.has_details { quote!(Refusal::#variant) } else { quote!(|()| Refusal::#variant) };
    quote!(<W as #of>::#method(#(#arguments),*).err().map(|failed| failed.map(#map)))
}

/// Whether a predicate refuses. A fact that cannot be written as JSON refuses, too.
fn refuses(check: &Check<'_>) -> TokenStream {
    let Check { method, params, .. } = check;
    let names = params.iter().map(|param| &param.name);
    let judged = quote!(predicates::#method(seen.value() #(, &#names)*));
    params.iter().rev().fold(judged, |judged, param| {
        let (name, argument) = (&param.name, &param.argument);
        quote!(forecheck::as_json(#argument).is_none_or(|#name| #judged))
    })
}

fn slots(facts: &[&Fact<'_>]) -> TokenStream {
    let slots = facts.iter().map(|fact| {
        let (ident, of) = (&fact.ident, fact.of());
        let about = format!(" `{}`, once it was gathered.", fact.name);
        quote!(#[doc = #about] pub #ident: Option<#of>)
    });
    let given = given(facts);
    quote! {
        /// The facts that the checks read.
        #[derive(Debug, Clone, Default, PartialEq)]
        pub struct Facts { #(#slots,)* }
        #given
    }
}

/// Facts that are given by name as JSON.
fn given(facts: &[&Fact<'_>]) -> TokenStream {
    let puts = facts.iter().map(|fact| {
        let Fact { name, ident, .. } = fact;
        let value = match fact.file {
            Some(_) => quote!(forecheck::fact_from_json(value)?),
            None => quote!(forecheck::time_from_json(&value)?),
        };
        quote!(#name => self.#ident = Some(#value))
    });
    let value = parameter("value", !facts.is_empty());
    let body = if facts.is_empty() {
        quote!(Err(forecheck::NoSlot::Unknown))
    } else {
        quote! {
            match fact {
                #(#puts,)*
                _ => return Err(forecheck::NoSlot::Unknown),
            }
            Ok(())
        }
    };
    let fact = parameter("fact", !facts.is_empty());
    quote! {
        impl forecheck::FactSlots for Facts {
            fn put(&mut self, #fact: &str, #value: serde_json::Value) -> Result<(), forecheck::NoSlot> { #body }
        }
    }
}

fn fact_names(facts: &[&Fact<'_>]) -> TokenStream {
    let variants: Vec<&Ident> = facts.iter().map(|fact| &fact.variant).collect();
    let names: Vec<&str> = facts.iter().map(|fact| fact.name).collect();
    let docs = names.iter().map(|name| format!(" `{name}`"));
    quote! {
        /// The names of the facts that the checks read.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Fact { #(#[doc = #docs] #variants,)* }
        impl forecheck::FactName for Fact {
            fn name(self) -> &'static str { match self { #(Fact::#variants => #names,)* } }
        }
    }
}

/// The effect, or for a read-only verb the answer, and the whole call.
fn acting(verb: &Verb<'_>, world: &TokenStream, output: &TokenStream) -> TokenStream {
    let preflight = quote! {
        /// Says what a call would come to, and does nothing.
        pub fn preflight<W: #world>(host: &forecheck::Host<W>, text: &[u8]) -> forecheck::outcome::Outcome {
            forecheck::preflight::<Verb<W>>(text, host)
        }
    };
    if verb.is_read_only() {
        return quote! {
            impl<W: #world> forecheck::ReadOnly for Verb<W> {}
            /// What the verb answers once every constraint holds.
            pub trait Answer: #world {
                /// Answers the call.
                fn answer(read: &Self::Read, call: forecheck::Cleared<Verb<Self>>) -> forecheck::Settled<Verb<Self>>;
            }
            /// Checks every constraint of a call with the input `text`, and answers.
            pub fn call<W: Answer>(host: &forecheck::Host<W>, text: &[u8]) -> forecheck::outcome::Outcome {
                forecheck::answer::<Verb<W>>(text, host, <W as Answer>::answer)
            }
            #preflight
        };
    }
    let probe =
        verb.settle_after().and(verb.file.probe).map(|probe| format_ident!("{}", field_name(probe.value)));
    let probing = probe.as_ref().map(|_| quote!(+ Probe));
    let declared = probe.as_ref().map(|probe| {
        quote! {
            /// Looks whether the effect of a call in doubt took place.
            pub trait Probe: #world {
                /// What there is of it. Nothing is changed.
                fn #probe(read: &Self::Read, call: &forecheck::Doubtful<Verb<Self>>) -> forecheck::Look<#output>;
            }
        }
    });
    let look = probe.map(|probe| {
        quote! {
            fn look(read: &W::Read, call: &forecheck::Doubtful<Self>) -> Option<forecheck::Look<#output>> {
                Some(<W as Probe>::#probe(read, call))
            }
        }
    });
    quote! {
        #declared
        impl<W: #world #probing> forecheck::Effectful for Verb<W> { #look }
        /// What the verb does once every constraint holds and the call is claimed in the ledger.
        pub trait Effect: #world #probing {
            /// Acts, and says what became of it.
            fn apply(act: &Self::Act, call: forecheck::Reserved<Verb<Self>>) -> forecheck::Settled<Verb<Self>>;
        }
        /// Checks every constraint of a call with the input `text`, claims the call, and acts.
        pub fn call<W: Effect>(host: &forecheck::Host<W>, text: &[u8]) -> forecheck::outcome::Outcome {
            forecheck::run::<Verb<W>>(text, host, <W as Effect>::apply)
        }
        #preflight
    }
}
