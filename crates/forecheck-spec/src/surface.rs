//! A checked surface: every name resolved, every fact derived, ready for the generators.

use std::borrow::Cow;
use std::collections::BTreeMap;

use forecheck_contract::recipe::Recipe;
use forecheck_contract::resend::{Meaning, Reads};
use forecheck_contract::table::{Retired, SurfaceId};

use crate::file::{ConstraintFile, FactFile, Repeat, VerbFile};
use crate::instance::fields_at;
use crate::schema::{Place, Resource, Schemas};

/// All verbs of one folder, without an error in them.
#[derive(Debug)]
pub struct Surface<'s> {
    /// Name, version, site and digest.
    pub id: SurfaceId,
    /// What it is for.
    pub description: Option<&'s str>,
    /// The verbs, sorted by name.
    pub verbs: Vec<Verb<'s>>,
    /// The facts, by name.
    pub facts: BTreeMap<&'s str, FactFile<'s>>,
    /// The shared schema resources.
    pub schemas: Schemas<'s>,
    /// Codes and verbs that are gone.
    pub retired: Vec<Retired>,
}

/// One verb, checked.
#[derive(Debug)]
pub struct Verb<'s> {
    /// What its author wrote.
    pub file: VerbFile<'s>,
    /// The pointer of the target in the input, for a verb that has one.
    pub target: Option<&'s str>,
    /// The preconditions, in the order in which they are evaluated.
    pub constraints: Vec<Constraint<'s>>,
    /// How an input is spelled, which of its fields have defaults, and how a key sees it.
    pub recipe: Recipe,
}

/// One precondition of a verb, checked.
#[derive(Debug, Clone)]
pub struct Constraint<'s> {
    /// What its author wrote.
    pub file: ConstraintFile<'s>,
    /// What the check may look at; `None` where it is not declared.
    pub reads: Option<Reads>,
    /// What a refusal means for a resend of this verb.
    pub meaning: Meaning,
}

/// When a constraint is evaluated: classes in this order, file order within each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Authority, checked even for a repeat.
    Policy,
    /// Reads the input alone.
    InputOnly,
    /// Reads facts, or does not say what it reads.
    State,
}

impl Class {
    /// What the class is called in messages.
    pub const fn as_str(self) -> &'static str {
        match self {
            Class::Policy => "policy",
            Class::InputOnly => "input-only",
            Class::State => "state",
        }
    }
}

impl<'s> Verb<'s> {
    /// The name.
    pub fn name(&self) -> &'s str {
        self.file.verb.value
    }

    /// The revision of the key's recipe.
    pub fn revision(&self) -> u64 {
        self.file.revision.map_or(1, |revision| revision.value)
    }

    /// How long a call has to be in doubt before a probe that finds no trace of its effect is believed; `None`
    /// for a verb whose doubts nobody looks into.
    pub fn settle_after(&self) -> Option<&'s str> {
        let is_recorded = !self.is_read_only() && self.repeat() != Repeat::Run;
        self.file.settle_after.filter(|_| is_recorded && self.file.probe.is_some())
    }

    /// What a repeat of a call that succeeded does.
    pub fn repeat(&self) -> Repeat {
        self.file.repeat.map_or(Repeat::Skip, |repeat| repeat.value)
    }

    /// Whether the verb declares that it changes nothing.
    pub fn is_read_only(&self) -> bool {
        self.file.effects.as_ref().is_some_and(Vec::is_empty)
    }

    /// How the key sees an input; absent for a read-only verb, which has no key.
    pub fn key_recipe(&self) -> Option<&Recipe> {
        (!self.is_read_only()).then_some(&self.recipe)
    }

    /// The schema of the input.
    pub fn input(&self) -> Place<'s> {
        Resource::own(self.file.input).place()
    }

    /// Whether an input of the verb has what the gatherer of a fact needs.
    pub fn can_gather(&self, schemas: &Schemas<'s>, fact: &FactFile<'_>) -> bool {
        let has = |of: &str| match of {
            "target" => self.target.is_some(),
            "input" => true,
            pointer => !fields_at(schemas, &self.input(), pointer).is_empty(),
        };
        fact.of.iter().flatten().all(|of| has(of.value))
    }

    /// The schema of the output, where the verb declares one.
    pub fn output(&self) -> Option<Place<'s>> {
        self.file.output.map(|node| Resource::own(node).place())
    }
}

impl<'s> Constraint<'s> {
    /// The bare name.
    pub fn code(&self) -> &'s str {
        self.file.code.value
    }

    /// Whether the check runs even for a repeat.
    pub fn is_policy(&self) -> bool {
        self.file.policy == Some(true)
    }

    /// When it is evaluated.
    pub fn class(&self) -> Class {
        match &self.reads {
            _ if self.is_policy() => Class::Policy,
            Some(reads) if reads.facts.is_empty() => Class::InputOnly,
            Some(_) | None => Class::State,
        }
    }

    /// The condition as one line; empty where there is no text.
    pub fn description(&self) -> Cow<'s, str> {
        crate::text::collapsed(self.file.description.map_or("", |text| text.value))
    }
}
