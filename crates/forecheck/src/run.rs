//! The order of a call, in one function, for hosts that block and for those that do not.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::SystemTime;

use forecheck_contract::outcome::Outcome;
use forecheck_contract::runtime_code::RuntimeCode;
use serde_json::json;

use crate::ledger::Ledger;
use crate::ledger::memory::MemoryLedger;
use crate::stage::{Books, Call, Cleared, Doubtful, Fresh, LookedUp, Reserved, Settled};
use crate::verb::{
    ActPorts, Class, Effectful, FactName, FactUnavailable, Look, ReadOnly, ReadPorts, Seen, Verb, Verdict,
    World,
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
        Books { ledger: &self.ledger, scope: &self.scope, holds: true }
    }

    /// For a look that must not stand in the way of a call.
    fn books_of_a_preflight(&self) -> Books<'_> {
        Books { holds: false, ..self.books() }
    }
}

/// Where a call stands after a step.
enum Step<V: Verb> {
    /// A fact is needed.
    Need(Pending<V>),
    /// The ledger does not know what became of it.
    Doubtful(Doubtful<V>),
    /// Every constraint holds.
    Cleared(Cleared<V>),
    /// It has its answer.
    Ended(Box<Outcome>),
}

/// A call that waits for a fact.
struct Pending<V: Verb> {
    stage: Stage<V>,
    fact: V::Fact,
}

enum Stage<V: Verb> {
    /// Policy is being checked.
    Policy(Call<V>),
    /// The ledger was asked, and the other constraints are being checked.
    Rest(Fresh<V>),
}

impl<V: Verb> Stage<V> {
    fn call(&mut self) -> &mut Call<V> {
        match self {
            Stage::Policy(call) => call,
            Stage::Rest(fresh) => &mut fresh.call,
        }
    }
}

impl<V: Verb> Pending<V> {
    fn unavailable(mut self, unavailable: &FactUnavailable) -> Box<Outcome> {
        let fact = self.fact.name();
        let message = format!("the fact `{fact}` could not be gathered: {unavailable}");
        let details = json!({ "fact": fact, "reason": unavailable.to_string() });
        self.stage.call().refused_by_runtime(RuntimeCode::FactUnavailable, message, details)
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
                    LookedUp::Fresh(fresh) => Stage::Rest(fresh),
                    LookedUp::Doubtful(doubtful) => return Step::Doubtful(doubtful),
                    LookedUp::Ended(ended) => return Step::Ended(ended),
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

/// Goes on with a call after a fact was gathered. One whose slot is still empty is not available.
fn go_on<V: Verb>(pending: Pending<V>, gathered: Result<(), FactUnavailable>, books: &Books<'_>) -> Step<V> {
    if let Err(unavailable) = gathered {
        return Step::Ended(pending.unavailable(&unavailable));
    }
    let fact = pending.fact.name();
    match advance(pending.stage, books) {
        Step::Need(again) if again.fact.name() == fact => {
            Step::Ended(again.unavailable(&FactUnavailable::new("its slot was left empty")))
        }
        step => step,
    }
}

/// Goes on with a call in doubt after its verb's probe has looked.
fn go_on_after<V: Verb>(
    doubtful: Doubtful<V>,
    look: Looks<V>,
    host: &Host<V::World>,
    books: &Books<'_>,
) -> Step<V> {
    let at = SystemTime::now();
    let looked = catch_unwind(AssertUnwindSafe(|| look(&host.read, &doubtful)));
    let seen = looked.unwrap_or_else(|_| Some(Look::Unknown("the probe panicked".to_owned())));
    doubtful
        .after(seen.map(|seen| (seen, at)), books)
        .map_or_else(Step::Ended, |fresh| advance(Stage::Rest(fresh), books))
}

/// Who looks whether the effect of a call in doubt took place.
type Looks<V> = fn(&ReadPorts<V>, &Doubtful<V>) -> Option<Look<<V as Verb>::Output>>;

/// For calls that cannot be in doubt, and for those that must not change what is known.
fn nobody_looks<V: Verb>(_: &ReadPorts<V>, _: &Doubtful<V>) -> Option<Look<V::Output>> {
    None
}

fn clear<V: Verb>(
    text: &[u8],
    host: &Host<V::World>,
    books: &Books<'_>,
    look: Looks<V>,
) -> Result<Cleared<V>, Box<Outcome>> {
    let mut step = begin(text, books);
    loop {
        step = match step {
            Step::Cleared(cleared) => return Ok(cleared),
            Step::Ended(outcome) => return Err(outcome),
            Step::Doubtful(doubtful) => go_on_after(doubtful, look, host, books),
            Step::Need(mut pending) => {
                let call = pending.stage.call();
                let gathered = V::gather(pending.fact, &call.seen, &mut call.facts, &host.read);
                go_on(pending, gathered, books)
            }
        };
    }
}

async fn clear_async<V: Verb>(
    text: &[u8],
    host: &Host<V::World>,
    books: &Books<'_>,
    look: Looks<V>,
    mut gather: impl AsyncFnMut(&ReadPorts<V>, V::Fact, &Seen<V>, &mut V::Facts) -> Result<(), FactUnavailable>,
) -> Result<Cleared<V>, Box<Outcome>> {
    let mut step = begin(text, books);
    loop {
        step = match step {
            Step::Cleared(cleared) => return Ok(cleared),
            Step::Ended(outcome) => return Err(outcome),
            Step::Doubtful(doubtful) => go_on_after(doubtful, look, host, books),
            Step::Need(mut pending) => {
                let call = pending.stage.call();
                let gathered = gather(&host.read, pending.fact, &call.seen, &mut call.facts).await;
                go_on(pending, gathered, books)
            }
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
    let books = host.books();
    match clear(text, host, &books, V::look).and_then(|cleared| cleared.reserve(&books)) {
        Err(ended) => *ended,
        Ok(reserved) => {
            let (token, lost) = (reserved.token(), reserved.lost());
            let ended = catch_unwind(AssertUnwindSafe(|| effect(&host.act, reserved))).ok();
            ended.and_then(|settled| settled.of_call(token)).unwrap_or(*lost)
        }
    }
}

/// Runs a read-only call: checks every constraint, answers.
pub fn answer<V: ReadOnly>(
    text: &[u8],
    host: &Host<V::World>,
    answer: impl FnOnce(&ReadPorts<V>, Cleared<V>) -> Settled<V>,
) -> Outcome {
    match clear(text, host, &host.books(), nobody_looks::<V>) {
        Ok(cleared) => {
            let (token, lost) = (cleared.token(), cleared.lost());
            answer(&host.read, cleared).of_call(token).unwrap_or(*lost)
        }
        Err(ended) => *ended,
    }
}

/// Says what a call would come to, and does nothing: `cleared`, or how it would end before its
/// effect begins. It does not take the target of an exclusive verb, nor say who has it.
pub fn preflight<V: Verb>(text: &[u8], host: &Host<V::World>) -> Outcome {
    let cleared = clear(text, host, &host.books_of_a_preflight(), nobody_looks::<V>);
    cleared.map_or_else(|ended| *ended, |cleared| cleared.preflight())
}

/// What a call comes to where only these facts are known and nothing is recorded; the fact that a check
/// needs where it is not among them.
pub(crate) fn judged<V: Verb>(text: &[u8], facts: V::Facts) -> Result<Box<Outcome>, V::Fact> {
    let ledger: Arc<dyn Ledger> = Arc::new(MemoryLedger::new());
    let books = Books { ledger: &ledger, scope: "", holds: false };
    let mut call = match Call::read(text) {
        Ok(call) => call,
        Err(refused) => return Ok(refused),
    };
    call.facts = facts;
    match advance::<V>(Stage::Policy(call), &books) {
        Step::Need(pending) => Err(pending.fact),
        Step::Doubtful(doubtful) => Ok(doubtful.not_looked_at()),
        Step::Cleared(cleared) => Ok(Box::new(cleared.preflight())),
        Step::Ended(outcome) => Ok(outcome),
    }
}

/// As [`run`], for an asynchronous host. `gather` fills the slot of the fact that it is
/// given, as [`Verb::gather`] does. The ledger and a probe are asked as they are, and may block.
///
/// When this future is dropped, or `effect` panics, the call is in doubt from the moment on when it
/// was claimed.
pub async fn run_async<V: Effectful>(
    text: &[u8],
    host: &Host<V::World>,
    gather: impl AsyncFnMut(&ReadPorts<V>, V::Fact, &Seen<V>, &mut V::Facts) -> Result<(), FactUnavailable>,
    effect: impl AsyncFnOnce(&ActPorts<V>, Reserved<V>) -> Settled<V>,
) -> Outcome {
    let books = host.books();
    let cleared = clear_async(text, host, &books, V::look, gather).await;
    match cleared.and_then(|cleared| cleared.reserve(&books)) {
        Err(ended) => *ended,
        Ok(reserved) => {
            let (token, lost) = (reserved.token(), reserved.lost());
            let acted = caught(async move { effect(&host.act, reserved).await }).await;
            acted.and_then(|settled| settled.of_call(token)).unwrap_or(*lost)
        }
    }
}

/// As [`answer`], for an asynchronous host.
pub async fn answer_async<V: ReadOnly>(
    text: &[u8],
    host: &Host<V::World>,
    gather: impl AsyncFnMut(&ReadPorts<V>, V::Fact, &Seen<V>, &mut V::Facts) -> Result<(), FactUnavailable>,
    answer: impl AsyncFnOnce(&ReadPorts<V>, Cleared<V>) -> Settled<V>,
) -> Outcome {
    match clear_async(text, host, &host.books(), nobody_looks::<V>, gather).await {
        Ok(cleared) => {
            let (token, lost) = (cleared.token(), cleared.lost());
            answer(&host.read, cleared).await.of_call(token).unwrap_or(*lost)
        }
        Err(ended) => *ended,
    }
}

/// As [`preflight`], for an asynchronous host.
pub async fn preflight_async<V: Verb>(
    text: &[u8],
    host: &Host<V::World>,
    gather: impl AsyncFnMut(&ReadPorts<V>, V::Fact, &Seen<V>, &mut V::Facts) -> Result<(), FactUnavailable>,
) -> Outcome {
    let cleared = clear_async(text, host, &host.books_of_a_preflight(), nobody_looks::<V>, gather).await;
    cleared.map_or_else(|ended| *ended, |cleared| cleared.preflight())
}

/// What `future` comes to; `None` when it panics.
async fn caught<T>(future: impl Future<Output = T>) -> Option<T> {
    let mut future = pin!(future);
    let polled = std::future::poll_fn(|context| {
        match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(context))) {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(value)) => Poll::Ready(Some(value)),
            Err(_) => Poll::Ready(None),
        }
    });
    polled.await
}
