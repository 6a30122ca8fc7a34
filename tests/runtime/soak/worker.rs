//! A process that calls, until it is killed or kills itself at a step.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use changes::generated::open_change::{Output, Verb};
use changes::{Desk, desk_with};
use forecheck::ledger::{
    ClaimId, Claimed, Finding, HoldId, Known, LedgerError, NewClaim, Resolving, RowId, Settlement, Settling,
};
use forecheck::outcome::{Outcome, Status};
use forecheck::{Host, Ledger, SqliteLedger};
use rustix::process::{Signal, getpid, kill_process};

use crate::campaign::{EFFECTS, SUCCESSES, WINDOW};
use crate::protocol::Protocol;

/// Calls the keys from `from` on, each window of them in an order of its own. With a step, the process kills
/// itself there, in its first call that comes so far.
pub(crate) fn work(protocol: Protocol, folder: &Path, seed: u64, from: u64, step: Option<&'static str>) {
    let worker = Worker::new(protocol, folder, step);
    for round in 0.. {
        for number in 0..WINDOW {
            worker.call(from + round * WINDOW + (number * 7 + seed) % WINDOW);
        }
    }
}

/// Calls every key once more.
pub(crate) fn resend(protocol: Protocol, folder: &Path, keys: u64) {
    let worker = Worker::new(protocol, folder, None);
    for key in 0..keys {
        let status = worker.call(key);
        let known = [Status::Succeeded, Status::SkippedIdempotent, Status::InDoubt];
        assert!(known.contains(&status), "{key}: {status:?}");
    }
}

struct Worker {
    ledger: Arc<Mortal>,
    host: Host<Desk>,
    effects: File,
    successes: File,
}

impl Worker {
    fn new(protocol: Protocol, folder: &Path, step: Option<&'static str>) -> Self {
        let ledger = Arc::new(Mortal { ledger: protocol.ledger(folder), dies_at: step });
        let host = desk_with(Arc::clone(&ledger) as Arc<dyn Ledger>);
        let (effects, successes) = (appended(&folder.join(EFFECTS)), appended(&folder.join(SUCCESSES)));
        Worker { ledger, host, effects, successes }
    }

    fn call(&self, key: u64) -> Status {
        let branch = format!("b{key}");
        let outcome = call(&self.host, &branch, || {
            line(&self.effects, &branch);
            self.ledger.at("after_effect");
        });
        if outcome.status == Status::Succeeded {
            line(&self.successes, &branch);
        }
        outcome.status
    }
}

/// One call, whose effect takes a while. Prints how it ended.
pub(crate) fn call_once(folder: &Path, branch: &str, pause: u64) {
    let host = desk_with(Protocol::Ours.ledger(folder));
    let effects = appended(&folder.join(EFFECTS));
    let outcome = call(&host, branch, || {
        thread::sleep(Duration::from_millis(pause));
        line(&effects, branch);
    });
    println!("{}", serde_json::to_string(&outcome).unwrap());
}

/// One call with a ledger. Prints how it ended.
pub(crate) fn ask(ledger: &Path) {
    let outcome = call(&desk_with(Arc::new(SqliteLedger::at(ledger))), "fix", || {});
    println!("{}", serde_json::to_string(&outcome).unwrap());
}

pub(crate) fn call(host: &Host<Desk>, branch: &str, act: impl FnOnce()) -> Outcome {
    let text = format!(r#"{{"repo": "octo/hello", "branch": "{branch}", "title": "Fix", "paths": ["a"]}}"#);
    forecheck::run::<Verb<Desk>>(text.as_bytes(), host, |_, call| {
        act();
        call.succeeded(&Output { number: 1 })
    })
}

fn appended(path: &Path) -> File {
    File::options().append(true).create(true).open(path).unwrap()
}

/// One write: a kill leaves the line or nothing.
fn line(mut file: &File, text: &str) {
    file.write_all(format!("{text}\n").as_bytes()).unwrap();
}

/// A ledger whose process dies at a step.
#[derive(Debug)]
struct Mortal {
    ledger: Arc<dyn Ledger>,
    dies_at: Option<&'static str>,
}

impl Mortal {
    fn at(&self, step: &str) {
        if self.dies_at == Some(step) {
            kill_process(getpid(), Signal::KILL).unwrap();
        }
    }
}

impl Ledger for Mortal {
    fn look_up(&self, row: &RowId) -> Result<Option<Known>, LedgerError> {
        self.ledger.look_up(row)
    }

    fn claim(&self, claim: NewClaim) -> Result<Claimed, LedgerError> {
        self.at("before_claim");
        let claimed = self.ledger.claim(claim)?;
        self.at("after_claim");
        Ok(claimed)
    }

    fn settle(&self, claim: &ClaimId, settlement: &Settlement) -> Result<Settling, LedgerError> {
        let settling = self.ledger.settle(claim, settlement)?;
        self.at("after_settle");
        Ok(settling)
    }

    fn resolve(&self, doubt: &ClaimId, finding: &Finding) -> Result<Resolving, LedgerError> {
        self.ledger.resolve(doubt, finding)
    }

    fn hold(&self, target: &str) -> Result<Option<HoldId>, LedgerError> {
        self.ledger.hold(target)
    }

    fn release(&self, hold: &HoldId) -> Result<(), LedgerError> {
        self.ledger.release(hold)
    }
}
