//! What a ledger holds, for whoever looks after it.

use std::collections::BTreeSet;
use std::time::SystemTime;

use forecheck_contract::key::Key;

use super::rows::{self, State, millis, parsed};
use super::{Failure, Open, SqliteLedger};
use crate::ledger::{ClaimId, LedgerError, RowId};

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
    /// When it succeeded, or came into doubt.
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
    /// The calls of the ledger, or those with one key, oldest first.
    ///
    /// # Errors
    /// [`LedgerError`]: the ledger cannot be read.
    pub fn records(&self, key: Option<Key>) -> Result<Vec<Record>, LedgerError> {
        self.with(|open| {
            open.sweep()?;
            open.records(key)
        })
    }

    /// Forgets what nobody will ask for: successes whose window is over, successes of verbs that act each
    /// time, and what belongs to nothing. Calls in doubt stay.
    ///
    /// # Errors
    /// [`LedgerError`]: the ledger cannot be written.
    pub fn forget(&self) -> Result<Forgotten, LedgerError> {
        self.with(|open| {
            let sql = "DELETE FROM call WHERE state = 'succeeded' AND (until <= ?1 OR attempt != 0)";
            let calls = open.finishing()?.execute(sql, [millis(SystemTime::now())])?;
            let named = open.output_files()?;
            let outputs = open.outputs.keep_only(|name| named.contains(name))?;
            open.owner.bury_others()?;
            Ok(Forgotten { calls: calls as u64, outputs })
        })
    }
}

impl Open {
    /// Makes doubts of all claims whose owners are gone.
    fn sweep(&mut self) -> Result<(), Failure> {
        let sql = "SELECT scope, key, fence, owner FROM call WHERE state = 'started'";
        let mut claims: Vec<(ClaimId, String)> = self
            .connection
            .prepare(sql)?
            .query_map([], |row| Ok((claim_id(row)?, row.get(3)?)))?
            .collect::<Result<_, _>>()?;
        claims.retain(|(_, owner)| !self.owner.is_alive(owner));
        let connection = self.finishing()?;
        claims.iter().try_for_each(|(claim, _)| rows::orphaned(connection, claim))
    }

    fn records(&self, key: Option<Key>) -> Result<Vec<Record>, Failure> {
        let sql = "SELECT scope, key, fence, verb, state, input, output, output_file, why, started, ended, until \
             FROM call WHERE key = ?1 OR ?1 IS NULL ORDER BY started, fence";
        let mut statement = self.connection.prepare(sql)?;
        let records = statement.query_map([key.map(|key| key.to_string())], |row| {
            let state = parsed(row, 4, State::read)?;
            let (text, file): (_, Option<String>) = (row.get(6)?, row.get(7)?);
            let output = || rows::output(text, file.as_deref(), &self.outputs);
            Ok(Record {
                claim: claim_id(row)?,
                verb: row.get(3)?,
                state,
                input: row.get(5)?,
                output: (state == State::Succeeded).then(output),
                why: row.get(8)?,
                started: rows::instant(row, 9)?.unwrap_or(SystemTime::UNIX_EPOCH),
                ended: rows::instant(row, 10)?,
                until: rows::instant(row, 11)?,
            })
        })?;
        Ok(records.collect::<Result<_, _>>()?)
    }

    fn output_files(&self) -> rusqlite::Result<BTreeSet<String>> {
        let sql = "SELECT output_file FROM call WHERE output_file IS NOT NULL";
        self.connection.prepare(sql)?.query_map([], |row| row.get(0))?.collect()
    }
}

/// The claim in the first three columns: scope, key, fence.
fn claim_id(row: &rusqlite::Row<'_>) -> rusqlite::Result<ClaimId> {
    let id = RowId { scope: row.get(0)?, key: parsed(row, 1, |text| text.parse().ok())? };
    Ok(ClaimId { row: id, fence: row.get(2)? })
}
