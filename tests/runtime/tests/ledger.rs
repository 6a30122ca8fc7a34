//! What every ledger does, one rule after the other.

use std::sync::Barrier;
use std::time::{Duration, SystemTime};

use changes::generated::open_change;
use forecheck::ledger::sqlite::State;
use forecheck::ledger::{
    ClaimId, Claimed, Doubt, Finding, Known, LedgerError, NewClaim, Resolving, RowId, Settlement, Settling,
};
use forecheck::{Ledger, MemoryLedger, SqliteLedger};

use crate::desk::OPEN;

/// A row of its own for each rule.
fn row(rule: &str) -> RowId {
    let text = OPEN.replace("Fix", rule);
    RowId { scope: "ada".to_owned(), key: open_change::key(text.as_bytes()).unwrap() }
}

fn new_claim(row: &RowId) -> NewClaim {
    NewClaim {
        row: row.clone(),
        verb: "open_change".to_owned(),
        input: row.key,
        shown: "{}".to_owned(),
        each_acts: false,
    }
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

fn doubt(why: &str) -> Settlement {
    Settlement::InDoubt { why: why.to_owned() }
}

#[track_caller]
fn in_doubt(ledger: &dyn Ledger, id: &ClaimId, why: &str) {
    let doubt = Doubt { claim: id.clone(), why: why.to_owned() };
    assert_eq!(ledger.look_up(&id.row), Ok(Some(Known::InDoubt(doubt))));
}

const RECORDED: Settling = Settling::Recorded { until: None };

#[track_caller]
fn succeeded(ledger: &dyn Ledger, row: &RowId) {
    let known = ledger.look_up(row).unwrap();
    assert!(
        matches!(&known, Some(Known::Succeeded(success)) if success.output.as_deref() == Ok("1")),
        "{known:?}"
    );
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

fn its_owner_ends_a_doubt_only_in_a_success(ledger: &dyn Ledger) {
    let row = row("doubt");
    let id = claim(ledger, new_claim(&row));
    assert_eq!(ledger.settle(&id, &doubt("who knows")), Ok(RECORDED));
    in_doubt(ledger, &id, "who knows");
    assert!(matches!(ledger.claim(new_claim(&row)), Ok(Claimed::No(Known::InDoubt(_)))));
    assert_eq!(ledger.settle(&id, &Settlement::NothingHappened), Ok(Settling::Lost));
    in_doubt(ledger, &id, "who knows");
    assert_eq!(ledger.settle(&id, &success(None)), Ok(RECORDED));
    for late in [doubt("late"), Settlement::NothingHappened, success(None)] {
        assert_eq!(ledger.settle(&id, &late), Ok(Settling::Lost));
    }
    succeeded(ledger, &row);
}

fn a_doubt_is_resolved_once(ledger: &dyn Ledger) {
    let landed = Finding::Landed { output: "1".to_owned(), window: None };
    let absent = |settle_after| Finding::Absent { in_doubt_by: Some(SystemTime::now() - settle_after) };
    let row = row("resolve");
    let id = claim(ledger, new_claim(&row));
    for finding in [&landed, &absent(Duration::ZERO)] {
        assert_eq!(ledger.resolve(&id, finding), Ok(Resolving::Gone));
    }
    assert_eq!(ledger.settle(&id, &doubt("x")), Ok(RECORDED));
    assert_eq!(ledger.resolve(&id, &absent(Duration::from_secs(3600))), Ok(Resolving::TooEarly));
    in_doubt(ledger, &id, "x");
    std::thread::sleep(Duration::from_millis(2));
    assert_eq!(ledger.resolve(&id, &absent(Duration::from_millis(1))), Ok(Resolving::Resolved));
    assert_eq!(ledger.look_up(&row), Ok(None));
    assert_eq!(ledger.settle(&id, &success(None)), Ok(Settling::Lost));
    let next = claim(ledger, new_claim(&row));
    assert_eq!(ledger.settle(&next, &doubt("y")), Ok(RECORDED));
    assert_eq!(ledger.resolve(&id, &landed), Ok(Resolving::Gone));
    assert_eq!(ledger.resolve(&next, &landed), Ok(Resolving::Resolved));
    assert_eq!(ledger.resolve(&next, &absent(Duration::ZERO)), Ok(Resolving::Gone));
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
    assert_eq!(ledger.settle(&first, &doubt("x")), Ok(RECORDED));
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

fn a_large_output_comes_back(ledger: &dyn Ledger) {
    let (row, output) = (row("large"), "é".repeat(50_000));
    let id = claim(ledger, new_claim(&row));
    let large = Settlement::Succeeded { output: output.clone(), window: None };
    assert_eq!(ledger.settle(&id, &large), Ok(RECORDED));
    let known = ledger.look_up(&row).unwrap();
    assert!(matches!(known, Some(Known::Succeeded(success)) if success.output == Ok(output)));
}

const RULES: [fn(&dyn Ledger); 11] = [
    one_claim_at_a_time,
    nothing_that_happened_is_forgotten,
    its_owner_ends_a_doubt_only_in_a_success,
    a_doubt_is_resolved_once,
    a_claim_that_is_gone_is_not_recorded,
    scopes_do_not_see_each_other,
    what_acts_each_time_never_waits,
    a_success_is_forgotten_when_its_window_is_over,
    a_target_has_one_holder,
    of_claims_at_once_one_is_granted,
    a_large_output_comes_back,
];

#[test]
fn the_ledger_in_memory_keeps_every_rule() {
    let ledger = MemoryLedger::new();
    for rule in RULES {
        rule(&ledger);
    }
}

/// Looking at a ledger makes and changes nothing, and shows a claim whose owner is gone as the doubt that it is.
#[test]
fn a_ledger_is_looked_at_as_it_lies() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = SqliteLedger::at(folder.path().join("new %41?b#c/ledger.sqlite"));
    assert_eq!((ledger.exists(), ledger.records(None)), (Ok(false), Ok(Vec::new())));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);

    let gone = SqliteLedger::at(ledger.path());
    let lost = claim(&gone, new_claim(&row("lost")));
    std::thread::sleep(Duration::from_millis(2));
    let kept = claim(&ledger, new_claim(&row("kept")));
    let states = || -> Vec<_> {
        let records = ledger.records(None).unwrap().into_iter();
        records.map(|record| (record.claim, record.state, record.ended.is_some())).collect()
    };
    assert_eq!(states(), [(lost.clone(), State::Started, false), (kept.clone(), State::Started, false)]);
    drop(gone);
    assert_eq!(states(), [(lost.clone(), State::InDoubt, false), (kept.clone(), State::Started, false)]);
    assert_eq!(ledger.exists(), Ok(true));
    let found = |digits: &str| -> Vec<_> {
        let records = ledger.records_starting_with(digits).unwrap().into_iter();
        records.map(|record| record.claim).collect()
    };
    let digits: String = lost.row.key.to_string().chars().take(8).collect();
    assert_eq!(found(&digits), std::slice::from_ref(&lost));
    assert_eq!(found("_"), []);

    let absent = Finding::Absent { in_doubt_by: None };
    assert_eq!(ledger.resolve(&kept, &absent), Ok(Resolving::Gone));
    assert_eq!(ledger.resolve(&lost, &absent), Ok(Resolving::Resolved));
    assert_eq!(states(), [(kept, State::Started, false)]);
}

/// What is no ledger is said to be none, and keeps every byte.
#[test]
fn what_is_no_ledger_is_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.sqlite");
    let check = |why: &str| {
        let before = std::fs::read(&path).unwrap();
        let ledger = SqliteLedger::at(&path);
        let said = LedgerError::new(format!("`{}`: {why}", path.display()));
        assert_eq!(ledger.exists(), Err(said.clone()));
        assert_eq!(ledger.records(None), Err(said.clone()));
        assert_eq!(ledger.open(), Err(said));
        assert_eq!(std::fs::read(&path).unwrap(), before);
    };
    std::fs::write(&path, "a text that is long enough to be taken for a database, and is none").unwrap();
    check("it is damaged, or no ledger");
    std::fs::remove_file(&path).unwrap();
    let made = |sql: &str| rusqlite::Connection::open(&path).unwrap().execute_batch(sql).unwrap();
    made("CREATE TABLE mine (a INTEGER)");
    check("it is a database of another program");
    std::fs::remove_file(&path).unwrap();
    SqliteLedger::at(&path).open().unwrap();
    made("PRAGMA user_version = 9; PRAGMA wal_checkpoint(TRUNCATE)");
    check("it was made by a later version of this program (tables 9)");
    made("PRAGMA user_version = 1");
    assert_eq!(SqliteLedger::at(&path).exists(), Ok(true));
}

#[test]
fn the_ledger_in_a_file_keeps_every_rule() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = SqliteLedger::at(folder.path().join("ledger.sqlite"));
    for rule in RULES {
        rule(&ledger);
    }
}
