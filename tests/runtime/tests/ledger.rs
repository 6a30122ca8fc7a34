//! What every ledger does, one rule after the other.

use std::sync::Barrier;
use std::time::Duration;

use changes::generated::open_change;
use forecheck::ledger::{ClaimId, Claimed, Known, NewClaim, RowId, Settlement, Settling};
use forecheck::{Ledger, MemoryLedger};

use crate::desk::OPEN;

/// A row of its own for each rule.
fn row(rule: &str) -> RowId {
    let text = OPEN.replace("Fix", rule);
    RowId { scope: "ada".to_owned(), key: open_change::key(text.as_bytes()).unwrap() }
}

fn new_claim(row: &RowId) -> NewClaim {
    NewClaim { row: row.clone(), verb: "open_change".to_owned(), input: row.key, each_acts: false }
}

#[track_caller]
fn claim(ledger: &dyn Ledger, claim: NewClaim) -> ClaimId {
    match ledger.claim(claim).unwrap() {
        Claimed::Yes(id) => id,
        Claimed::No(known) => unreachable!("{known:?}"),
    }
}

fn success(window: Option<Duration>) -> Settlement {
    Settlement::Succeeded { output: "1".to_owned(), window }
}

const RECORDED: Settling = Settling::Recorded { until: None };

#[track_caller]
fn succeeded(ledger: &dyn Ledger, row: &RowId) {
    let known = ledger.look_up(row).unwrap();
    assert!(matches!(&known, Some(Known::Succeeded(success)) if success.output == "1"), "{known:?}");
}

fn one_claim_at_a_time(ledger: &dyn Ledger) {
    let row = row("one claim");
    assert_eq!(ledger.look_up(&row), Ok(None));
    let id = claim(ledger, new_claim(&row));
    assert_eq!(ledger.look_up(&row), Ok(Some(Known::InFlight)));
    assert_eq!(ledger.claim(new_claim(&row)), Ok(Claimed::No(Known::InFlight)));
    assert_eq!(ledger.settle(&id, &success(None)), Ok(RECORDED));
    succeeded(ledger, &row);
    assert!(matches!(ledger.claim(new_claim(&row)), Ok(Claimed::No(Known::Succeeded(_)))));
}

fn nothing_that_happened_is_forgotten(ledger: &dyn Ledger) {
    let row = row("nothing");
    let id = claim(ledger, new_claim(&row));
    assert_eq!(ledger.settle(&id, &Settlement::NothingHappened), Ok(RECORDED));
    assert_eq!(ledger.look_up(&row), Ok(None));
    claim(ledger, new_claim(&row));
}

fn doubt_ends_only_in_a_success_of_its_owner(ledger: &dyn Ledger) {
    let row = row("doubt");
    let id = claim(ledger, new_claim(&row));
    assert_eq!(ledger.settle(&id, &Settlement::InDoubt), Ok(RECORDED));
    assert_eq!(ledger.claim(new_claim(&row)), Ok(Claimed::No(Known::InDoubt)));
    assert_eq!(ledger.settle(&id, &Settlement::NothingHappened), Ok(Settling::Lost));
    assert_eq!(ledger.look_up(&row), Ok(Some(Known::InDoubt)));
    assert_eq!(ledger.settle(&id, &success(None)), Ok(RECORDED));
    for late in [Settlement::InDoubt, Settlement::NothingHappened, success(None)] {
        assert_eq!(ledger.settle(&id, &late), Ok(Settling::Lost));
    }
    succeeded(ledger, &row);
}

fn a_claim_that_is_gone_is_not_recorded(ledger: &dyn Ledger) {
    let row = row("fence");
    let old = claim(ledger, new_claim(&row));
    assert_eq!(ledger.settle(&old, &Settlement::NothingHappened), Ok(RECORDED));
    assert_eq!(ledger.settle(&old, &success(None)), Ok(Settling::Lost));
    assert_eq!(ledger.look_up(&row), Ok(None));
    assert_ne!(claim(ledger, new_claim(&row)), old);
    assert_eq!(ledger.settle(&old, &success(None)), Ok(Settling::Lost));
    assert_eq!(ledger.look_up(&row), Ok(Some(Known::InFlight)));
}

fn scopes_do_not_see_each_other(ledger: &dyn Ledger) {
    let row = row("scope");
    claim(ledger, new_claim(&row));
    assert_eq!(ledger.look_up(&RowId { scope: "grace".to_owned(), ..row }), Ok(None));
}

fn what_acts_each_time_never_waits(ledger: &dyn Ledger) {
    let row = row("each");
    let each = || NewClaim { each_acts: true, ..new_claim(&row) };
    let (first, second) = (claim(ledger, each()), claim(ledger, each()));
    assert_eq!(ledger.settle(&first, &Settlement::InDoubt), Ok(RECORDED));
    assert_eq!(ledger.settle(&second, &success(None)), Ok(RECORDED));
    assert_eq!(ledger.settle(&second, &success(None)), Ok(Settling::Lost));
    claim(ledger, each());
    assert_eq!(ledger.look_up(&row), Ok(None));
}

fn a_success_is_forgotten_when_its_window_is_over(ledger: &dyn Ledger) {
    let row = row("window");
    let id = claim(ledger, new_claim(&row));
    let settling = ledger.settle(&id, &success(Some(Duration::from_millis(50)))).unwrap();
    let known = ledger.look_up(&row).unwrap();
    assert!(matches!((known, settling), (Some(Known::Succeeded(success)), Settling::Recorded { until })
        if until.is_some() && success.until == until));
    std::thread::sleep(Duration::from_millis(60));
    assert_eq!(ledger.look_up(&row), Ok(None));
    claim(ledger, new_claim(&row));
}

fn a_target_has_one_holder(ledger: &dyn Ledger) {
    let first = ledger.hold("octo/hello").unwrap().unwrap();
    assert_eq!(ledger.hold("octo/hello"), Ok(None));
    assert!(ledger.hold("octo/other").unwrap().is_some());
    ledger.release(&first).unwrap();
    let second = ledger.hold("octo/hello").unwrap().unwrap();
    assert_ne!(first, second);
    ledger.release(&first).unwrap();
    assert_eq!(ledger.hold("octo/hello"), Ok(None));
}

fn of_claims_at_once_one_is_granted(ledger: &dyn Ledger) {
    let (row, together) = (row("at once"), Barrier::new(8));
    let claim = || {
        together.wait();
        ledger.claim(new_claim(&row))
    };
    let granted = std::thread::scope(|scope| {
        let claims: Vec<_> = (0..8).map(|_| scope.spawn(claim)).collect();
        let answers = claims.into_iter().map(|claim| claim.join().unwrap().unwrap());
        answers.filter(|answer| matches!(answer, Claimed::Yes(_))).count()
    });
    assert_eq!(granted, 1);
}

#[test]
fn the_ledger_in_memory_keeps_every_rule() {
    let rules: [fn(&dyn Ledger); 9] = [
        one_claim_at_a_time,
        nothing_that_happened_is_forgotten,
        doubt_ends_only_in_a_success_of_its_owner,
        a_claim_that_is_gone_is_not_recorded,
        scopes_do_not_see_each_other,
        what_acts_each_time_never_waits,
        a_success_is_forgotten_when_its_window_is_over,
        a_target_has_one_holder,
        of_claims_at_once_one_is_granted,
    ];
    let ledger = MemoryLedger::new();
    for rule in rules {
        rule(&ledger);
    }
}
