//! The stages of a call. Each is made only by the one before; none is built, cloned or read from text.

use std::fmt;
use std::sync::Arc;

use forecheck_contract::key::Key;
use forecheck_contract::outcome::{Effects, Next, Outcome, Refusal, Status};
use forecheck_contract::runtime_code::RuntimeCode;
use serde::Deserialize as _;
use serde_json::Value;

use crate::definition::{Admitted, Identity, Loaded};
use crate::envelope;
use crate::ledger::{ClaimId, Claimed, Ledger, LedgerError, NewClaim, Record, RowId, Settlement, Success};
use crate::verb::{Effectful, Failed, ReadOnly, Seen, Verb};

/// How a call ended, made ready for its caller.
type Ended = Box<Outcome>;

/// A call whose input was read strictly, spelled, validated and hashed.
pub(crate) struct Call<V: Verb> {
    pub(crate) seen: Seen<V>,
    pub(crate) facts: V::Facts,
    pub(crate) loaded: &'static Loaded,
    identity: Identity,
}

impl<V: Verb> Call<V> {
    /// Reads the input of a call.
    pub(crate) fn read(text: &[u8]) -> Result<Self, Ended> {
        let loaded = V::definition().loaded()?;
        let refused = |refusal: Box<Refusal>| envelope::refused(loaded, None, *refusal);
        let Admitted { identity, target, value } = loaded.admit(text).map_err(refused)?;
        let input =
            V::Input::deserialize(&value).map_err(|error| refused(Box::new(envelope::unreadable(&error))))?;
        let seen = Seen { input, target, value };
        Ok(Call { seen, facts: V::Facts::default(), loaded, identity })
    }

    /// Absent for a read-only verb.
    fn key(&self) -> Option<Key> {
        (!self.loaded.verb.read_only).then_some(self.identity.key)
    }

    pub(crate) fn refused(&self, first: Failed<V::Refusal>, also: Vec<Failed<V::Refusal>>) -> Ended {
        let refusal = |failed| envelope::refusal(self.loaded, &self.seen.value, failed);
        let also = also.into_iter().map(refusal).collect();
        self.ended_refused(Refusal { also, ..refusal(first) })
    }

    pub(crate) fn refused_by_runtime(&self, code: RuntimeCode, message: String, details: Value) -> Ended {
        self.ended_refused(envelope::runtime_refusal(code, message, Vec::new(), Some(details)))
    }

    fn ended_refused(&self, refusal: Refusal) -> Ended {
        envelope::refused(self.loaded, self.key(), refusal)
    }

    fn ledger_unavailable(&self, error: &LedgerError) -> Ended {
        let details = serde_json::json!({ "reason": error.to_string() });
        let message = format!("the record of calls is not available: {error}");
        self.refused_by_runtime(RuntimeCode::LedgerUnavailable, message, details)
    }

    fn outcome(&self, status: Status, effects: Effects) -> Outcome {
        envelope::outcome(self.loaded, self.key(), status, effects)
    }

    fn known(&self, record: Record) -> Ended {
        Box::new(match record {
            Record::Succeeded(success) => self.skipped(&success),
            Record::InFlight | Record::Absent => {
                Outcome { next: Some(Next::Wait), ..self.outcome(Status::InFlight, Effects::None) }
            }
            Record::InDoubt => {
                Outcome { next: Some(Next::AskOperator), ..self.outcome(Status::InDoubt, Effects::None) }
            }
        })
    }

    fn skipped(&self, success: &Success) -> Outcome {
        Outcome {
            output: serde_json::from_str(&success.output).ok(),
            first_succeeded_at: envelope::instant(success.at),
            remembered_until: success.until.and_then(envelope::instant),
            input_differs: success.input != self.identity.input,
            ..self.outcome(Status::SkippedIdempotent, Effects::None)
        }
    }

    /// Asks the ledger, and takes the target of an exclusive verb. A call that succeeded, is under way or
    /// in doubt ends here.
    pub(crate) fn look_up(self, books: &Books<'_>) -> Result<Fresh<V>, Ended> {
        self.unknown_to(books)?;
        let verb = &self.loaded.verb;
        if verb.read_only || !verb.exclusive {
            return Ok(Fresh { call: self, hold: None });
        }
        let target = self.seen.target.clone();
        match books.ledger.hold(&target) {
            Ok(true) => {
                let hold = Hold { target, ledger: Arc::clone(books.ledger) };
                Ok(Fresh { call: self, hold: Some(hold) })
            }
            Ok(false) => Err(self.known(Record::InFlight)),
            Err(error) => Err(self.ledger_unavailable(&error)),
        }
    }

    /// Ends a call of which the ledger knows something.
    fn unknown_to(&self, books: &Books<'_>) -> Result<(), Ended> {
        if self.loaded.verb.read_only || self.acts_each_time() {
            return Ok(());
        }
        let row = RowId { scope: books.scope.to_owned(), key: self.identity.key };
        match books.ledger.look_up(&row) {
            Ok(Record::Absent) => Ok(()),
            Ok(record) => Err(self.known(record)),
            Err(error) => Err(self.ledger_unavailable(&error)),
        }
    }

    fn acts_each_time(&self) -> bool {
        self.loaded.verb.repeat == forecheck_contract::definition::Repeat::Run
    }
}

/// The ledger, and on whose behalf it is asked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Books<'b> {
    pub(crate) ledger: &'b Arc<dyn Ledger>,
    pub(crate) scope: &'b str,
}

/// A call of which nothing is recorded: its remaining constraints are still to be checked.
pub(crate) struct Fresh<V: Verb> {
    pub(crate) call: Call<V>,
    hold: Option<Hold>,
}

impl<V: Verb> Fresh<V> {
    /// A refusal by what the world is like. The same call may have succeeded since the ledger was asked,
    /// and be the reason; then it is skipped.
    pub(crate) fn refused(
        &self,
        books: &Books<'_>,
        first: Failed<V::Refusal>,
        also: Vec<Failed<V::Refusal>>,
    ) -> Ended {
        match self.call.unknown_to(books) {
            Ok(()) => self.call.refused(first, also),
            Err(known) => known,
        }
    }

    /// For the one function that has evaluated every constraint.
    pub(crate) fn cleared(self) -> Cleared<V> {
        Cleared { fresh: self }
    }
}

/// A target that an exclusive call has to itself.
struct Hold {
    target: String,
    ledger: Arc<dyn Ledger>,
}

impl Drop for Hold {
    fn drop(&mut self) {
        // A ledger that fails here frees the target once its holder is gone.
        drop(self.ledger.release(&self.target));
    }
}

/// A call of which every constraint holds.
///
/// Nothing but their evaluation makes one. The effect of a verb asks for a [`Reserved`] call, so it
/// cannot be reached from here without the ledger.
#[must_use = "a cleared call has done nothing yet"]
pub struct Cleared<V: Verb> {
    fresh: Fresh<V>,
}

impl<V: Verb> Cleared<V> {
    /// What the checks have seen.
    pub fn seen(&self) -> &Seen<V> {
        &self.fresh.call.seen
    }

    /// The input with its defaults filled in.
    pub fn input(&self) -> &V::Input {
        &self.seen().input
    }

    /// The facts that the checks have read.
    pub fn facts(&self) -> &V::Facts {
        &self.fresh.call.facts
    }

    pub(crate) fn preflight(&self) -> Outcome {
        self.fresh.call.outcome(Status::Cleared, Effects::None)
    }
}

impl<V: ReadOnly> Cleared<V> {
    /// The verb's answer.
    pub fn answered(self, output: &V::Output) -> Settled<V> {
        let call = &self.fresh.call;
        match serde_json::to_value(output) {
            Ok(output) => Settled::of(Outcome {
                output: Some(output),
                ..call.outcome(Status::Succeeded, Effects::None)
            }),
            Err(error) => self.failed(format!("the output cannot be written as JSON: {error}")),
        }
    }

    /// The verb could not answer, and that is nobody's refusal.
    pub fn failed(self, why: impl Into<String>) -> Settled<V> {
        let outcome = self.fresh.call.outcome(Status::Failed, Effects::None);
        Settled::of(Outcome { message: Some(why.into()), ..outcome })
    }
}

impl<V: Effectful> Cleared<V> {
    /// Claims the call in the ledger, durably.
    ///
    /// # Errors
    /// How the call ends, where somebody else has claimed it or the ledger cannot be written.
    pub(crate) fn reserve(self, books: &Books<'_>) -> Result<Reserved<V>, Ended> {
        let Fresh { call, hold } = self.fresh;
        let claim = NewClaim {
            row: RowId { scope: books.scope.to_owned(), key: call.identity.key },
            verb: call.loaded.verb.verb.clone(),
            input: call.identity.input,
            each_acts: call.acts_each_time(),
        };
        match books.ledger.claim(claim) {
            Ok(Claimed::Yes(id)) => {
                let claim = Claim { open: Some(id), ledger: Arc::clone(books.ledger) };
                Ok(Reserved { call, claim, hold })
            }
            Ok(Claimed::No(record)) => Err(call.known(record)),
            Err(error) => Err(call.ledger_unavailable(&error)),
        }
    }
}

/// A cleared call that is claimed in the ledger: what an effect takes, by value.
///
/// Dropped without being settled - a panic, a cancelled future - it is in doubt.
#[must_use = "a reserved call that is dropped is in doubt"]
pub struct Reserved<V: Verb> {
    call: Call<V>,
    claim: Claim,
    /// Given back after the claim is settled: fields are dropped in this order.
    #[expect(dead_code, reason = "it is there to be dropped")]
    hold: Option<Hold>,
}

/// A claim that ends in doubt unless it is settled.
struct Claim {
    open: Option<ClaimId>,
    ledger: Arc<dyn Ledger>,
}

impl Claim {
    fn settle(&mut self, settlement: Settlement) -> Result<(), LedgerError> {
        match self.open.take() {
            Some(id) => self.ledger.settle(&id, settlement),
            None => Ok(()),
        }
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        // Best effort: a row whose owner is gone is in doubt anyway.
        drop(self.settle(Settlement::InDoubt));
    }
}

impl<V: Verb> Reserved<V> {
    /// What the checks have seen.
    pub fn seen(&self) -> &Seen<V> {
        &self.call.seen
    }

    /// The input with its defaults filled in.
    pub fn input(&self) -> &V::Input {
        &self.call.seen.input
    }

    /// The facts that the checks have read.
    pub fn facts(&self) -> &V::Facts {
        &self.call.facts
    }

    /// The idempotency key, for systems that take one.
    pub fn key(&self) -> Key {
        self.call.identity.key
    }

    /// The effect took place, all of it. The output is stored for repeats.
    pub fn succeeded(mut self, output: &V::Output) -> Settled<V> {
        let value = match serde_json::to_value(output) {
            Ok(value) => value,
            Err(error) => {
                let why = format!("the effect took place, but its output cannot be written as JSON: {error}");
                return self.unsettled(Effects::Complete, why);
            }
        };
        let window = self.call.loaded.window;
        match self.claim.settle(Settlement::Succeeded { output: value.to_string(), window }) {
            Ok(()) => {
                let until = window.and_then(|window| std::time::SystemTime::now().checked_add(window));
                let outcome = self.call.outcome(Status::Succeeded, Effects::Complete);
                let remembered_until = until.and_then(envelope::instant);
                Settled::of(Outcome { output: Some(value), remembered_until, ..outcome })
            }
            Err(error) => {
                let why = format!("the effect took place, but that could not be recorded: {error}");
                let Settled { outcome, .. } = self.unsettled(Effects::Complete, why);
                Settled::of(Outcome { output: Some(value), ..*outcome })
            }
        }
    }

    /// It is proven that nothing happened: the key is free again.
    pub fn nothing_happened(mut self, why: impl Into<String>) -> Settled<V> {
        let why = why.into();
        match self.claim.settle(Settlement::NothingHappened) {
            Ok(()) => {
                let outcome = self.call.outcome(Status::Failed, Effects::None);
                Settled::of(Outcome { message: Some(why), ..outcome })
            }
            Err(error) => {
                let why = format!("{why}; nothing happened, but that could not be recorded: {error}");
                self.unsettled(Effects::None, why)
            }
        }
    }

    /// Nothing was started, because a declared constraint turned out not to hold after all: what it
    /// is about changed since it was checked. The key is free again.
    pub fn declined(mut self, refusal: impl Into<Failed<V::Refusal>>) -> Settled<V> {
        match self.claim.settle(Settlement::NothingHappened) {
            Ok(()) => Settled {
                outcome: self.call.refused(refusal.into(), Vec::new()),
                verb: std::marker::PhantomData,
            },
            Err(error) => {
                let why = format!("nothing was started, but that could not be recorded: {error}");
                self.unsettled(Effects::None, why)
            }
        }
    }

    /// A part of the effect took place.
    pub fn partly(self, why: impl Into<String>) -> Settled<V> {
        self.unsettled(Effects::Partial, why.into())
    }

    /// It is not known whether the effect took place.
    pub fn in_doubt(self, why: impl Into<String>) -> Settled<V> {
        self.unsettled(Effects::Unknown, why.into())
    }

    fn unsettled(self, effects: Effects, why: String) -> Settled<V> {
        let outcome = self.call.outcome(Status::InDoubt, effects);
        Settled::of(Outcome { message: Some(why), next: Some(Next::AskOperator), ..outcome })
    }

    /// What is answered for an effect that did not come back.
    pub(crate) fn lost(&self) -> Ended {
        let message = Some("the effect ended without saying what it did".to_owned());
        let outcome = self.call.outcome(Status::InDoubt, Effects::Unknown);
        Box::new(Outcome { message, next: Some(Next::AskOperator), ..outcome })
    }
}

/// A call that has its answer.
#[must_use = "the answer is for the caller"]
pub struct Settled<V: Verb> {
    outcome: Ended,
    verb: std::marker::PhantomData<fn() -> V>,
}

impl<V: Verb> Settled<V> {
    fn of(outcome: Outcome) -> Self {
        Settled { outcome: Box::new(outcome), verb: std::marker::PhantomData }
    }

    pub(crate) fn into_outcome(self) -> Outcome {
        *self.outcome
    }
}

/// Debug says the stage and the verb; an input may hold what does not belong in a log.
macro_rules! debug_names_the_verb {
    ($($stage:ident)+) => {
        $(impl<V: Verb> fmt::Debug for $stage<V> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($stage)).finish_non_exhaustive()
            }
        })+
    };
}

debug_names_the_verb! { Call Fresh Cleared Reserved Settled }
