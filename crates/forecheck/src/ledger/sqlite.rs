//! A ledger that outlives its process: an SQLite database, for all processes of one machine.
//!
//! Beside the database `ledger.sqlite` lie `ledger.sqlite.owners`, a locked file for each process that has it
//! open, and `ledger.sqlite.outputs`, the outputs that are too large for a row. Everything is the user's alone
//! (0600, folders 0700).

mod look;
mod open;
mod outputs;
mod owner;
mod record;
mod rows;
mod wait;

use std::fs;
use std::io::ErrorKind::NotFound;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use rusqlite::{OptionalExtension as _, TransactionBehavior, named_params, params};

use self::open::Open;
pub use self::record::{Forgotten, Record};
pub use self::rows::State;
use self::rows::{Row, instant_of, millis, write};
use super::{
    ClaimId, Claimed, Finding, HoldId, Known, Ledger, LedgerError, NewClaim, Resolving, RowId, Settlement,
    Settling,
};

/// A ledger in a file.
///
/// It is opened when it is first needed, and made where it is not there; one that cannot be opened is tried
/// again the next time. A claim is on disk before its effect begins. What ends a call is on disk a little
/// later: a machine that loses power in between finds the call in doubt.
#[derive(Debug)]
pub struct SqliteLedger {
    /// As it was named, for messages.
    path: PathBuf,
    /// The same, wherever the process goes.
    place: PathBuf,
    open: Mutex<Option<Open>>,
}

impl SqliteLedger {
    /// The ledger at `path`, from the current folder if it is relative; nothing is opened yet.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        let place = std::path::absolute(&path).unwrap_or_else(|_| path.clone());
        SqliteLedger { path, place, open: Mutex::new(None) }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether there is no such file. One that was open and is gone since is not missing: it is still in use.
    pub fn is_missing(&self) -> bool {
        let absent = || fs::symlink_metadata(&self.place).is_err_and(|error| error.kind() == NotFound);
        self.held().is_none() && absent()
    }

    /// Opens the ledger now, or makes it, for whoever has to know before anything is done.
    ///
    /// # Errors
    /// [`LedgerError`]: the ledger cannot be written, or what is there is no ledger. It was not changed.
    pub fn open(&self) -> Result<(), LedgerError> {
        self.with(|_| Ok(()))
    }

    /// Runs `work` on the open ledger. A failure says which file it is about.
    fn with<T>(&self, work: impl FnOnce(&mut Open) -> Result<T, Failure>) -> Result<T, LedgerError> {
        let mut held = self.held();
        let named = |failure| self.named(&failure);
        if held.as_ref().is_some_and(|open| !open.is_current()) {
            *held = None;
        }
        let open = match &mut *held {
            Some(open) => open,
            empty => empty.insert(Open::at(&self.place).map_err(named)?),
        };
        work(open).map_err(named)
    }

    fn named(&self, failure: &Failure) -> LedgerError {
        LedgerError::new(format!("`{}`: {failure}", self.path.display()))
    }

    /// The open ledger. A panic elsewhere leaves no transaction: it is rolled back as it is dropped.
    fn held(&self) -> MutexGuard<'_, Option<Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Why a ledger could not be read or written, in one line.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Failure(String);

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Failure(error.to_string())
    }
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode;
        let known = match error.sqlite_error_code() {
            _ if wait::is_busy(&error) => "another process keeps it locked".to_owned(),
            Some(ErrorCode::DiskFull) => "the disk is full".to_owned(),
            Some(ErrorCode::ReadOnly) => "it cannot be written".to_owned(),
            Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => {
                "it is damaged, or no ledger".to_owned()
            }
            _ => return Failure(error.to_string()),
        };
        Failure(known)
    }
}

impl Ledger for SqliteLedger {
    /// As for every ledger; and none is made where there is none.
    fn look_up(&self, row: &RowId) -> Result<Option<Known>, LedgerError> {
        if self.is_missing() {
            return Ok(None);
        }
        self.with(|open| open.catch_up().and_then(|()| open.known(row)))
    }

    fn claim(&self, claim: NewClaim) -> Result<Claimed, LedgerError> {
        self.with(|open| open.catch_up().and_then(|()| open.claim(&claim)))
    }

    /// As for every ledger; and one that fails is tried again before whatever is asked next.
    fn settle(&self, claim: &ClaimId, settlement: &Settlement) -> Result<Settling, LedgerError> {
        self.with(|open| {
            let settling = open.catch_up().and_then(|()| open.settle(claim, settlement));
            if settling.is_err() {
                open.owe(Debt::Settlement(claim.clone(), settlement.clone()));
            }
            settling
        })
    }

    fn resolve(&self, doubt: &ClaimId, finding: &Finding) -> Result<Resolving, LedgerError> {
        self.with(|open| open.catch_up().and_then(|()| open.resolve(doubt, finding)))
    }

    fn hold(&self, target: &str) -> Result<Option<HoldId>, LedgerError> {
        self.with(|open| open.catch_up().and_then(|()| open.hold(target)))
    }

    fn release(&self, hold: &HoldId) -> Result<(), LedgerError> {
        self.with(|open| {
            let released = open.catch_up().and_then(|()| open.release(hold));
            if released.is_err() {
                open.owe(Debt::Release(hold.clone()));
            }
            released
        })
    }
}

/// What could not be written when it was to be, and is written before anything else is done.
#[derive(Debug)]
enum Debt {
    Settlement(ClaimId, Settlement),
    Release(HoldId),
}

impl Open {
    /// Remembers what could not be written. What became of a call is worth more than that it is in doubt.
    fn owe(&mut self, debt: Debt) {
        let is_known = |known: &Debt| match (known, &debt) {
            (Debt::Settlement(known, _), Debt::Settlement(claim, _)) => known == claim,
            (Debt::Release(known), Debt::Release(hold)) => known == hold,
            _ => false,
        };
        if !self.debts.iter().any(is_known) {
            self.debts.push(debt);
        }
    }

    /// Writes what could not be written.
    fn catch_up(&mut self) -> Result<(), Failure> {
        while let Some(debt) = self.debts.pop() {
            let written = match &debt {
                Debt::Settlement(claim, settlement) => self.settle(claim, settlement).map(|_| ()),
                Debt::Release(hold) => self.release(hold),
            };
            if let Err(failure) = written {
                self.debts.push(debt);
                return Err(failure);
            }
        }
        Ok(())
    }

    fn release(&mut self, hold: &HoldId) -> Result<(), Failure> {
        let sql = "DELETE FROM hold WHERE target = ?1 AND fence = ?2";
        self.finishing()?.prepare_cached(sql)?.execute(params![hold.target, hold.fence])?;
        Ok(())
    }
}

impl Open {
    /// What is known of a call. A claim whose owner died is made a doubt first.
    fn known(&mut self, id: &RowId) -> Result<Option<Known>, Failure> {
        let mut row = Row::read(&self.connection, id)?;
        if let Some(Row { state: State::Started, owner, fence, .. }) = &row
            && owner.as_ref().is_none_or(|owner| !self.owner.is_alive(owner))
        {
            let claim = ClaimId { row: id.clone(), fence: *fence };
            rows::orphaned(self.finishing()?, &claim)?;
            row = Row::read(&self.connection, id)?;
        }
        Ok(row.and_then(|row| row.known(id, &self.outputs)))
    }

    /// Claims a row of which nothing is known.
    fn claim(&mut self, claim: &NewClaim) -> Result<Claimed, Failure> {
        self.owner.stay()?;
        let (owner, fence) = (self.owner.name().to_owned(), rows::fence());
        match rows::insert(self.durable()?, claim, fence, &owner) {
            Ok(true) => Ok(Claimed::Yes(ClaimId { row: claim.row.clone(), fence })),
            Ok(false) => match self.known(&claim.row)? {
                Some(known) => Ok(Claimed::No(known)),
                None => Err(Failure("the same call was made and given up at this instant".to_owned())),
            },
            Err(error) if wait::is_busy(&error) => Err(error.into()),
            Err(error) => {
                // Whether it was written is not known. Where it was, nobody has acted on it.
                drop(rows::withdraw(&self.connection, &claim.row, fence));
                Err(error.into())
            }
        }
    }

    fn settle(&mut self, claim: &ClaimId, settlement: &Settlement) -> Result<Settling, Failure> {
        let (settled, until) = match settlement {
            Settlement::Succeeded { output, window } => {
                let until = over_at(*window);
                (self.succeed(claim, rows::OPEN, output, until)?, until)
            }
            Settlement::InDoubt { why } => (rows::doubt(self.finishing()?, claim, why)?, None),
            Settlement::NothingHappened => {
                (rows::withdraw(self.finishing()?, &claim.row, claim.fence)?, None)
            }
        };
        Ok(if settled { Settling::Recorded { until } } else { Settling::Lost })
    }

    /// Makes a claim in one of `states` a success. A large output is on disk before its row says so; one that
    /// cannot be written is missed, and the success is known all the same.
    fn succeed(
        &mut self,
        claim: &ClaimId,
        states: &str,
        output: &str,
        until: Option<SystemTime>,
    ) -> Result<bool, Failure> {
        let stored = self.outputs.store(claim.fence, output).unwrap_or_default();
        let sql = format!(
            "UPDATE call SET state = 'succeeded', owner = NULL, why = NULL, ended = :now, until = :until, \
             output = :output, output_file = :file \
             WHERE scope = :scope AND key = :key AND fence = :fence AND state IN ({states})"
        );
        let values = named_params! {
            ":now": millis(SystemTime::now()), ":until": until.and_then(millis), ":output": stored.text,
            ":file": stored.file,
        };
        write(self.finishing()?, &sql, claim, values)
    }

    /// Resolves a doubt. A claim whose owner died is made one first.
    fn resolve(&mut self, doubt: &ClaimId, finding: &Finding) -> Result<Resolving, Failure> {
        if let Some(owner) = rows::owner_of(&self.connection, doubt)?
            && !self.owner.is_alive(&owner)
        {
            rows::orphaned(self.finishing()?, doubt)?;
        }
        let resolved = match finding {
            Finding::Landed { output, window } => {
                self.succeed(doubt, rows::DOUBTFUL, output, over_at(*window))?
            }
            Finding::Absent { in_doubt_by } => {
                let sql = "DELETE FROM call WHERE scope = :scope AND key = :key AND fence = :fence \
                     AND state = 'in_doubt' AND (ended <= :by OR :by IS NULL)";
                write(self.durable()?, sql, doubt, named_params! {":by": in_doubt_by.and_then(millis)})?
            }
        };
        if resolved {
            return Ok(Resolving::Resolved);
        }
        let is_in_doubt = rows::state_of(&self.connection, doubt)? == Some(State::InDoubt);
        Ok(if is_in_doubt { Resolving::TooEarly } else { Resolving::Gone })
    }

    fn hold(&mut self, target: &str) -> Result<Option<HoldId>, Failure> {
        self.owner.stay()?;
        let owner = self.owner.name().to_owned();
        self.finishing()?;
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let holder: Option<String> = transaction
            .prepare_cached("SELECT owner FROM hold WHERE target = ?1")?
            .query_row([target], |row| row.get(0))
            .optional()?;
        if holder.is_some_and(|holder| self.owner.is_alive(&holder)) {
            return Ok(None);
        }
        let fence = rows::fence();
        let sql = "INSERT OR REPLACE INTO hold (target, fence, owner) VALUES (?1, ?2, ?3)";
        transaction.prepare_cached(sql)?.execute(params![target, fence, owner])?;
        transaction.commit()?;
        Ok(Some(HoldId { target: target.to_owned(), fence }))
    }
}

/// When a window that begins now is over, as a row can hold it.
fn over_at(window: Option<Duration>) -> Option<SystemTime> {
    instant_of(millis(SystemTime::now().checked_add(window?)?)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How a ledger wrote last: 2 waits for the disk, 1 does not.
    fn synchronous(ledger: &SqliteLedger) -> i64 {
        let open = ledger.held();
        open.as_ref().unwrap().connection.pragma_query_value(None, "synchronous", |row| row.get(0)).unwrap()
    }

    fn claim() -> NewClaim {
        let key = "0".repeat(64).parse().unwrap();
        let row = RowId { scope: "ada".to_owned(), key };
        NewClaim { row, verb: "act".to_owned(), input: key, shown: "{}".to_owned(), each_acts: false }
    }

    #[test]
    fn a_claim_waits_for_the_disk_and_its_end_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = SqliteLedger::at(folder.path().join("ledger.sqlite"));
        let Claimed::Yes(id) = ledger.claim(claim()).unwrap() else { unreachable!() };
        assert_eq!(synchronous(&ledger), 2);
        ledger.settle(&id, &Settlement::InDoubt { why: String::new() }).unwrap();
        assert_eq!(synchronous(&ledger), 1);
        ledger.resolve(&id, &Finding::Absent { in_doubt_by: None }).unwrap();
        assert_eq!(synchronous(&ledger), 2);
    }

    /// A claim whose commit was said to fail, and that nobody has acted on.
    #[test]
    fn a_claim_that_is_withdrawn_was_never_made() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = SqliteLedger::at(folder.path().join("ledger.sqlite"));
        let Claimed::Yes(id) = ledger.claim(claim()).unwrap() else { unreachable!() };
        let withdrawn = ledger.with(|open| Ok(rows::withdraw(&open.connection, &id.row, id.fence)?));
        assert_eq!((withdrawn, ledger.look_up(&id.row)), (Ok(true), Ok(None)));
        assert!(matches!(ledger.claim(claim()), Ok(Claimed::Yes(_))));
    }
}
