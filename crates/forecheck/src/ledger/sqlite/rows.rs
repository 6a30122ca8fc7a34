//! Rows of calls, and the statements that more than one method needs.

use std::hash::{BuildHasher as _, RandomState};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use forecheck_contract::key::Key;
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension as _, ToSql, named_params, params};

use super::Failure;
use super::outputs::Outputs;
use crate::ledger::{ClaimId, Doubt, Known, LedgerError, NewClaim, RowId, Success};

/// The states in which its owner may settle a claim.
pub(super) const OPEN: &str = "'started', 'in_doubt'";
/// The state in which whoever finds out may resolve it.
pub(super) const DOUBTFUL: &str = "'in_doubt'";
/// Why a call is in doubt whose owner is gone.
pub(super) const ORPHANED: &str = "the process that made the call ended before it said what became of it";

/// Where a call stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Its owner was at work when the row was written; one whose owner is gone is in doubt.
    Started,
    /// It succeeded.
    Succeeded,
    /// Nobody knows whether its effect took place.
    InDoubt,
}

impl State {
    /// The state as the ledger spells it.
    pub const fn as_str(self) -> &'static str {
        match self {
            State::Started => "started",
            State::Succeeded => "succeeded",
            State::InDoubt => "in_doubt",
        }
    }

    pub(super) fn read(text: &str) -> Option<Self> {
        [State::Started, State::Succeeded, State::InDoubt].into_iter().find(|state| state.as_str() == text)
    }
}

/// The row of a call that is recorded once.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) fence: u64,
    pub(super) state: State,
    pub(super) owner: Option<String>,
    input: Key,
    output: Option<String>,
    output_file: Option<String>,
    why: Option<String>,
    ended: Option<SystemTime>,
    until: Option<SystemTime>,
}

impl Row {
    pub(super) fn read(connection: &Connection, id: &RowId) -> rusqlite::Result<Option<Self>> {
        let sql = "SELECT fence, state, owner, input_digest, output, output_file, why, ended, until FROM call \
             WHERE scope = ?1 AND key = ?2 AND attempt = 0";
        let read = |row: &rusqlite::Row<'_>| {
            Ok(Row {
                fence: row.get(0)?,
                state: parsed(row, 1, State::read)?,
                owner: row.get(2)?,
                input: parsed(row, 3, |text| text.parse().ok())?,
                output: row.get(4)?,
                output_file: row.get(5)?,
                why: row.get(6)?,
                ended: instant(row, 7)?,
                until: instant(row, 8)?,
            })
        };
        let key = id.key.to_string();
        connection.prepare_cached(sql)?.query_row(params![id.scope, key], read).optional()
    }

    /// What is known of the call; `None` once its success is forgotten.
    pub(super) fn known(self, id: &RowId, outputs: &Outputs) -> Option<Known> {
        match self.state {
            State::Started => Some(Known::InFlight),
            State::InDoubt => {
                let claim = ClaimId { row: id.clone(), fence: self.fence };
                Some(Known::InDoubt(Doubt { claim, why: self.why.unwrap_or_default() }))
            }
            State::Succeeded if self.until.is_some_and(|until| until <= SystemTime::now()) => None,
            State::Succeeded => Some(Known::Succeeded(Success {
                output: output(self.output, self.output_file.as_deref(), outputs),
                at: self.ended.unwrap_or(UNIX_EPOCH),
                until: self.until,
                input: self.input,
            })),
        }
    }
}

/// The output that a row holds, or names the file of.
pub(super) fn output(
    text: Option<String>,
    file: Option<&str>,
    outputs: &Outputs,
) -> Result<String, LedgerError> {
    match (text, file) {
        (Some(text), _) => Ok(text),
        (None, Some(file)) => outputs
            .read(file)
            .map_err(|why| LedgerError::new(format!("`{}`: {why}", outputs.folder.join(file).display()))),
        (None, None) => Err(LedgerError::new("the ledger holds none")),
    }
}

/// A text in a row as what it stands for.
pub(super) fn parsed<T>(
    row: &rusqlite::Row<'_>,
    column: usize,
    parse: impl FnOnce(&str) -> Option<T>,
) -> rusqlite::Result<T> {
    let text: String = row.get(column)?;
    let unknown =
        || rusqlite::Error::FromSqlConversionFailure(column, Type::Text, format!("unknown: {text}").into());
    parse(&text).ok_or_else(unknown)
}

/// The owner of a claim that is under way.
pub(super) fn owner_of(connection: &Connection, claim: &ClaimId) -> rusqlite::Result<Option<String>> {
    let sql = "SELECT owner FROM call WHERE scope = ?1 AND key = ?2 AND fence = ?3 AND state = 'started'";
    let values = params![claim.row.scope, claim.row.key.to_string(), claim.fence];
    Ok(connection.prepare_cached(sql)?.query_row(values, |row| row.get(0)).optional()?.flatten())
}

/// Where a claim stands.
pub(super) fn state_of(connection: &Connection, claim: &ClaimId) -> rusqlite::Result<Option<State>> {
    let sql = "SELECT state FROM call WHERE scope = ?1 AND key = ?2 AND fence = ?3";
    connection
        .prepare_cached(sql)?
        .query_row(params![claim.row.scope, claim.row.key.to_string(), claim.fence], |row| {
            parsed(row, 0, State::read)
        })
        .optional()
}

/// A number that no other claim and no other hold of this ledger has.
pub(super) fn fence() -> u64 {
    // SQLite has integers of 63 bits and a sign.
    RandomState::new().hash_one(SystemTime::now()) >> 1
}

/// Writes the row of a claim, unless the call has one already. A success that is forgotten makes room.
pub(super) fn insert(
    connection: &Connection,
    claim: &NewClaim,
    fence: u64,
    owner: &str,
) -> rusqlite::Result<bool> {
    let NewClaim { row, verb, input, shown, each_acts } = claim;
    let sql = "INSERT INTO call (scope, key, attempt, fence, verb, state, owner, input_digest, input, started) \
         VALUES (:scope, :key, :attempt, :fence, :verb, 'started', :owner, :digest, :input, :now) \
         ON CONFLICT DO UPDATE SET fence = excluded.fence, verb = excluded.verb, state = excluded.state, \
         owner = excluded.owner, input_digest = excluded.input_digest, input = excluded.input, \
         started = excluded.started, output = NULL, output_file = NULL, ended = NULL, until = NULL \
         WHERE call.state = 'succeeded' AND call.until <= excluded.started";
    let written = connection.prepare_cached(sql)?.execute(named_params! {
        ":scope": row.scope, ":key": row.key.to_string(), ":attempt": if *each_acts { fence } else { 0 },
        ":fence": fence, ":verb": verb, ":owner": owner, ":digest": input.to_string(), ":input": shown,
        ":now": millis(SystemTime::now()),
    })?;
    Ok(written == 1)
}

/// Takes a claim back that was not acted on.
pub(super) fn withdraw(connection: &Connection, id: &RowId, fence: u64) -> rusqlite::Result<bool> {
    let sql = "DELETE FROM call WHERE scope = ?1 AND key = ?2 AND fence = ?3 AND state = 'started'";
    Ok(connection.prepare_cached(sql)?.execute(params![id.scope, id.key.to_string(), fence])? == 1)
}

/// Makes a doubt of a claim whose owner is gone, unless it was settled before its owner went.
pub(super) fn orphaned(connection: &Connection, claim: &ClaimId) -> Result<(), Failure> {
    doubt(connection, claim, ORPHANED).map(|_| ())
}

/// Makes doubts of all claims of an owner that is gone, and frees its targets.
pub(super) fn orphans(connection: &Connection, owner: &str) -> rusqlite::Result<()> {
    let sql = "UPDATE call SET state = 'in_doubt', owner = NULL, why = ?2, ended = ?3 \
         WHERE state = 'started' AND owner = ?1";
    connection.execute(sql, params![owner, ORPHANED, millis(SystemTime::now())])?;
    connection.execute("DELETE FROM hold WHERE owner = ?1", [owner])?;
    Ok(())
}

/// Makes a doubt of a claim that is not settled.
pub(super) fn doubt(connection: &Connection, claim: &ClaimId, why: &str) -> Result<bool, Failure> {
    let sql = "UPDATE call SET state = 'in_doubt', owner = NULL, why = :why, ended = :now \
         WHERE scope = :scope AND key = :key AND fence = :fence AND state = 'started'";
    write(connection, sql, claim, named_params! {":why": why, ":now": millis(SystemTime::now())})
}

/// Changes the row of a claim by a statement that names `:scope`, `:key` and `:fence`. Answers whether it was
/// in a state in which it may be changed.
pub(super) fn write(
    connection: &Connection,
    sql: &str,
    claim: &ClaimId,
    values: &[(&str, &dyn ToSql)],
) -> Result<bool, Failure> {
    let key = claim.row.key.to_string();
    let mut named: Vec<(&str, &dyn ToSql)> =
        vec![(":scope", &claim.row.scope), (":key", &key), (":fence", &claim.fence)];
    named.extend(values);
    Ok(connection.prepare_cached(sql)?.execute(&*named)? == 1)
}

/// Milliseconds since 1970; `None` for what no ledger holds.
pub(super) fn millis(at: SystemTime) -> Option<i64> {
    i64::try_from(at.duration_since(UNIX_EPOCH).ok()?.as_millis()).ok()
}

/// An instant in a row.
pub(super) fn instant(row: &rusqlite::Row<'_>, column: usize) -> rusqlite::Result<Option<SystemTime>> {
    Ok(row.get::<_, Option<i64>>(column)?.and_then(instant_of))
}

pub(super) fn instant_of(millis: i64) -> Option<SystemTime> {
    UNIX_EPOCH.checked_add(Duration::from_millis(u64::try_from(millis).ok()?))
}
