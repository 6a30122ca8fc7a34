//! What a ledger holds, for whoever looks after it.

use std::collections::BTreeSet;
use std::time::SystemTime;

use super::rows::{self, State, millis};
use super::{Failure, Open, SqliteLedger};
use crate::ledger::{ClaimId, LedgerError};

/// A call that a ledger holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Its claim, for [`Ledger::resolve`](crate::Ledger::resolve).
    pub claim: ClaimId,
    /// The verb.
    pub verb: String,
    /// Where it stands.
    pub state: State,
    /// The input as JSON text, without what its schema marks `writeOnly`.
    pub input: String,
    /// The output as JSON text, of a success; or why the ledger does not have it any more.
    pub output: Option<Result<String, LedgerError>>,
    /// Why nobody knows what became of it, of a call in doubt.
    pub why: Option<String>,
    /// When it was claimed.
    pub started: SystemTime,
    /// When it succeeded, or came into doubt; not yet where its owner is gone and nobody has asked for it since.
    pub ended: Option<SystemTime>,
    /// Until when a success is remembered; `None` is for ever.
    pub until: Option<SystemTime>,
}

/// What [`SqliteLedger::forget`] removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Forgotten {
    /// Rows of calls.
    pub calls: u64,
    /// Files of large outputs.
    pub outputs: u64,
}

impl SqliteLedger {
    /// Forgets what nobody will ask for: successes whose window is over, successes of verbs that act each
    /// time, files of outputs that no row names, and files of
    /// processes that are gone. Calls in doubt stay.
    ///
    /// # Errors
    /// [`LedgerError`]: the ledger cannot be written.
    pub fn forget(&self) -> Result<Forgotten, LedgerError> {
        self.with(|open| {
            let sql = "DELETE FROM call WHERE state = 'succeeded' AND (until <= ?1 OR attempt != 0)";
            let calls = open.finishing()?.execute(sql, [millis(SystemTime::now())])?;
            open.sweep()?;
            let named = open.output_files()?;
            let outputs = open.outputs.keep_only(|name| named.contains(name))?;
            open.owner.bury_others()?;
            Ok(Forgotten { calls: calls as u64, outputs })
        })
    }
}

impl Open {
    /// Makes doubts of the claims of owners that are gone, and frees their targets.
    fn sweep(&mut self) -> Result<(), Failure> {
        let sql = "SELECT owner FROM call WHERE state = 'started' UNION SELECT owner FROM hold";
        let owners =
            self.connection.prepare(sql)?.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
        let owners: Vec<String> = owners;
        for owner in owners.iter().filter(|owner| !self.owner.is_alive(owner)) {
            rows::orphans(&self.connection, owner)?;
        }
        Ok(())
    }

    fn output_files(&self) -> rusqlite::Result<BTreeSet<String>> {
        let sql = "SELECT output_file FROM call WHERE output_file IS NOT NULL";
        self.connection.prepare(sql)?.query_map([], |row| row.get(0))?.collect()
    }
}
