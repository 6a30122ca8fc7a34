//! A call in doubt, and a verb that can look what became of it.

use std::thread;
use std::time::Duration;

use changes::generated::land_change;
use changes::{End, Landing};
use forecheck::outcome::{Next, Status};
use serde_json::{Value, json};

use crate::desk::{call, effects, ends, host, published, state};

const LAND: &str = r#"{"repo": "octo/hello", "number": 1}"#;

/// What is answered to a call in doubt that is sent again, when its probe finds that and the next effect would
/// succeed; and how often the verb has acted by then.
fn again(found: Landing, after: Duration) -> (Value, usize) {
    let host = host();
    let key = land_change::key(LAND.as_bytes()).unwrap().to_string();
    ends(&host, End::IsLost);
    let lost = json!({
        "status": "in_doubt", "verb": "land_change", "effects_of_this_call": "unknown",
        "message": "the connection was lost", "next": "probe",
    });
    assert_eq!(published(call(&host, "land_change", LAND), Some(&key)), lost);
    ends(&host, End::Succeeds);
    state(&host).landing = found;
    let look = land_change::preflight(&host, LAND.as_bytes());
    assert_eq!((look.status, look.message.as_deref()), (Status::InDoubt, Some("the connection was lost")));
    thread::sleep(after);
    let mut answer = call(&host, "land_change", LAND);
    let instant = answer.first_succeeded_at.take();
    assert_eq!(instant.is_some(), answer.status == Status::SkippedIdempotent);
    (published(answer, Some(&key)), effects(&host).len())
}

#[test]
fn an_effect_that_took_place_is_a_success() {
    let skipped = json!({
        "status": "skipped_idempotent", "verb": "land_change", "output": {}, "effects_of_this_call": "none",
    });
    assert_eq!(again(Landing::Landed, Duration::ZERO), (skipped, 1));
}

/// An effect without a trace may still be on its way.
#[test]
fn an_effect_without_a_trace_acts_again_once_it_cannot_come_any_more() {
    let waits = json!({
        "status": "in_doubt", "verb": "land_change", "effects_of_this_call": "none", "next": "wait",
        "message": "the connection was lost; there is no trace of its effect yet",
    });
    assert_eq!(again(Landing::Absent, Duration::ZERO), (waits, 1));
    let acts = json!({
        "status": "succeeded", "verb": "land_change", "output": {}, "effects_of_this_call": "complete",
    });
    assert_eq!(again(Landing::Absent, Duration::from_millis(1100)), (acts, 2));
}

#[test]
fn what_cannot_be_told_is_for_people() {
    let unclear = json!({
        "status": "in_doubt", "verb": "land_change", "effects_of_this_call": "none", "next": "ask_operator",
        "message": "the connection was lost; a look could not tell: change 1 cannot be read",
    });
    assert_eq!(again(Landing::Unclear, Duration::from_millis(1100)), (unclear, 1));
}

/// Who may not act does not learn what a probe would find.
#[test]
fn policy_comes_before_a_look() {
    let host = host();
    ends(&host, End::IsLost);
    assert_eq!(call(&host, "land_change", LAND).status, Status::InDoubt);
    state(&host).landing = Landing::Landed;
    let allowed = std::mem::take(&mut state(&host).principal.as_mut().unwrap().repos);
    assert_eq!(call(&host, "land_change", LAND).status, Status::Refused);
    state(&host).principal.as_mut().unwrap().repos = allowed;
    assert_eq!(call(&host, "land_change", LAND).status, Status::SkippedIdempotent);
}

#[test]
fn a_probe_that_panics_could_not_tell() {
    let host = host();
    ends(&host, End::IsLost);
    assert_eq!(call(&host, "land_change", LAND).status, Status::InDoubt);
    state(&host).landing = Landing::Panics;
    let outcome = call(&host, "land_change", LAND);
    let why = "the connection was lost; a look could not tell: the probe panicked";
    assert_eq!((outcome.next, outcome.message.as_deref()), (Some(Next::AskOperator), Some(why)));
}
