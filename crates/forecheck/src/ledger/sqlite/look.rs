//! Reading a ledger as it lies: nothing is made, and no row is changed.

use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use forecheck_contract::key::Key;
use rusqlite::{Connection, OpenFlags};

use super::outputs::Outputs;
use super::rows::{self, State, parsed};
use super::{Failure, Record, SqliteLedger, open, owner, wait};
use crate::ledger::{ClaimId, LedgerError, RowId};

/// A ledger that is only read.
#[derive(Debug)]
struct Look {
    connection: Connection,
    owners: PathBuf,
    outputs: Outputs,
}

impl SqliteLedger {
    /// Whether there is a ledger at the path.
    ///
    /// # Errors
    /// [`LedgerError`]: what is there cannot be read, or is no ledger.
    pub fn exists(&self) -> Result<bool, LedgerError> {
        self.look().map(|look| look.is_some())
    }

    /// The calls of the ledger, or those with one key, oldest first; none where there is no ledger. A claim whose
    /// owner is gone is in doubt.
    ///
    /// # Errors
    /// [`LedgerError`]: the ledger cannot be read.
    pub fn records(&self, key: Option<Key>) -> Result<Vec<Record>, LedgerError> {
        self.records_starting_with(&key.map(|key| key.to_string()).unwrap_or_default())
    }

    /// As [`records`](Self::records), of the calls whose keys start with these digits.
    ///
    /// # Errors
    /// [`LedgerError`]: the ledger cannot be read.
    pub fn records_starting_with(&self, digits: &str) -> Result<Vec<Record>, LedgerError> {
        let Some(look) = self.look()? else { return Ok(Vec::new()) };
        look.records(digits).map_err(|error| self.named(&error.into()))
    }

    fn look(&self) -> Result<Option<Look>, LedgerError> {
        Look::at(&self.place).map_err(|failure| self.named(&failure))
    }
}

/// The file as SQLite is to open it. Where no log lies beside it, all of it is in the file, and nobody writes
/// there: SQLite would make a log before it reads.
fn uri(path: &Path) -> String {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    let settled = if Path::new(&log).exists() { "" } else { "?immutable=1" };
    let letter = |byte: &u8| match byte {
        b'/' | b'.' | b'-' | b'_' => char::from(*byte).to_string(),
        byte if byte.is_ascii_alphanumeric() => char::from(*byte).to_string(),
        byte => format!("%{byte:02x}"),
    };
    let path: Vec<String> = path.as_os_str().as_bytes().iter().map(letter).collect();
    format!("file:{}{settled}", path.concat())
}

impl Look {
    /// Opens the ledger at `path`, where there is one. An empty file is none yet.
    fn at(path: &Path) -> Result<Option<Self>, Failure> {
        match path.symlink_metadata() {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error.into()),
            Ok(found) if found.is_file() => {}
            Ok(_) => return Err(Failure("it is no regular file".to_owned())),
        }
        let path = open::resolved(path)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
            | OpenFlags::SQLITE_OPEN_NO_MUTEX
            | OpenFlags::SQLITE_OPEN_NOFOLLOW
            | OpenFlags::SQLITE_OPEN_URI;
        let mut connection = Connection::open_with_flags(uri(&path), flags)?;
        wait::patiently(&mut connection)?;
        if open::version(&connection)? == 0 {
            return Ok(None);
        }
        let outputs = Outputs { folder: open::beside(&path, "outputs") };
        Ok(Some(Look { connection, owners: open::beside(&path, "owners"), outputs }))
    }

    fn records(&self, digits: &str) -> rusqlite::Result<Vec<Record>> {
        let sql = "SELECT scope, key, fence, verb, state, input, output, output_file, why, started, ended, until, \
             owner FROM call WHERE substr(key, 1, length(?1)) = ?1 ORDER BY started, fence";
        let mut statement = self.connection.prepare(sql)?;
        let records = statement.query_map([digits], |row| self.record(row))?;
        records.collect()
    }

    fn record(&self, row: &rusqlite::Row<'_>) -> rusqlite::Result<Record> {
        let mut state = parsed(row, 4, State::read)?;
        let mut why: Option<String> = row.get(8)?;
        let owner: Option<String> = row.get(12)?;
        if state == State::Started && owner.is_some_and(|owner| !owner::is_alive(&self.owners, &owner)) {
            state = State::InDoubt;
            why = Some(rows::ORPHANED.to_owned());
        }
        let (text, file): (_, Option<String>) = (row.get(6)?, row.get(7)?);
        let output = || rows::output(text, file.as_deref(), &self.outputs);
        let id = RowId { scope: row.get(0)?, key: parsed(row, 1, |text| text.parse().ok())? };
        Ok(Record {
            claim: ClaimId { row: id, fence: row.get(2)? },
            verb: row.get(3)?,
            state,
            input: row.get(5)?,
            output: (state == State::Succeeded).then(output),
            why,
            started: rows::instant(row, 9)?.unwrap_or(std::time::SystemTime::UNIX_EPOCH),
            ended: rows::instant(row, 10)?,
            until: rows::instant(row, 11)?,
        })
    }
}
