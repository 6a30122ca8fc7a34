//! The stages of a call. Each is made only by the one before; none is built, cloned or read from text.

mod doubtful;

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::SystemTime;

use forecheck_contract::key::Key;
use forecheck_contract::outcome::{Effects, Next, Outcome, Refusal, Status};
use forecheck_contract::runtime_code::RuntimeCode;
use serde::Deserialize as _;
use serde_json::Value;

use crate::definition::{Admitted, Identity, Loaded};
use crate::envelope;
use crate::ledger::{
    ClaimId, Claimed, HoldId, Known, Ledger, LedgerError, NewClaim, RowId, Settlement, Settling, Success,
};
use crate::verb::{Effectful, Failed, ReadOnly, Seen, Verb};

pub use doubtful::Doubtful;

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

    fn known(&self, known: Known) -> Ended {
        match known {
            Known::Succeeded(success) => Box::new(self.skipped(&success)),
            Known::InFlight => self.in_flight(None),
            Known::InDoubt(doubt) => Box::new(self.in_doubt(Effects::None, doubt.why)),
        }
    }

    fn in_flight(&self, message: Option<String>) -> Ended {
        let outcome = self.outcome(Status::InFlight, Effects::None);
        Box::new(Outcome { message, next: Some(Next::Wait), ..outcome })
    }

    /// A doubt that does not stand in the way of the next call needs nobody to resolve it.
    fn in_doubt(&self, effects: Effects, why: String) -> Outcome {
        let next = match self.loaded.settle_after {
            _ if self.acts_each_time() => None,
            Some(_) => Some(Next::Probe),
            None => Some(Next::AskOperator),
        };
        Outcome { message: Some(why), next, ..self.outcome(Status::InDoubt, effects) }
    }

    fn still_in_doubt(&self, next: Next, why: String) -> Ended {
        Box::new(Outcome { next: Some(next), ..self.in_doubt(Effects::None, why) })
    }

    fn skipped(&self, success: &Success) -> Outcome {
        let read = |text: &String| serde_json::from_str(text).map_err(|error| error.to_string());
        let output: Result<Value, _> = success.output.as_ref().map_err(ToString::to_string).and_then(read);
        let message = output.as_ref().err().map(|why| format!("the stored output cannot be read: {why}"));
        Outcome {
            output: output.ok(),
            message,
            first_succeeded_at: envelope::instant(success.at),
            remembered_until: success.until.and_then(envelope::instant),
            input_differs: success.input != self.identity.input,
            ..self.outcome(Status::SkippedIdempotent, Effects::None)
        }
    }

    /// Asks the ledger, and takes the target of an exclusive verb. A call that succeeded or is under way ends
    /// here; one in doubt may be looked at first.
    pub(crate) fn look_up(self, books: &Books<'_>) -> LookedUp<V> {
        match self.recorded(books) {
            Err(error) => LookedUp::Ended(self.ledger_unavailable(&error)),
            Ok(Some(Known::InDoubt(doubt))) => LookedUp::Doubtful(Doubtful::new(self, doubt)),
            Ok(Some(known)) => LookedUp::Ended(self.known(known)),
            Ok(None) => self.held(books).map_or_else(LookedUp::Ended, LookedUp::Fresh),
        }
    }

    fn held(self, books: &Books<'_>) -> Result<Fresh<V>, Ended> {
        if !(books.holds && self.loaded.verb.exclusive && !self.loaded.verb.read_only) {
            return Ok(Fresh { call: self, hold: None });
        }
        match books.ledger.hold(&self.seen.target) {
            Ok(Some(id)) => {
                let hold = Hold { id, ledger: Arc::clone(books.ledger) };
                Ok(Fresh { call: self, hold: Some(hold) })
            }
            Ok(None) => {
                let message = format!("another call has `{}` to itself", self.seen.target);
                Err(self.in_flight(Some(message)))
            }
            Err(error) => Err(self.ledger_unavailable(&error)),
        }
    }

    /// What the ledger knows of a call that it keeps a record of.
    fn recorded(&self, books: &Books<'_>) -> Result<Option<Known>, LedgerError> {
        if self.loaded.verb.read_only || self.acts_each_time() {
            return Ok(None);
        }
        books.ledger.look_up(&RowId { scope: books.scope.to_owned(), key: self.identity.key })
    }

    fn acts_each_time(&self) -> bool {
        self.loaded.verb.repeat == forecheck_contract::definition::Repeat::Run
    }
}

/// What the ledger says of a call.
pub(crate) enum LookedUp<V: Verb> {
    /// Nothing is recorded.
    Fresh(Fresh<V>),
    /// It is in doubt.
    Doubtful(Doubtful<V>),
    /// It has its answer.
    Ended(Ended),
}

/// The ledger, and on whose behalf it is asked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Books<'b> {
    pub(crate) ledger: &'b Arc<dyn Ledger>,
    pub(crate) scope: &'b str,
    /// Whether the targets of exclusive verbs are taken.
    pub(crate) holds: bool,
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
        match self.call.recorded(books) {
            Ok(Some(known)) => self.call.known(known),
            Ok(None) | Err(_) => self.call.refused(first, also),
        }
    }

    /// For the one function that has evaluated every constraint.
    pub(crate) fn cleared(self) -> Cleared<V> {
        Cleared { fresh: self }
    }
}

/// A target that an exclusive call has to itself.
struct Hold {
    id: HoldId,
    ledger: Arc<dyn Ledger>,
}

impl Drop for Hold {
    fn drop(&mut self) {
        // A ledger that fails here frees the target once its holder is gone.
        drop(self.ledger.release(&self.id));
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
    pub(crate) fn token(&self) -> Token {
        Token { key: self.fresh.call.identity.key, fence: None }
    }

    /// What is answered for a call that was given the answer of another one.
    pub(crate) fn lost(&self) -> Ended {
        let message = Some("the verb answered for another call".to_owned());
        Box::new(Outcome { message, ..self.fresh.call.outcome(Status::Failed, Effects::None) })
    }

    /// The verb's answer.
    pub fn answered(self, output: &V::Output) -> Settled<V> {
        let call = &self.fresh.call;
        match serde_json::to_value(output) {
            Ok(output) => {
                let outcome = call.outcome(Status::Succeeded, Effects::None);
                Settled::of(self.token(), Outcome { output: Some(output), ..outcome })
            }
            Err(error) => self.failed(format!("the output cannot be written as JSON: {error}")),
        }
    }

    /// The verb could not answer, and that is nobody's refusal.
    pub fn failed(self, why: impl Into<String>) -> Settled<V> {
        let outcome = self.fresh.call.outcome(Status::Failed, Effects::None);
        Settled::of(self.token(), Outcome { message: Some(why.into()), ..outcome })
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
            shown: call.loaded.shown(&call.seen.value),
            each_acts: call.acts_each_time(),
        };
        match books.ledger.claim(claim) {
            Ok(Claimed::Yes(id)) => {
                let token = Token { key: call.identity.key, fence: Some(id.fence) };
                let claim = Claim { open: Some(id), ledger: Arc::clone(books.ledger) };
                Ok(Reserved { call, token, claim, hold })
            }
            Ok(Claimed::No(known)) => Err(call.known(known)),
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
    token: Token,
    claim: Claim,
    /// Given back after the claim is settled: fields are dropped in this order.
    #[expect(dead_code, reason = "it is there to be dropped")]
    hold: Option<Hold>,
}

/// Why a call is in doubt that was dropped.
const UNSAID: &str = "the effect ended without saying what it did";

/// A claim that ends in doubt unless it is settled.
struct Claim {
    open: Option<ClaimId>,
    ledger: Arc<dyn Ledger>,
}

impl Claim {
    /// Settles the claim. One that could not be settled like that is still open, and ends in doubt.
    fn settle(&mut self, settlement: &Settlement) -> Result<Option<SystemTime>, String> {
        let Some(id) = &self.open else { return Ok(None) };
        match self.ledger.settle(id, settlement) {
            Ok(Settling::Recorded { until }) => {
                self.open = None;
                Ok(until)
            }
            Ok(Settling::Lost) => Err("the claim is not this call's any more".to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Best effort, once: one that cannot be recorded is in doubt as soon as its owner is gone.
    fn doubt(&mut self, why: &str) {
        if let Some(id) = self.open.take() {
            drop(self.ledger.settle(&id, &Settlement::InDoubt { why: why.to_owned() }));
        }
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        self.doubt(UNSAID);
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
        match self.claim.settle(&Settlement::Succeeded { output: value.to_string(), window }) {
            Ok(until) => {
                let outcome = self.call.outcome(Status::Succeeded, Effects::Complete);
                let remembered_until = until.and_then(envelope::instant);
                Settled::of(self.token, Outcome { output: Some(value), remembered_until, ..outcome })
            }
            Err(why) => {
                let why = format!("the effect took place, but that could not be recorded: {why}");
                self.claim.doubt(&why);
                let outcome = self.call.in_doubt(Effects::Complete, why);
                Settled::of(self.token, Outcome { output: Some(value), ..outcome })
            }
        }
    }

    /// It is proven that nothing happened: the key is free again.
    pub fn nothing_happened(mut self, why: impl Into<String>) -> Settled<V> {
        let message = Some(why.into());
        match self.claim.settle(&Settlement::NothingHappened) {
            Ok(_) => Settled::of(
                self.token,
                Outcome { message, ..self.call.outcome(Status::Failed, Effects::None) },
            ),
            Err(why) => self.unrecorded(&why),
        }
    }

    /// Nothing was started, because a declared constraint turned out not to hold after all: what it
    /// is about changed since it was checked. The key is free again.
    pub fn declined(mut self, refusal: impl Into<Failed<V::Refusal>>) -> Settled<V> {
        match self.claim.settle(&Settlement::NothingHappened) {
            Ok(_) => Settled::of(self.token, *self.call.refused(refusal.into(), Vec::new())),
            Err(why) => self.unrecorded(&why),
        }
    }

    fn unrecorded(mut self, why: &str) -> Settled<V> {
        let why = format!("nothing happened, but that could not be recorded: {why}");
        self.claim.doubt(&why);
        Settled::of(self.token, self.call.in_doubt(Effects::None, why))
    }

    /// A part of the effect took place.
    pub fn partly(self, why: impl Into<String>) -> Settled<V> {
        self.unsettled(Effects::Partial, why.into())
    }

    /// It is not known whether the effect took place.
    pub fn in_doubt(self, why: impl Into<String>) -> Settled<V> {
        self.unsettled(Effects::Unknown, why.into())
    }

    fn unsettled(mut self, effects: Effects, why: String) -> Settled<V> {
        self.claim.doubt(&why);
        Settled::of(self.token, self.call.in_doubt(effects, why))
    }

    pub(crate) fn token(&self) -> Token {
        self.token
    }

    /// What is answered for an effect that did not come back.
    pub(crate) fn lost(&self) -> Ended {
        Box::new(self.call.in_doubt(Effects::Unknown, UNSAID.to_owned()))
    }
}

/// Which call it is that an answer is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token {
    key: Key,
    /// The claim; a read-only call has none.
    fence: Option<u64>,
}

/// A call that has its answer.
#[must_use = "the answer is for the caller"]
pub struct Settled<V: Verb> {
    outcome: Ended,
    token: Token,
    verb: PhantomData<fn() -> V>,
}

impl<V: Verb> Settled<V> {
    fn of(token: Token, outcome: Outcome) -> Self {
        Settled { outcome: Box::new(outcome), token, verb: PhantomData }
    }

    /// The answer, if it is that of the call `token`. An effect may make other calls, and must not answer
    /// with one of theirs.
    pub(crate) fn of_call(self, token: Token) -> Option<Outcome> {
        (self.token == token).then_some(*self.outcome)
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

debug_names_the_verb! { Call Doubtful Fresh Cleared Reserved Settled }
