//! How an effect ends, and what a repeat answers then.

use changes::generated::open_change;
use changes::{Act, Desk, End};
use forecheck::Reserved;
use forecheck::outcome::Status;
use serde_json::json;

use crate::desk::{OPEN, call, codes, effects, ends, host, published};

fn key() -> String {
    open_change::key(OPEN.as_bytes()).unwrap().to_string()
}

/// A call whose effect ends like this, and a repeat whose effect would succeed.
fn twice(end: End) -> (serde_json::Value, Status, usize) {
    let host = host();
    ends(&host, end);
    let first = published(call(&host, "open_change", OPEN), Some(&key()));
    ends(&host, End::Succeeds);
    let repeat = call(&host, "open_change", OPEN).status;
    (first, repeat, effects(&host).len())
}

#[test]
fn nothing_that_happened_frees_the_key() {
    let (first, repeat, effects) = twice(End::DoesNothing);
    let expected = json!({
        "status": "failed", "verb": "open_change", "effects_of_this_call": "none",
        "message": "the service said no",
    });
    assert_eq!((first, repeat, effects), (expected, Status::Succeeded, 2));
}

#[test]
fn an_effect_that_declines_refuses_with_a_declared_code_and_frees_the_key() {
    let host = host();
    ends(&host, End::Declines);
    let outcome = call(&host, "open_change", OPEN);
    assert_eq!((outcome.status, codes(&outcome)), (Status::Refused, vec!["WORKTREE_DIRTY"]));
    assert_eq!(outcome.refusal.unwrap().details, Some(json!({"files": ["late"]})));
    ends(&host, End::Succeeds);
    assert_eq!(call(&host, "open_change", OPEN).status, Status::Succeeded);
}

/// An effect that makes another call, and answers with that one's answer.
#[test]
fn the_answer_of_another_call_is_no_answer() {
    let host = host();
    let other = OPEN.replace("\"fix\"", "\"other\"");
    let effect = |act: &Act, reserved: Reserved<open_change::Verb<Desk>>| {
        let mut taken = None;
        let inner = |act: &Act, inner| {
            taken = Some(<Desk as open_change::Effect>::apply(act, inner));
            reserved.nothing_happened("not yet")
        };
        let answer = forecheck::run::<open_change::Verb<Desk>>(other.as_bytes(), &host, inner);
        assert_eq!(answer.status, Status::InDoubt);
        let _ = act;
        taken.unwrap()
    };
    let outcome = forecheck::run::<open_change::Verb<Desk>>(OPEN.as_bytes(), &host, effect);
    assert_eq!(outcome.status, Status::InDoubt);
    assert_eq!(call(&host, "open_change", &other).status, Status::SkippedIdempotent);
}

#[test]
fn what_is_not_known_stays_in_doubt() {
    let doubt = |effects: &str, message: &str| {
        json!({
            "status": "in_doubt", "verb": "open_change", "effects_of_this_call": effects,
            "message": message, "next": "ask_operator",
        })
    };
    let lost = doubt("unknown", "the connection was lost");
    assert_eq!(twice(End::IsLost), (lost, Status::InDoubt, 1));
    let partly = doubt("partial", "the branch was made, the change was not");
    assert_eq!(twice(End::Stops), (partly, Status::InDoubt, 1));
    let panicked = doubt("unknown", "the effect ended without saying what it did");
    assert_eq!(twice(End::Panics), (panicked, Status::InDoubt, 1));
}
