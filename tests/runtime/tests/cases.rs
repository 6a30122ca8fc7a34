//! Public failures of executing a call at most once, each under the name of its report. Those about canonical JSON
//! and keys are in `forecheck-contract`.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use changes::generated::{land_change, open_change};
use changes::{Desk, End, Landing};
use forecheck::ledger::{
    ClaimId, Claimed, Finding, HoldId, Known, LedgerError, NewClaim, Resolving, RowId, Settlement, Settling,
};
use forecheck::outcome::{Next, Outcome, Status};
use forecheck::{Host, Ledger, SqliteLedger};
use rusqlite::Connection;
use tempfile::TempDir;

use crate::desk::{OPEN, call, codes, effects, ends, state, with_ledger};

const LAND: &str = r#"{"repo": "octo/hello", "number": 1}"#;

/// A ledger in a file, for processes one after the other.
struct Machine {
    #[expect(dead_code, reason = "it is there to be dropped")]
    folder: TempDir,
    path: PathBuf,
}

impl Machine {
    fn new() -> Machine {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger.sqlite");
        Machine { folder, path }
    }

    /// A process. When it is dropped, the locks that the kernel would free are gone.
    fn process(&self) -> Host<Desk> {
        with_ledger(Arc::new(SqliteLedger::at(&self.path)))
    }

    /// A process that dies in its effect: nobody else knows how far it came.
    fn dies(&self, verb: &str, text: &str) {
        let process = self.process();
        let key = match verb {
            "open_change" => open_change::key(text.as_bytes()),
            _ => land_change::key(text.as_bytes()),
        };
        let row = RowId { scope: "ada".to_owned(), key: key.unwrap() };
        let input = row.key;
        let claim = NewClaim { row, verb: verb.to_owned(), input, shown: "{}".to_owned(), each_acts: false };
        assert!(matches!(process.ledger.claim(claim), Ok(Claimed::Yes(_))));
    }

    fn sql(&self, sql: &str) {
        assert_eq!(Connection::open(Path::new(&self.path)).unwrap().execute(sql, []).unwrap(), 1);
    }
}

fn told(outcome: &Outcome) -> (Status, Option<Next>) {
    (outcome.status, outcome.next)
}

const IN_DOUBT: (Status, Option<Next>) = (Status::InDoubt, Some(Next::AskOperator));

/// A call that ran out of time blocked its key until a time limit was over.
#[test]
fn powertools_lambda_python_1038() {
    let machine = Machine::new();
    machine.dies("land_change", LAND);
    let next = machine.process();
    state(&next).landing = Landing::Absent;
    assert_eq!(told(&call(&next, "land_change", LAND)), (Status::InDoubt, Some(Next::Wait)));
    std::thread::sleep(Duration::from_millis(1100));
    assert_eq!(told(&call(&next, "land_change", LAND)), (Status::Succeeded, None));
}

/// No time left was read as no limit.
#[test]
fn powertools_lambda_python_4759() {
    let machine = Machine::new();
    let ledger = SqliteLedger::at(&machine.path);
    let row = RowId { scope: "ada".to_owned(), key: open_change::key(OPEN.as_bytes()).unwrap() };
    let claim =
        NewClaim { input: row.key, row, verb: "x".to_owned(), shown: "{}".to_owned(), each_acts: false };
    let settle = |window| {
        let Claimed::Yes(id) = ledger.claim(claim.clone()).unwrap() else { unreachable!() };
        ledger.settle(&id, &Settlement::Succeeded { output: "1".to_owned(), window }).unwrap();
        ledger.look_up(&id.row).unwrap()
    };
    assert_eq!(settle(Some(Duration::ZERO)), None);
    assert!(matches!(settle(None), Some(Known::Succeeded(success)) if success.until.is_none()));
}

/// A reworded call was answered as if it were the first one, and nothing said so.
#[test]
fn powertools_lambda_typescript_2058_and_java_2260() {
    let process = Machine::new().process();
    let because = |why: &str| OPEN.replace('}', &format!(r#", "note": "{why}"}}"#));
    assert_eq!(call(&process, "open_change", &because("one")).status, Status::Succeeded);
    let reworded = call(&process, "open_change", &because("two"));
    assert_eq!((reworded.status, reworded.input_differs), (Status::SkippedIdempotent, true));
    let other = because("one").replace("\"fix\"", "\"other\"");
    assert_eq!(call(&process, "open_change", &other).status, Status::Succeeded);
}

/// The digest of the input was lost with the success, so that the identical call seemed another one.
#[test]
fn powertools_lambda_typescript_5705() {
    let machine = Machine::new();
    assert_eq!(call(&machine.process(), "open_change", OPEN).status, Status::Succeeded);
    let repeat = call(&machine.process(), "open_change", OPEN);
    assert_eq!((repeat.status, repeat.input_differs), (Status::SkippedIdempotent, false));
}

/// A claim was written and its answer lost: tried again, it met itself, and took itself for somebody else's.
#[test]
fn idempot_dev_idempot_js_185() {
    let machine = Machine::new();
    let process = with_ledger(Arc::new(LosesClaims(SqliteLedger::at(&machine.path))));
    let refused = call(&process, "land_change", LAND);
    assert_eq!((codes(&refused), effects(&process).len()), (vec!["LEDGER_UNAVAILABLE"], 0));
    drop(process);
    let next = machine.process();
    state(&next).landing = Landing::Absent;
    assert_eq!(told(&call(&next, "land_change", LAND)), (Status::InDoubt, Some(Next::Wait)));
    std::thread::sleep(Duration::from_millis(1100));
    assert_eq!(told(&call(&next, "land_change", LAND)), (Status::Succeeded, None));
}

/// A ledger whose answers to claims are lost.
#[derive(Debug)]
struct LosesClaims(SqliteLedger);

impl Ledger for LosesClaims {
    fn look_up(&self, row: &RowId) -> Result<Option<Known>, LedgerError> {
        self.0.look_up(row)
    }

    fn claim(&self, claim: NewClaim) -> Result<Claimed, LedgerError> {
        self.0.claim(claim)?;
        Err(LedgerError::new("the connection was lost"))
    }

    fn settle(&self, claim: &ClaimId, settlement: &Settlement) -> Result<Settling, LedgerError> {
        self.0.settle(claim, settlement)
    }

    fn resolve(&self, doubt: &ClaimId, finding: &Finding) -> Result<Resolving, LedgerError> {
        self.0.resolve(doubt, finding)
    }

    fn hold(&self, target: &str) -> Result<Option<HoldId>, LedgerError> {
        self.0.hold(target)
    }

    fn release(&self, hold: &HoldId) -> Result<(), LedgerError> {
        self.0.release(hold)
    }
}

/// A call was blocked for a day after a crash; one that failed after it had acted was made again.
#[test]
fn pathosdev_actor_ts_984() {
    let machine = Machine::new();
    machine.dies("open_change", OPEN);
    let next = machine.process();
    assert_eq!((told(&call(&next, "open_change", OPEN)), effects(&next).len()), (IN_DOUBT, 0));
    let machine = Machine::new();
    let throws = machine.process();
    ends(&throws, End::Panics);
    assert_eq!((told(&call(&throws, "open_change", OPEN)), effects(&throws).len()), (IN_DOUBT, 1));
    ends(&throws, End::Succeeds);
    assert_eq!((told(&call(&throws, "open_change", OPEN)), effects(&throws).len()), (IN_DOUBT, 1));
}

/// A second call took the place of the first, of which nothing was known any more.
#[test]
fn dbos_inc_dbos_transact_ts_725() {
    let machine = Machine::new();
    machine.dies("open_change", OPEN);
    let ledger = SqliteLedger::at(&machine.path);
    let calls = || -> Vec<_> {
        let records = ledger.records(None).unwrap().into_iter();
        records.map(|record| (record.claim, record.state, record.why, record.started)).collect()
    };
    let before = calls();
    assert_eq!(told(&call(&machine.process(), "open_change", OPEN)), IN_DOUBT);
    assert_eq!(calls(), before);
}

/// The same key twice did twice as much.
#[test]
fn square_connect_api_examples_135() {
    let process = Machine::new().process();
    let statuses = [0, 1].map(|_| call(&process, "open_change", OPEN).status);
    assert_eq!(statuses, [Status::Succeeded, Status::SkippedIdempotent]);
    assert_eq!(effects(&process), ["open_change fix"]);
}

/// A key stuck to an object, and the next call with it was refused.
#[test]
fn stripe_stripe_ruby_598() {
    let process = Machine::new().process();
    let second = OPEN.replace("\"fix\"", "\"other\"");
    let outcomes = [OPEN, &second].map(|text| call(&process, "open_change", text));
    assert_eq!(outcomes.each_ref().map(|outcome| outcome.status), [Status::Succeeded; 2]);
    assert_ne!(outcomes[0].key, outcomes[1].key);
}

/// What was answered from memory looked new.
#[test]
fn keeperhub_keeperhub_1849() {
    let machine = Machine::new();
    let first = call(&machine.process(), "open_change", OPEN);
    let repeat = call(&machine.process(), "open_change", OPEN);
    assert_eq!((first.status, first.first_succeeded_at), (Status::Succeeded, None));
    assert_eq!((repeat.status, repeat.output), (Status::SkippedIdempotent, first.output));
    assert!(repeat.first_succeeded_at.is_some());
}

/// A crash between an effect and its record made the effect happen again.
#[test]
fn gemisis_leviath_96_and_openworker_443_and_software_agent_sdk_2298_and_praisonai_4217() {
    let machine = Machine::new();
    machine.dies("open_change", OPEN);
    let resumed = machine.process();
    for _ in 0..3 {
        assert_eq!((told(&call(&resumed, "open_change", OPEN)), effects(&resumed).len()), (IN_DOUBT, 0));
    }
}

/// A call without an answer was taken for one that never was.
#[test]
fn nousresearch_hermes_agent_102238_and_moonshotai_kimi_code_771() {
    let machine = Machine::new();
    machine.dies("open_change", OPEN);
    let outcome = call(&machine.process(), "open_change", OPEN);
    let why = "the process that made the call ended before it said what became of it";
    assert_eq!((told(&outcome), outcome.message.as_deref()), (IN_DOUBT, Some(why)));
}

/// A call that took longer than a time limit was made a second time.
#[test]
fn celery_celery_5935_and_kombu_337() {
    let machine = Machine::new();
    let slow = machine.process();
    let row = RowId { scope: "ada".to_owned(), key: open_change::key(OPEN.as_bytes()).unwrap() };
    let claim =
        NewClaim { input: row.key, row, verb: "x".to_owned(), shown: "{}".to_owned(), each_acts: false };
    assert!(matches!(slow.ledger.claim(claim), Ok(Claimed::Yes(_))));
    machine.sql("UPDATE call SET started = 0");
    let waits = (Status::InFlight, Some(Next::Wait));
    assert_eq!(told(&call(&machine.process(), "open_change", OPEN)), waits);
    drop(slow);
    assert_eq!(told(&call(&machine.process(), "open_change", OPEN)), IN_DOUBT);
}

/// A request whose reply was lost was sent again, and there were two of what it made.
#[test]
fn nvidia_nemoclaw_9234_and_dxos_dxos_13119() {
    let machine = Machine::new();
    machine.dies("land_change", LAND);
    let next = machine.process();
    state(&next).landing = Landing::Landed;
    assert_eq!(told(&call(&next, "land_change", LAND)), (Status::SkippedIdempotent, None));
    assert_eq!(effects(&next), [""; 0]);
}

/// A new credential of the same person made a retried write a new one.
#[test]
fn ramaaditya49_titen_104() {
    let machine = Machine::new();
    assert_eq!(call(&machine.process(), "open_change", OPEN).status, Status::Succeeded);
    // Who acts is the principal; what they log in with is nowhere in the scope.
    let (mut same, mut other) = (machine.process(), machine.process());
    same.scope = "ada".to_owned();
    other.scope = "grace".to_owned();
    assert_eq!(call(&same, "open_change", OPEN).status, Status::SkippedIdempotent);
    assert_eq!(call(&other, "open_change", OPEN).status, Status::Succeeded);
}

/// Two people asked whether they may, and got one answer.
#[test]
fn nodejs_undici_4817() {
    let process = Machine::new().process();
    let list = r#"{"repo": "octo/hello"}"#;
    assert_eq!(call(&process, "list_changes", list).status, Status::Succeeded);
    state(&process).principal.as_mut().unwrap().repos.clear();
    assert_eq!(codes(&call(&process, "list_changes", list)), ["NOT_ALLOWED"]);
}
