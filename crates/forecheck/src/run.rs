//! The order of a call, in one function, for hosts that block and for those that do not.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;

use forecheck_contract::outcome::Outcome;
use forecheck_contract::runtime_code::RuntimeCode;
use serde_json::json;

use crate::ledger::Ledger;
use crate::stage::{Books, Call, Cleared, Fresh, Reserved, Settled};
use crate::verb::{
    ActPorts, Class, Effectful, FactName, FactUnavailable, ReadOnly, ReadPorts, Seen, Verb, Verdict, World,
};

/// Where calls run: a world's ports, the ledger, and on whose behalf.
#[derive(Debug)]
pub struct Host<W: World> {
    /// What gatherers and read-only verbs are given.
    pub read: W::Read,
    /// What effects are given.
    pub act: W::Act,
    /// The record of calls.
    pub ledger: Arc<dyn Ledger>,
    /// The acting principal: nobody sees the outcomes of another's calls.
    pub scope: String,
}

impl<W: World> Host<W> {
    fn books(&self) -> Books<'_> {
        Books { ledger: &self.ledger, scope: &self.scope }
    }
}

/// Where a call stands after a step.
enum Step<V: Verb> {
    /// A fact is needed.
    Need(Pending<V>),
    /// Every constraint holds.
    Cleared(Cleared<V>),
    /// It has its answer.
    Ended(Box<Outcome>),
}

/// A call that waits for a fact.
#[derive(Debug)]
pub struct Pending<V: Verb> {
    stage: Stage<V>,
    fact: V::Fact,
}

#[derive(Debug)]
enum Stage<V: Verb> {
    /// Policy is being checked.
    Policy(Call<V>),
    /// The ledger was asked, and the other constraints are being checked.
    Rest(Fresh<V>),
}

impl<V: Verb> Pending<V> {
    /// The fact.
    pub fn fact(&self) -> V::Fact {
        self.fact
    }

    /// What is known of the call.
    pub fn seen(&self) -> &Seen<V> {
        &self.call().seen
    }

    /// The facts that were gathered so far, with the slot for the one that is needed.
    pub fn facts(&mut self) -> &mut V::Facts {
        &mut self.call_mut().facts
    }

    /// Gathers the fact as a blocking host does.
    ///
    /// # Errors
    /// Why it cannot be gathered.
    pub fn gather(&mut self, read: &ReadPorts<V>) -> Result<(), FactUnavailable> {
        let fact = self.fact;
        let call = self.call_mut();
        V::gather(fact, &call.seen, &mut call.facts, read)
    }

    fn call(&self) -> &Call<V> {
        match &self.stage {
            Stage::Policy(call) => call,
            Stage::Rest(fresh) => &fresh.call,
        }
    }

    fn call_mut(&mut self) -> &mut Call<V> {
        match &mut self.stage {
            Stage::Policy(call) => call,
            Stage::Rest(fresh) => &mut fresh.call,
        }
    }

    fn unavailable(&self, unavailable: &FactUnavailable) -> Box<Outcome> {
        let fact = self.fact.name();
        let message = format!("the fact `{fact}` could not be gathered: {unavailable}");
        let details = json!({ "fact": fact, "reason": unavailable.to_string() });
        self.call().refused_by_runtime(RuntimeCode::FactUnavailable, message, details)
    }
}

/// The order of every call: policy, ledger, all other constraints. Each time a fact is missing it
/// stops, and goes on from there once the fact was gathered.
fn advance<V: Verb>(mut stage: Stage<V>, books: &Books<'_>) -> Step<V> {
    loop {
        stage = match stage {
            Stage::Policy(call) => match V::judge(Class::Policy, &call.seen, &call.facts) {
                Verdict::Need(fact) => return Step::Need(Pending { stage: Stage::Policy(call), fact }),
                Verdict::Refused(first, also) => return Step::Ended(call.refused(first, also)),
                Verdict::Clear => match call.look_up(books) {
                    Ok(fresh) => Stage::Rest(fresh),
                    Err(ended) => return Step::Ended(ended),
                },
            },
            Stage::Rest(fresh) => {
                return match V::judge(Class::Rest, &fresh.call.seen, &fresh.call.facts) {
                    Verdict::Need(fact) => Step::Need(Pending { stage: Stage::Rest(fresh), fact }),
                    Verdict::Refused(first, also) => Step::Ended(fresh.refused(books, first, also)),
                    Verdict::Clear => Step::Cleared(fresh.cleared()),
                };
            }
        };
    }
}

fn begin<V: Verb>(text: &[u8], books: &Books<'_>) -> Step<V> {
    match Call::read(text) {
        Ok(call) => advance(Stage::Policy(call), books),
        Err(ended) => Step::Ended(ended),
    }
}

fn clear<V: Verb>(text: &[u8], host: &Host<V::World>) -> Result<Cleared<V>, Box<Outcome>> {
    let books = host.books();
    let mut step = begin(text, &books);
    loop {
        step = match step {
            Step::Cleared(cleared) => return Ok(cleared),
            Step::Ended(outcome) => return Err(outcome),
            Step::Need(mut pending) => match pending.gather(&host.read) {
                Ok(()) => advance(pending.stage, &books),
                Err(unavailable) => return Err(pending.unavailable(&unavailable)),
            },
        };
    }
}

/// Runs a call: checks every constraint, claims the call, acts.
///
/// An `effect` that panics leaves the call in doubt, and that is what this answers.
pub fn run<V: Effectful>(
    text: &[u8],
    host: &Host<V::World>,
    effect: impl FnOnce(&ActPorts<V>, Reserved<V>) -> Settled<V>,
) -> Outcome {
    let reserved = clear::<V>(text, host).and_then(|cleared| cleared.reserve(&host.books()));
    match reserved {
        Err(ended) => *ended,
        Ok(reserved) => {
            let lost = reserved.lost();
            let ended = catch_unwind(AssertUnwindSafe(|| effect(&host.act, reserved)));
            ended.map_or(*lost, Settled::into_outcome)
        }
    }
}

/// Runs a read-only call: checks every constraint, answers.
pub fn answer<V: ReadOnly>(
    text: &[u8],
    host: &Host<V::World>,
    answer: impl FnOnce(&ReadPorts<V>, Cleared<V>) -> Settled<V>,
) -> Outcome {
    match clear::<V>(text, host) {
        Ok(cleared) => answer(&host.read, cleared).into_outcome(),
        Err(ended) => *ended,
    }
}

/// Says what a call would come to, and does nothing: `cleared`, or how it would end before its
/// effect begins.
pub fn preflight<V: Verb>(text: &[u8], host: &Host<V::World>) -> Outcome {
    clear::<V>(text, host).map_or_else(|ended| *ended, |cleared| cleared.preflight())
}

/// As [`run`], for an asynchronous host. `gather` fills the slot of [`Pending::fact`] in
/// [`Pending::facts`].
///
/// When this future is dropped, or `effect` panics, the call is in doubt from the moment on when it
/// was claimed.
pub async fn run_async<V: Effectful>(
    text: &[u8],
    host: &Host<V::World>,
    mut gather: impl AsyncFnMut(&ReadPorts<V>, &mut Pending<V>) -> Result<(), FactUnavailable>,
    effect: impl AsyncFnOnce(&ActPorts<V>, Reserved<V>) -> Settled<V>,
) -> Outcome {
    let books = host.books();
    let mut step = begin::<V>(text, &books);
    let reserved = loop {
        step = match step {
            Step::Cleared(cleared) => match cleared.reserve(&books) {
                Ok(reserved) => break reserved,
                Err(ended) => return *ended,
            },
            Step::Ended(outcome) => return *outcome,
            Step::Need(mut pending) => match gather(&host.read, &mut pending).await {
                Ok(()) => advance(pending.stage, &books),
                Err(unavailable) => return *pending.unavailable(&unavailable),
            },
        };
    };
    let lost = reserved.lost();
    let mut effect = pin!(effect(&host.act, reserved));
    let ended = std::future::poll_fn(|context| {
        match catch_unwind(AssertUnwindSafe(|| effect.as_mut().poll(context))) {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(settled)) => Poll::Ready(Some(settled)),
            Err(_) => Poll::Ready(None),
        }
    });
    ended.await.map_or(*lost, Settled::into_outcome)
}
