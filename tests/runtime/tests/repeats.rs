//! What a repeat answers.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Barrier, Mutex};
use std::time::Duration;

use changes::generated::{land_change, open_change, rerun_checks};
use changes::{Act, Desk, End};
use forecheck::ledger::{
    ClaimId, Claimed, Finding, HoldId, Known, LedgerError, NewClaim, Resolving, RowId, Settlement, Settling,
};
use forecheck::outcome::{Next, Status};
use forecheck::{Ledger, MemoryLedger};
use serde_json::json;

use crate::desk::{OPEN, call, codes, effects, ends, host, published, state, with_ledger};

fn key(text: &str) -> String {
    open_change::key(text.as_bytes()).unwrap().to_string()
}

#[test]
fn a_repeat_is_skipped_although_its_state_constraints_fail_now() {
    let host = host();
    let first = call(&host, "open_change", OPEN);
    let until = first.remembered_until.clone();
    assert!(until.is_some());
    let expected = json!({
        "status": "succeeded", "verb": "open_change", "output": {"number": 1},
        "effects_of_this_call": "complete", "remembered_until": until,
    });
    assert_eq!(published(first, Some(&key(OPEN))), expected);
    state(&host).branches.push("fix".to_owned());
    state(&host).gathered.clear();
    let repeat = call(&host, "open_change", OPEN);
    let at = repeat.first_succeeded_at.clone();
    assert!(at.is_some());
    let expected = json!({
        "status": "skipped_idempotent", "verb": "open_change", "output": {"number": 1},
        "effects_of_this_call": "none", "first_succeeded_at": at, "remembered_until": until,
    });
    assert_eq!(published(repeat, Some(&key(OPEN))), expected);
    assert_eq!(effects(&host), ["open_change fix"]);
    assert_eq!(state(&host).gathered, ["principal"]);
}

#[test]
fn a_repeat_by_somebody_who_may_not_act_is_refused_and_sees_no_output() {
    let host = host();
    call(&host, "open_change", OPEN);
    state(&host).principal.as_mut().unwrap().repos.clear();
    let repeat = call(&host, "open_change", OPEN);
    assert_eq!((codes(&repeat), &repeat.output), (vec!["NOT_ALLOWED"], &None));
}

#[test]
fn a_repeat_in_another_scope_is_another_call() {
    let ledger: Arc<dyn Ledger> = Arc::new(MemoryLedger::new());
    let ada = with_ledger(Arc::clone(&ledger));
    call(&ada, "open_change", OPEN);
    let mut grace = with_ledger(ledger);
    grace.scope = "grace".to_owned();
    assert_eq!(call(&grace, "open_change", OPEN).status, Status::Succeeded);
    assert_eq!(effects(&grace), ["open_change fix"]);
}

#[test]
fn a_verb_that_runs_acts_each_time() {
    let host = host();
    let set = r#"{"repo": "octo/hello", "mode": "open"}"#;
    for _ in 0..3 {
        assert_eq!(call(&host, "set_mode", set).status, Status::Succeeded);
    }
    ends(&host, End::IsLost);
    assert_eq!(call(&host, "set_mode", set).status, Status::InDoubt);
    ends(&host, End::Succeeds);
    assert_eq!(call(&host, "set_mode", set).status, Status::Succeeded);
    assert_eq!(effects(&host), ["set_mode"; 5]);
}

#[test]
fn an_ignored_field_keeps_the_key_and_an_intent_changes_it() {
    let host = host();
    let reworded = OPEN.replace("\"branch\"", "\"note\": \"reworded\", \"branch\"");
    assert_eq!(key(&reworded), key(OPEN));
    call(&host, "open_change", OPEN);
    let repeat = call(&host, "open_change", &reworded);
    assert_eq!((repeat.status, repeat.input_differs), (Status::SkippedIdempotent, true));
    let same = call(&host, "open_change", &OPEN.replace("\"branch\"", "\"draft\": false, \"branch\""));
    assert_eq!((same.status, same.input_differs), (Status::SkippedIdempotent, false));
    let rerun = |intent: &str| format!(r#"{{"repo": "octo/hello", "intent": "{intent}"}}"#);
    let key = |intent: &str| rerun_checks::key(rerun(intent).as_bytes()).unwrap();
    assert_ne!(key("after the fix"), key("once more"));
    let status = |intent: &str| call(&host, "rerun_checks", &rerun(intent)).status;
    let statuses = [status("after the fix"), status("after the fix"), status("once more")];
    assert_eq!(statuses, [Status::Succeeded, Status::SkippedIdempotent, Status::Succeeded]);
}

#[test]
fn of_many_calls_at_once_one_acts() {
    let host = host();
    let (together, slow) = (Barrier::new(24), Duration::from_millis(20));
    let effect = |act: &Act, reserved| {
        std::thread::sleep(slow);
        <Desk as open_change::Effect>::apply(act, reserved)
    };
    let call = || {
        together.wait();
        forecheck::run::<open_change::Verb<Desk>>(OPEN.as_bytes(), &host, effect).status
    };
    let statuses: Vec<Status> = std::thread::scope(|scope| {
        let calls: Vec<_> = (0..24).map(|_| scope.spawn(call)).collect();
        calls.into_iter().map(|call| call.join().unwrap()).collect()
    });
    let of = |wanted: Status| statuses.iter().filter(|status| **status == wanted).count();
    assert_eq!(of(Status::Succeeded), 1);
    assert_eq!(of(Status::SkippedIdempotent) + of(Status::InFlight), 23);
    assert_eq!(effects(&host), ["open_change fix"]);
}

#[test]
fn an_exclusive_target_has_one_call_at_a_time_whoever_calls() {
    let ledger: Arc<dyn Ledger> = Arc::new(MemoryLedger::new());
    let (ada, mut grace) = (with_ledger(Arc::clone(&ledger)), with_ledger(ledger));
    grace.scope = "grace".to_owned();
    let land = |number: u8| format!(r#"{{"repo": "Octo/Hello", "number": {number}}}"#);
    let effect = |act: &Act, reserved| {
        let waiting = call(&grace, "land_change", &land(2));
        assert_eq!((waiting.status, waiting.next), (Status::InFlight, Some(Next::Wait)));
        assert_eq!(waiting.message.as_deref(), Some("another call has `octo/hello` to itself"));
        let look = changes::generated::preflight(&grace, "land_change", land(2).as_bytes()).unwrap();
        assert_eq!(look.status, Status::Cleared);
        <Desk as land_change::Effect>::apply(act, reserved)
    };
    let landed = forecheck::run::<land_change::Verb<Desk>>(land(1).as_bytes(), &ada, effect);
    assert_eq!(landed.status, Status::Succeeded);
    assert_eq!((effects(&ada), effects(&grace)), (vec!["land_change 1".to_owned()], Vec::new()));
    assert_eq!(call(&grace, "land_change", &land(2)).status, Status::Succeeded);
}

/// A ledger that fails at one step, and knows nothing when it is first asked.
#[derive(Debug, Default)]
struct Odd {
    /// The step, and how often it fails.
    failing: Mutex<(&'static str, usize)>,
    forgets: AtomicBool,
    memory: MemoryLedger,
}

impl Odd {
    fn failing(step: &'static str, times: usize) -> Arc<Odd> {
        Arc::new(Odd { failing: Mutex::new((step, times)), ..Odd::default() })
    }

    fn at(&self, step: &str) -> Result<(), LedgerError> {
        let mut failing = changes::held(&self.failing);
        if failing.0 != step || failing.1 == 0 {
            return Ok(());
        }
        failing.1 -= 1;
        Err(LedgerError::new("the disk is full"))
    }
}

impl Ledger for Odd {
    fn look_up(&self, row: &RowId) -> Result<Option<Known>, LedgerError> {
        self.at("look_up")?;
        if self.forgets.swap(false, Ordering::Relaxed) { Ok(None) } else { self.memory.look_up(row) }
    }

    fn claim(&self, claim: NewClaim) -> Result<Claimed, LedgerError> {
        self.at("claim").and_then(|()| self.memory.claim(claim))
    }

    fn settle(&self, claim: &ClaimId, settlement: &Settlement) -> Result<Settling, LedgerError> {
        self.at("settle").and_then(|()| self.memory.settle(claim, settlement))
    }

    fn resolve(&self, doubt: &ClaimId, finding: &Finding) -> Result<Resolving, LedgerError> {
        self.at("resolve").and_then(|()| self.memory.resolve(doubt, finding))
    }

    fn hold(&self, target: &str) -> Result<Option<HoldId>, LedgerError> {
        self.at("hold").and_then(|()| self.memory.hold(target))
    }

    fn release(&self, hold: &HoldId) -> Result<(), LedgerError> {
        self.memory.release(hold)
    }
}

#[test]
fn a_call_that_succeeds_elsewhere_while_it_is_checked_is_skipped_not_refused() {
    let ledger = Arc::new(Odd::default());
    let host = with_ledger(Arc::clone(&ledger) as Arc<dyn Ledger>);
    call(&host, "open_change", OPEN);
    // What the effect has made is now what a check refuses.
    state(&host).branches.push("fix".to_owned());
    ledger.forgets.store(true, Ordering::Relaxed);
    assert_eq!(call(&host, "open_change", OPEN).status, Status::SkippedIdempotent);
    let other = OPEN.replace("Fix", "Mend");
    ledger.forgets.store(true, Ordering::Relaxed);
    assert_eq!(codes(&call(&host, "open_change", &other)), ["BRANCH_EXISTS"]);
}

#[test]
fn a_ledger_that_fails_refuses_before_the_effect_and_never_claims_success_after_it() {
    let land = r#"{"repo": "octo/hello", "number": 1}"#;
    for step in ["look_up", "hold", "claim"] {
        let host = with_ledger(Odd::failing(step, 1));
        let outcome = call(&host, "land_change", land);
        assert_eq!(codes(&outcome), ["LEDGER_UNAVAILABLE"], "{step}");
        assert_eq!(outcome.refusal.unwrap().details, Some(json!({"reason": "the disk is full"})));
        assert_eq!(effects(&host), [""; 0], "{step}");
        assert_eq!(call(&host, "land_change", land).status, Status::Succeeded, "{step}");
    }
    // Once, so that the doubt at least is recorded.
    let host = with_ledger(Odd::failing("settle", 1));
    let expected = json!({
        "status": "in_doubt", "verb": "open_change", "output": {"number": 1},
        "effects_of_this_call": "complete", "next": "ask_operator",
        "message": "the effect took place, but that could not be recorded: the disk is full",
    });
    assert_eq!(published(call(&host, "open_change", OPEN), Some(&key(OPEN))), expected);
    assert_eq!(call(&host, "open_change", OPEN).status, Status::InDoubt);
    let host = with_ledger(Odd::failing("settle", 1));
    ends(&host, End::DoesNothing);
    let expected = json!({
        "status": "in_doubt", "verb": "open_change", "effects_of_this_call": "none", "next": "ask_operator",
        "message": "nothing happened, but that could not be recorded: the disk is full",
    });
    assert_eq!(published(call(&host, "open_change", OPEN), Some(&key(OPEN))), expected);
}
