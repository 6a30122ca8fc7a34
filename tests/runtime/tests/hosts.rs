//! The same order in a host that does not block.

use std::pin::pin;
use std::sync::Mutex;
use std::task::{Context, Poll, Waker};

use changes::generated::{land_change, list_changes, open_change};
use changes::{Act, Desk, End, Landing, State};
use forecheck::outcome::{Outcome, Status};
use forecheck::{Cleared, FactUnavailable, Host, Reserved, Seen, Settled, Verb as _};

use crate::desk::{OPEN, call, codes, effects, ends, host, state};

type Open = open_change::Verb<Desk>;
type Land = land_change::Verb<Desk>;

/// Comes back once before it is ready, as a network would.
async fn pause() {
    let mut waited = false;
    std::future::poll_fn(|context| {
        if std::mem::replace(&mut waited, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

async fn gather(
    read: &Mutex<State>,
    fact: open_change::Fact,
    seen: &Seen<Open>,
    facts: &mut open_change::Facts,
) -> Result<(), FactUnavailable> {
    pause().await;
    Open::gather(fact, seen, facts, read)
}

async fn effect(act: &Act, reserved: Reserved<Open>) -> Settled<Open> {
    pause().await;
    <Desk as open_change::Effect>::apply(act, reserved)
}

async fn open(host: &Host<Desk>) -> Outcome {
    forecheck::run_async::<Open>(OPEN.as_bytes(), host, gather, effect).await
}

/// Polls up to a number of times.
fn poll<T>(future: impl Future<Output = T>, times: usize) -> Option<T> {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    (0..times).find_map(|_| match future.as_mut().poll(&mut context) {
        Poll::Ready(value) => Some(value),
        Poll::Pending => None,
    })
}

#[test]
fn a_host_that_does_not_block_answers_alike() {
    let host = host();
    let first = poll(open(&host), 100).unwrap();
    assert_eq!((first.status, effects(&host)), (Status::Succeeded, vec!["open_change fix".to_owned()]));
    assert_eq!(poll(open(&host), 100).unwrap().status, Status::SkippedIdempotent);
    assert_eq!(call(&host, "open_change", OPEN).status, Status::SkippedIdempotent);
    let other = crate::desk::host();
    state(&other).dirty.push("a".to_owned());
    assert_eq!(codes(&poll(open(&other), 100).unwrap()), ["WORKTREE_DIRTY"]);
    state(&other).principal = None;
    assert_eq!(codes(&poll(open(&other), 100).unwrap()), ["FACT_UNAVAILABLE"]);
}

#[test]
fn a_host_that_does_not_block_answers_and_looks() {
    type List = list_changes::Verb<Desk>;
    async fn gather(
        read: &Mutex<State>,
        fact: list_changes::Fact,
        seen: &Seen<List>,
        facts: &mut list_changes::Facts,
    ) -> Result<(), FactUnavailable> {
        pause().await;
        List::gather(fact, seen, facts, read)
    }
    async fn answer(read: &Mutex<State>, cleared: Cleared<List>) -> Settled<List> {
        pause().await;
        <Desk as list_changes::Answer>::answer(read, cleared)
    }
    let (host, text) = (host(), br#"{"repo": "octo/hello"}"#);
    let listed = poll(forecheck::answer_async::<List>(text, &host, gather, answer), 100).unwrap();
    assert_eq!(listed.output, Some(serde_json::json!({"numbers": [1]})));
    let look = poll(forecheck::preflight_async::<List>(text, &host, gather), 100).unwrap();
    assert_eq!(look.status, Status::Cleared);
    state(&host).registry.clear();
    let look = poll(forecheck::preflight_async::<List>(text, &host, gather), 100).unwrap();
    assert_eq!(codes(&look), ["REPO_NOT_IN_REGISTRY"]);
}

#[test]
fn a_gatherer_that_leaves_its_slot_empty_refuses() {
    let host = host();
    let idle = async |_: &Mutex<State>, _, _: &Seen<Open>, _: &mut open_change::Facts| Ok(());
    let outcome = poll(forecheck::run_async::<Open>(OPEN.as_bytes(), &host, idle, effect), 100).unwrap();
    let details = serde_json::json!({"fact": "principal", "reason": "its slot was left empty"});
    assert_eq!(
        (codes(&outcome), &outcome.refusal.as_ref().unwrap().details),
        (vec!["FACT_UNAVAILABLE"], &Some(details))
    );
}

#[test]
fn a_call_may_go_to_another_thread_while_it_waits() {
    fn sent<T: Send>(future: T) -> T {
        future
    }
    let host = host();
    assert_eq!(poll(sent(open(&host)), 100).unwrap().status, Status::Succeeded);
}

#[test]
fn a_future_that_is_dropped_is_in_doubt_once_it_was_claimed() {
    let mut seen = Vec::new();
    for times in 1..10 {
        let host = host();
        assert_eq!(
            poll(open(&host), times).map(|outcome| outcome.status),
            (times > 6).then_some(Status::Succeeded)
        );
        seen.push(call(&host, "open_change", OPEN).status);
    }
    // Five facts are gathered before the claim, then the effect waits once.
    let mut expected = vec![Status::Succeeded; 5];
    expected.push(Status::InDoubt);
    expected.extend([Status::SkippedIdempotent; 3]);
    assert_eq!(seen, expected);
}

#[test]
fn an_effect_that_panics_in_a_host_that_does_not_block_is_in_doubt() {
    let host = host();
    crate::desk::ends(&host, changes::End::Panics);
    assert_eq!(poll(open(&host), 100).unwrap().status, Status::InDoubt);
    let early =
        |_: &Act, _: Reserved<Open>| -> std::future::Ready<Settled<Open>> { panic!("before it waits") };
    let other = crate::desk::host();
    let outcome = poll(forecheck::run_async::<Open>(OPEN.as_bytes(), &other, gather, early), 100);
    assert_eq!(outcome.unwrap().status, Status::InDoubt);
    crate::desk::ends(&host, changes::End::Succeeds);
    assert_eq!(call(&host, "open_change", OPEN).status, Status::InDoubt);
}

/// A host that does not block asks the probe of a verb as one that does.
#[test]
fn a_host_that_does_not_block_looks_what_became_of_a_doubt() {
    let (host, text) = (host(), br#"{"repo": "octo/hello", "number": 1}"#);
    let gather = async |read: &Mutex<State>, fact, seen: &Seen<Land>, facts: &mut land_change::Facts| {
        pause().await;
        Land::gather(fact, seen, facts, read)
    };
    let effect = async |act: &Act, reserved| {
        pause().await;
        <Desk as land_change::Effect>::apply(act, reserved)
    };
    ends(&host, End::IsLost);
    let land = || poll(forecheck::run_async::<Land>(text, &host, gather, effect), 100).unwrap();
    assert_eq!(land().status, Status::InDoubt);
    state(&host).landing = Landing::Landed;
    assert_eq!(land().status, Status::SkippedIdempotent);
}
