//! Examples: the checks of a verb say what the examples in its spec say.
//!
//! An example is judged as a call is, with no world behind it: what checks read of the world are the
//! facts that it gives.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use forecheck_contract::json::{self, Limits};
use forecheck_contract::outcome::{Outcome, Status};
use forecheck_contract::runtime_code::RuntimeCode;
use serde_json::{Map, Value};

use super::{Answer, said};
use crate::run::judged;
use crate::verb::{FactName, FactSlots, NoSlot, Verb};

/// An example of a verb, as its spec gives it.
#[derive(Debug, Clone, Copy)]
pub struct Example {
    /// The verb.
    pub verb: &'static str,
    /// What it shows, or its number in the verb.
    pub title: &'static str,
    /// The input that is sent, as JSON text.
    pub input: &'static str,
    /// The facts at that time by name, as the text of a JSON object; `None` where it says nothing of the
    /// world.
    pub facts: Option<&'static str>,
    /// The status or the code that it answers.
    pub expect: &'static str,
    /// Judges it: [`judge`] of its verb in a world.
    pub judge: fn(&Example) -> Result<Judged, Disagreement>,
}

/// What an example comes to that is not contradicted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Judged {
    /// The checks say what it says.
    Agrees,
    /// It gives no facts, and a check needs this one.
    NeedsFact {
        /// The name of the fact.
        fact: &'static str,
    },
    /// No check says what it says: that is up to the ledger or to the effect.
    NotByChecks,
}

/// How an example and the checks disagree.
#[derive(Debug, Clone, PartialEq)]
pub enum Disagreement {
    /// The checks answer something else.
    Answer {
        /// What they answer: `refused`, or `cleared` where every constraint holds.
        outcome: Box<Outcome>,
    },
    /// A check needs a fact that is not among those that the example gives.
    MissingFact {
        /// The name of the fact.
        fact: &'static str,
    },
    /// No check of the verb reads this fact.
    UnknownFact {
        /// The name that the example gives it.
        fact: String,
    },
    /// The fact is not what checks take for it.
    UnfitFact {
        /// The name of the fact.
        fact: String,
        /// Why it does not fit.
        reason: String,
    },
    /// The facts are no text of a JSON object.
    FactsUnreadable,
    /// A check ended in a panic.
    Panicked {
        /// What the panic said.
        message: String,
    },
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Disagreement::Answer { outcome } => Answer(outcome).fmt(f),
            Disagreement::MissingFact { fact } => write!(f, "the example does not give the fact `{fact}`"),
            Disagreement::UnknownFact { fact } => write!(f, "no check of the verb reads the fact `{fact}`"),
            Disagreement::UnfitFact { fact, reason } => write!(f, "the fact `{fact}` does not fit: {reason}"),
            Disagreement::FactsUnreadable => f.write_str("the facts are no JSON object"),
            Disagreement::Panicked { message } => write!(f, "panicked: {message}"),
        }
    }
}

impl std::error::Error for Disagreement {}

/// An example that was played. Its text is one line: `example VERB EXPECT "TITLE" ok`, or `open` and what
/// cannot be said instead of `ok`, or `FAILED` and what the checks say.
#[derive(Debug, Clone, PartialEq)]
pub struct PlayedExample {
    /// The verb.
    pub verb: &'static str,
    /// What it shows.
    pub title: &'static str,
    /// The status or the code that it answers.
    pub expect: &'static str,
    /// How it went.
    pub result: Result<Judged, Disagreement>,
}

impl fmt::Display for PlayedExample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PlayedExample { verb, title, expect, result } = self;
        write!(f, "example {verb} {expect} {title:?} ")?;
        match result {
            Ok(Judged::Agrees) => f.write_str("ok"),
            Ok(Judged::NeedsFact { fact }) => write!(f, "open: it gives no facts, not even `{fact}`"),
            Ok(Judged::NotByChecks) => f.write_str("open: no check says so"),
            Err(disagreement) => {
                let text = disagreement.to_string();
                write!(f, "FAILED {}", text.split_whitespace().collect::<Vec<_>>().join(" "))
            }
        }
    }
}

/// Plays all examples, whatever becomes of the others.
pub fn conform_examples(examples: &[Example]) -> Vec<PlayedExample> {
    let played = |example: &Example| {
        let result = catch_unwind(AssertUnwindSafe(|| (example.judge)(example)))
            .unwrap_or_else(|panic| Err(Disagreement::Panicked { message: said(&*panic) }));
        PlayedExample { verb: example.verb, title: example.title, expect: example.expect, result }
    };
    examples.iter().map(played).collect()
}

/// Judges an example of a verb with the checks of its world, in the order of a call: the input is
/// admitted, policy is checked, then everything else.
///
/// # Errors
/// How the example and the checks disagree.
pub fn judge<V: Verb>(example: &Example) -> Result<Judged, Disagreement> {
    let facts = facts::<V>(example)?;
    if matches!(Expected::of(example.expect), Expected::OfRecordOrEffect) {
        return Ok(Judged::NotByChecks);
    }
    match (judged::<V>(example.input.as_bytes(), facts), example.facts) {
        (Ok(outcome), _) if Expected::of(example.expect).is(&outcome) => Ok(Judged::Agrees),
        (Ok(outcome), _) => Err(Disagreement::Answer { outcome }),
        (Err(fact), None) => Ok(Judged::NeedsFact { fact: fact.name() }),
        (Err(_), Some(_)) if example.expect == RuntimeCode::FactUnavailable.as_str() => Ok(Judged::Agrees),
        (Err(fact), Some(_)) => Err(Disagreement::MissingFact { fact: fact.name() }),
    }
}

/// The facts that an example gives, each in its slot.
fn facts<V: Verb>(example: &Example) -> Result<V::Facts, Disagreement> {
    let mut facts = V::Facts::default();
    for (fact, value) in given(example.facts.unwrap_or("{}"))? {
        facts.put(&fact, value).map_err(|no_slot| match no_slot {
            NoSlot::Unknown => Disagreement::UnknownFact { fact },
            NoSlot::Unfit(reason) => Disagreement::UnfitFact { fact, reason },
        })?;
    }
    Ok(facts)
}

fn given(text: &str) -> Result<Map<String, Value>, Disagreement> {
    let node = json::read(text.as_bytes(), Limits::SPEC).ok();
    match node.and_then(|node| serde_json::to_value(&node).ok()) {
        Some(Value::Object(members)) => Ok(members),
        Some(_) | None => Err(Disagreement::FactsUnreadable),
    }
}

/// What an example expects, as far as checks can say it.
enum Expected<'e> {
    /// Every constraint holds.
    Cleared,
    /// Some constraint does not hold, or the input is not admitted.
    Refused,
    /// It is refused with this code before every other.
    Code(&'e str),
    /// What the ledger knows, or what becomes of the effect.
    OfRecordOrEffect,
}

impl Expected<'_> {
    fn of(expect: &str) -> Expected<'_> {
        match Status::ALL.into_iter().find(|status| status.as_str() == expect) {
            Some(Status::Succeeded | Status::Cleared) => Expected::Cleared,
            Some(Status::Refused) => Expected::Refused,
            Some(Status::SkippedIdempotent | Status::Failed | Status::InFlight | Status::InDoubt) => {
                Expected::OfRecordOrEffect
            }
            None if expect == RuntimeCode::LedgerUnavailable.as_str() => Expected::OfRecordOrEffect,
            None => Expected::Code(expect),
        }
    }

    fn is(&self, outcome: &Outcome) -> bool {
        match self {
            Expected::Cleared => outcome.status == Status::Cleared,
            Expected::Refused => outcome.status == Status::Refused,
            Expected::Code(code) => outcome.refusal.as_ref().is_some_and(|refusal| refusal.code == *code),
            Expected::OfRecordOrEffect => false,
        }
    }
}
