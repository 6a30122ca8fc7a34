//! What every ledger does, one rule after the other.

use std::time::Duration;

use changes::generated::open_change;
use forecheck::ledger::{ClaimId, Claimed, NewClaim, Record, RowId, Settlement};
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
        Claimed::No(record) => unreachable!("{record:?}"),
    }
}

fn success(window: Option<Duration>) -> Settlement {
    Settlement::Succeeded { output: "1".to_owned(), window }
}

fn succeeded(record: &Record) -> bool {
    matches!(record, Record::Succeeded(success) if success.output == "1")
}

fn one_claim_at_a_time(ledger: &dyn Ledger) {
    let row = row("one claim");
    assert_eq!(ledger.look_up(&row), Ok(Record::Absent));
    let id = claim(ledger, new_claim(&row));
    assert_eq!(ledger.look_up(&row), Ok(Record::InFlight));
    assert_eq!(ledger.claim(new_claim(&row)), Ok(Claimed::No(Record::InFlight)));
    ledger.settle(&id, success(None)).unwrap();
    assert!(succeeded(&ledger.look_up(&row).unwrap()));
    assert!(matches!(ledger.claim(new_claim(&row)), Ok(Claimed::No(record)) if succeeded(&record)));
}

fn nothing_that_happened_is_forgotten(ledger: &dyn Ledger) {
    let row = row("nothing");
    let id = claim(ledger, new_claim(&row));
    ledger.settle(&id, Settlement::NothingHappened).unwrap();
    assert_eq!(ledger.look_up(&row), Ok(Record::Absent));
    claim(ledger, new_claim(&row));
}

fn doubt_stays_until_its_owner_knows_better(ledger: &dyn Ledger) {
    let row = row("doubt");
    let id = claim(ledger, new_claim(&row));
    ledger.settle(&id, Settlement::InDoubt).unwrap();
    assert_eq!(ledger.claim(new_claim(&row)), Ok(Claimed::No(Record::InDoubt)));
    ledger.settle(&id, success(None)).unwrap();
    assert!(succeeded(&ledger.look_up(&row).unwrap()));
    ledger.settle(&id, Settlement::InDoubt).unwrap();
    assert!(succeeded(&ledger.look_up(&row).unwrap()), "a success is final");
}

fn an_old_claim_does_not_settle_a_new_one(ledger: &dyn Ledger) {
    let row = row("fence");
    let old = claim(ledger, new_claim(&row));
    ledger.settle(&old, Settlement::NothingHappened).unwrap();
    let new = claim(ledger, new_claim(&row));
    assert_ne!(old, new);
    ledger.settle(&old, success(None)).unwrap();
    assert_eq!(ledger.look_up(&row), Ok(Record::InFlight));
}

fn scopes_do_not_see_each_other(ledger: &dyn Ledger) {
    let row = row("scope");
    claim(ledger, new_claim(&row));
    assert_eq!(ledger.look_up(&RowId { scope: "grace".to_owned(), ..row }), Ok(Record::Absent));
}

fn what_acts_each_time_never_waits(ledger: &dyn Ledger) {
    let row = row("each");
    let each = || NewClaim { each_acts: true, ..new_claim(&row) };
    let (first, second) = (claim(ledger, each()), claim(ledger, each()));
    ledger.settle(&first, Settlement::InDoubt).unwrap();
    ledger.settle(&second, success(None)).unwrap();
    claim(ledger, each());
    assert_eq!(ledger.look_up(&row), Ok(Record::Absent));
}

fn a_success_is_forgotten_when_its_window_is_over(ledger: &dyn Ledger) {
    let row = row("window");
    let id = claim(ledger, new_claim(&row));
    ledger.settle(&id, success(Some(Duration::from_millis(50)))).unwrap();
    assert!(succeeded(&ledger.look_up(&row).unwrap()));
    std::thread::sleep(Duration::from_millis(60));
    assert_eq!(ledger.look_up(&row), Ok(Record::Absent));
    claim(ledger, new_claim(&row));
}

fn a_target_has_one_holder(ledger: &dyn Ledger) {
    assert_eq!(ledger.hold("octo/hello"), Ok(true));
    assert_eq!(ledger.hold("octo/hello"), Ok(false));
    assert_eq!(ledger.hold("octo/other"), Ok(true));
    ledger.release("octo/hello").unwrap();
    assert_eq!(ledger.hold("octo/hello"), Ok(true));
}

fn of_claims_at_once_one_is_granted(ledger: &dyn Ledger) {
    let row = row("at once");
    let granted = std::thread::scope(|scope| {
        let claims: Vec<_> = (0..8).map(|_| scope.spawn(|| ledger.claim(new_claim(&row)))).collect();
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
        doubt_stays_until_its_owner_knows_better,
        an_old_claim_does_not_settle_a_new_one,
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
