//! What a repeat answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use changes::End;
use changes::generated::{open_change, rerun_checks};
use forecheck::ledger::{ClaimId, Claimed, LedgerError, NewClaim, Record, RowId, Settlement};
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
    let statuses: Vec<Status> = std::thread::scope(|scope| {
        let calls: Vec<_> =
            (0..24).map(|_| scope.spawn(|| call(&host, "open_change", OPEN).status)).collect();
        calls.into_iter().map(|call| call.join().unwrap()).collect()
    });
    let of = |wanted: Status| statuses.iter().filter(|status| **status == wanted).count();
    assert_eq!(of(Status::Succeeded), 1);
    assert_eq!(of(Status::SkippedIdempotent) + of(Status::InFlight), 23);
    assert_eq!(effects(&host), ["open_change fix"]);
}

#[test]
fn an_exclusive_target_has_one_call_at_a_time() {
    let ledger: Arc<dyn Ledger> = Arc::new(MemoryLedger::new());
    let host = with_ledger(Arc::clone(&ledger));
    // Somebody else's call has it, on whoever's behalf.
    assert_eq!(ledger.hold("octo/hello"), Ok(true));
    let land = r#"{"repo": "Octo/Hello", "number": 1}"#;
    let waiting = call(&host, "land_change", land);
    assert_eq!((waiting.status, waiting.next), (Status::InFlight, Some(Next::Wait)));
    ledger.release("octo/hello").unwrap();
    assert_eq!(call(&host, "land_change", land).status, Status::Succeeded);
    // The call has given it back.
    assert_eq!(ledger.hold("octo/hello"), Ok(true));
    assert_eq!(effects(&host), ["land_change 1"]);
}

/// A ledger that fails at one step.
#[derive(Debug)]
struct Failing {
    step: &'static str,
    memory: MemoryLedger,
}

impl Failing {
    fn at(&self, step: &str) -> Result<(), LedgerError> {
        if self.step == step { Err(LedgerError("the disk is full".to_owned())) } else { Ok(()) }
    }
}

impl Ledger for Failing {
    fn look_up(&self, row: &RowId) -> Result<Record, LedgerError> {
        self.at("look_up").and_then(|()| self.memory.look_up(row))
    }

    fn claim(&self, claim: NewClaim) -> Result<Claimed, LedgerError> {
        self.at("claim").and_then(|()| self.memory.claim(claim))
    }

    fn settle(&self, claim: &ClaimId, settlement: Settlement) -> Result<(), LedgerError> {
        self.at("settle").and_then(|()| self.memory.settle(claim, settlement))
    }

    fn hold(&self, target: &str) -> Result<bool, LedgerError> {
        self.at("hold").and_then(|()| self.memory.hold(target))
    }

    fn release(&self, target: &str) -> Result<(), LedgerError> {
        self.memory.release(target)
    }
}

/// A ledger that knows nothing when it is first asked.
#[derive(Debug, Default)]
struct Late {
    asked: AtomicBool,
    memory: MemoryLedger,
}

impl Ledger for Late {
    fn look_up(&self, row: &RowId) -> Result<Record, LedgerError> {
        if self.asked.swap(true, Ordering::Relaxed) { self.memory.look_up(row) } else { Ok(Record::Absent) }
    }

    fn claim(&self, claim: NewClaim) -> Result<Claimed, LedgerError> {
        self.memory.claim(claim)
    }

    fn settle(&self, claim: &ClaimId, settlement: Settlement) -> Result<(), LedgerError> {
        self.memory.settle(claim, settlement)
    }

    fn hold(&self, target: &str) -> Result<bool, LedgerError> {
        self.memory.hold(target)
    }

    fn release(&self, target: &str) -> Result<(), LedgerError> {
        self.memory.release(target)
    }
}

#[test]
fn a_call_that_succeeds_elsewhere_while_it_is_checked_is_skipped_not_refused() {
    let ledger = Arc::new(Late::default());
    let host = with_ledger(Arc::clone(&ledger) as Arc<dyn Ledger>);
    call(&host, "open_change", OPEN);
    // What the effect has made is now what a check refuses.
    state(&host).branches.push("fix".to_owned());
    ledger.asked.store(false, Ordering::Relaxed);
    assert_eq!(call(&host, "open_change", OPEN).status, Status::SkippedIdempotent);
    let other = OPEN.replace("Fix", "Mend");
    ledger.asked.store(false, Ordering::Relaxed);
    assert_eq!(codes(&call(&host, "open_change", &other)), ["BRANCH_EXISTS"]);
}

#[test]
fn a_ledger_that_fails_refuses_before_the_effect_and_never_claims_success_after_it() {
    let land = r#"{"repo": "octo/hello", "number": 1}"#;
    for step in ["look_up", "hold", "claim"] {
        let host = with_ledger(Arc::new(Failing { step, memory: MemoryLedger::new() }));
        let outcome = call(&host, "land_change", land);
        assert_eq!(codes(&outcome), ["LEDGER_UNAVAILABLE"], "{step}");
        assert_eq!(outcome.refusal.unwrap().details, Some(json!({"reason": "the disk is full"})));
        assert_eq!(effects(&host), [""; 0], "{step}");
    }
    let host = with_ledger(Arc::new(Failing { step: "settle", memory: MemoryLedger::new() }));
    let expected = json!({
        "status": "in_doubt", "verb": "open_change", "output": {"number": 1},
        "effects_of_this_call": "complete", "next": "ask_operator",
        "message": "the effect took place, but that could not be recorded: the disk is full",
    });
    assert_eq!(published(call(&host, "open_change", OPEN), Some(&key(OPEN))), expected);
}
