//! Twins: each constraint is seen to refuse, and the same call is seen to act where it holds. And
//! [examples](conform_examples): the checks are seen to say what the spec says.
//!
//! `forecheck gen` lists the twins of a surface in its module `twins`. What is left to its author is a
//! [`Sandbox`], and for each code how that constraint comes to fail. The examples in its module `examples`
//! need neither.

mod example;

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use forecheck_contract::outcome::{Effects, Outcome, Status};

use crate::run::Host;
use crate::verb::World;

pub use example::{Disagreement, Example, Judged, PlayedExample, conform_examples, judge};

/// A world in which one twin is played, and the call that is made in it.
pub trait Sandbox: Sized {
    /// The world.
    type World: World;

    /// A world in which every constraint of the verb holds for [`input`](Self::input).
    fn satisfied(verb: &str) -> Self;

    /// Where the call runs.
    fn host(&self) -> &Host<Self::World>;

    /// The input that is sent, as JSON text.
    fn input(&self) -> String;

    /// Everything that an effect could change: the contents of files by path (of the whole tree, `.git`
    /// included), and what else the world holds.
    fn snapshot(&self) -> BTreeMap<String, Vec<u8>>;
}

/// A constraint of a verb, and how it alone comes to fail.
pub struct Twin<S: Sandbox> {
    /// The verb.
    pub verb: &'static str,
    /// The code of the constraint.
    pub code: &'static str,
    /// Makes the constraint fail.
    pub break_it: fn(&mut S),
    /// Calls the verb.
    pub call: fn(&Host<S::World>, &[u8]) -> Outcome,
    /// Says what a call would come to. An effect that declines refuses, too; only a check refuses here.
    pub preflight: fn(&Host<S::World>, &[u8]) -> Outcome,
    /// Whether the verb has effects.
    pub acts: bool,
}

impl<S: Sandbox> fmt::Debug for Twin<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Twin").field("verb", &self.verb).field("code", &self.code).finish_non_exhaustive()
    }
}

/// One half of a twin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Half {
    /// The constraint fails: the call is refused with its code, and changes nothing.
    Refused,
    /// Every constraint holds: the call succeeds, and what it does is seen.
    Effect,
}

impl Half {
    /// The half as [`Played`] spells it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Half::Refused => "refused",
            Half::Effect => "effect",
        }
    }
}

/// What went wrong with a twin.
#[derive(Debug, Clone, PartialEq)]
pub enum Violation {
    /// The constraint fails, and the call was not refused with its code before every other.
    NotRefused {
        /// The code of the twin.
        expected: &'static str,
        /// The answer.
        outcome: Box<Outcome>,
    },
    /// A refused call, or one of a verb without effects, left something behind.
    Changed {
        /// What differs, by its name in the snapshots.
        paths: Vec<String>,
    },
    /// Every constraint holds, and the call did not succeed.
    NotSucceeded {
        /// The answer.
        outcome: Box<Outcome>,
    },
    /// A verb with effects succeeded, and nothing differs.
    NothingHappened,
    /// The half ended in a panic.
    Panicked {
        /// What the panic said.
        message: String,
    },
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Violation::NotRefused { expected, outcome } => {
                write!(f, "not refused with {expected}: {}", Answer(outcome))
            }
            Violation::Changed { paths } => write!(f, "the call changed {}", paths.join(", ")),
            Violation::NotSucceeded { outcome } => write!(f, "not succeeded: {}", Answer(outcome)),
            Violation::NothingHappened => f.write_str("the call succeeded and nothing happened"),
            Violation::Panicked { message } => write!(f, "panicked: {message}"),
        }
    }
}

impl std::error::Error for Violation {}

/// An answer in a line.
struct Answer<'a>(&'a Outcome);

impl fmt::Display for Answer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Outcome { status, refusal, message, .. } = self.0;
        f.write_str(status.as_str())?;
        match (refusal, message) {
            (Some(refusal), _) => write!(f, " {} ({})", refusal.code, refusal.message),
            (None, Some(message)) => write!(f, " ({message})"),
            (None, None) => Ok(()),
        }
    }
}

/// A half of a twin that was played. Its text is one line: `twin VERB CODE refused ok`, or `effect`
/// instead of `refused`, or `FAILED` and the reason instead of `ok`.
#[derive(Debug, Clone, PartialEq)]
pub struct Played {
    /// The verb.
    pub verb: &'static str,
    /// The code.
    pub code: &'static str,
    /// The half.
    pub half: Half,
    /// How it went.
    pub result: Result<(), Violation>,
}

impl fmt::Display for Played {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Played { verb, code, half, result } = self;
        write!(f, "twin {verb} {code} {} ", half.as_str())?;
        match result {
            Ok(()) => f.write_str("ok"),
            Err(violation) => {
                write!(f, "FAILED {}", violation.to_string().split_whitespace().collect::<Vec<_>>().join(" "))
            }
        }
    }
}

/// Plays both halves of all twins, whatever becomes of the others.
pub fn conform<S: Sandbox>(twins: &[Twin<S>]) -> Vec<Played> {
    twins.iter().flat_map(|twin| [Half::Refused, Half::Effect].map(|half| twin.played(half))).collect()
}

impl<S: Sandbox> Twin<S> {
    /// Plays both halves.
    ///
    /// # Errors
    /// What went wrong with the first half that failed.
    pub fn play(&self) -> Result<(), Violation> {
        self.refusal_half()?;
        self.effect_half()
    }

    fn played(&self, half: Half) -> Played {
        let play = || match half {
            Half::Refused => self.refusal_half(),
            Half::Effect => self.effect_half(),
        };
        let result = catch_unwind(AssertUnwindSafe(play))
            .unwrap_or_else(|panic| Err(Violation::Panicked { message: said(&*panic) }));
        Played { verb: self.verb, code: self.code, half, result }
    }

    fn refusal_half(&self) -> Result<(), Violation> {
        let mut sandbox = S::satisfied(self.verb);
        (self.break_it)(&mut sandbox);
        for ask in [self.preflight, self.call] {
            let (outcome, changed) = played(&sandbox, ask);
            let refused = outcome.status == Status::Refused
                && outcome.effects_of_this_call == Effects::None
                && outcome.refusal.as_ref().is_some_and(|refusal| refusal.code == self.code);
            if !refused {
                return Err(Violation::NotRefused { expected: self.code, outcome: Box::new(outcome) });
            }
            if !changed.is_empty() {
                return Err(Violation::Changed { paths: changed });
            }
        }
        Ok(())
    }

    fn effect_half(&self) -> Result<(), Violation> {
        let (outcome, changed) = played(&S::satisfied(self.verb), self.call);
        match (outcome.status, self.acts, changed.is_empty()) {
            (Status::Succeeded, true, false) | (Status::Succeeded, false, true) => Ok(()),
            (Status::Succeeded, true, true) => Err(Violation::NothingHappened),
            (Status::Succeeded, false, false) => Err(Violation::Changed { paths: changed }),
            _ => Err(Violation::NotSucceeded { outcome: Box::new(outcome) }),
        }
    }
}

/// The answer, and what differs after it.
fn played<S: Sandbox>(sandbox: &S, ask: fn(&Host<S::World>, &[u8]) -> Outcome) -> (Outcome, Vec<String>) {
    let before = sandbox.snapshot();
    let outcome = ask(sandbox.host(), sandbox.input().as_bytes());
    (outcome, differences(&before, &sandbox.snapshot()))
}

fn differences(before: &BTreeMap<String, Vec<u8>>, after: &BTreeMap<String, Vec<u8>>) -> Vec<String> {
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    names.into_iter().filter(|name| before.get(*name) != after.get(*name)).cloned().collect()
}

fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "something".to_owned())
}
