//! Opening a ledger: where it may be, its settings, its tables.

use std::ffi::OsStr;
use std::ffi::os_str::Display;
use std::fs::{self, DirBuilder, File, Metadata};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use super::outputs::Outputs;
use super::owner::Owner;
use super::{Debt, Failure, wait};

/// Marks the files of this kind: the letters `Fchk`.
const APPLICATION_ID: i32 = 0x4663_686b;

/// What each version of the tables adds to the one before. A ledger says how many it has.
const MIGRATIONS: [&str; 1] = ["CREATE TABLE call (
         scope TEXT NOT NULL, key TEXT NOT NULL,
         -- 0, or for a verb that acts each time the fence: then each call has a row
         attempt INTEGER NOT NULL,
         fence INTEGER NOT NULL, verb TEXT NOT NULL,
         state TEXT NOT NULL CHECK (state IN ('started', 'succeeded', 'in_doubt')),
         -- of a call that is under way; the one whose owner is gone is in doubt
         owner TEXT,
         input_digest TEXT NOT NULL, input TEXT NOT NULL,
         output TEXT, output_file TEXT, why TEXT,
         -- milliseconds since 1970
         started INTEGER NOT NULL, ended INTEGER, until INTEGER,
         PRIMARY KEY (scope, key, attempt)
     ) STRICT, WITHOUT ROWID;
     CREATE TABLE hold (
         target TEXT PRIMARY KEY, fence INTEGER NOT NULL, owner TEXT NOT NULL
     ) STRICT, WITHOUT ROWID;"];

/// An open ledger.
#[derive(Debug)]
pub(super) struct Open {
    pub(super) connection: Connection,
    pub(super) owner: Owner,
    pub(super) outputs: Outputs,
    pub(super) debts: Vec<Debt>,
    path: PathBuf,
    file: (u64, u64),
}

impl Open {
    /// Opens the ledger at `path`, or makes it.
    pub(super) fn at(path: &Path) -> Result<Self, Failure> {
        let (folder, _) = parts(path)?;
        make_folder(folder)?;
        let path = resolved(path)?;
        let is_new = make(&path)?;
        let found = no_link(&path)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX
            | OpenFlags::SQLITE_OPEN_NOFOLLOW;
        let mut connection = Connection::open_with_flags(&path, flags)?;
        wait::patiently(&mut connection)?;
        // The last process to close would copy the log into the database, which costs more than a call.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        version(&connection)?;
        private(&path, &found)?;
        if connection.is_readonly(rusqlite::MAIN_DB)? {
            return Err(Failure("it cannot be written".to_owned()));
        }
        configure(&connection)?;
        migrate(&mut connection, is_new || !beside(&path, "owners").exists())?;
        if let Some(folder) = path.parent() {
            // A claim would be lost with a ledger that is not in its folder after a loss of power.
            File::open(folder)?.sync_all()?;
        }
        let owner = Owner::among(private_folder(&path, "owners")?)?;
        let outputs = Outputs { folder: private_folder(&path, "outputs")? };
        Ok(Open { connection, owner, outputs, debts: Vec::new(), path, file: (found.dev(), found.ino()) })
    }

    /// Whether what is open is still the file at its path. Others would not see what is written into one that was
    /// removed or replaced.
    pub(super) fn is_current(&self) -> bool {
        fs::symlink_metadata(&self.path).is_ok_and(|found| (found.dev(), found.ino()) == self.file)
    }

    /// For what must be on disk before it returns.
    pub(super) fn durable(&mut self) -> rusqlite::Result<&mut Connection> {
        self.synchronous("FULL")
    }

    /// For what a loss of power may undo: a call is in doubt then.
    pub(super) fn finishing(&mut self) -> rusqlite::Result<&mut Connection> {
        self.synchronous("NORMAL")
    }

    fn synchronous(&mut self, how: &str) -> rusqlite::Result<&mut Connection> {
        self.connection.pragma_update(None, "synchronous", how)?;
        Ok(&mut self.connection)
    }
}

/// The folder of a ledger, and its name in it.
fn parts(path: &Path) -> Result<(&Path, &OsStr), Failure> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(Failure("that is no path of a file".to_owned()));
    };
    Ok((if folder.as_os_str().is_empty() { Path::new(".") } else { folder }, name))
}

/// Makes the folder of a ledger where it is not there, and has it on disk.
fn make_folder(folder: &Path) -> Result<(), Failure> {
    let named =
        |folder: &'_ Path| if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder.into() };
    let missing = folder.ancestors().take_while(|folder| !named(folder).exists()).count();
    if let Some(existing) = folder.ancestors().nth(missing) {
        is_of_this_machine(&named(existing))?;
    }
    DirBuilder::new().recursive(true).mode(0o700).create(named(folder))?;
    for parent in folder.ancestors().skip(1).take(missing) {
        File::open(named(parent))?.sync_all()?;
    }
    Ok(())
}

/// The folder beside a ledger that is named after it, made where it is not there.
fn private_folder(path: &Path, what: &str) -> Result<PathBuf, Failure> {
    let folder = beside(path, what);
    DirBuilder::new().recursive(true).mode(0o700).create(&folder)?;
    private(&folder, &no_link(&folder)?)?;
    Ok(folder)
}

/// What is at a path, unless that is a link.
fn no_link(path: &Path) -> Result<Metadata, Failure> {
    let found = fs::symlink_metadata(path)?;
    if found.is_symlink() {
        return Err(Failure(format!("`{}` is a link, which is not followed", name(path))));
    }
    Ok(found)
}

/// That nobody else may read or write what was found at a path.
fn private(path: &Path, found: &Metadata) -> Result<(), Failure> {
    if found.uid() != rustix::process::geteuid().as_raw() {
        return Err(Failure(format!("`{}` belongs to another user", name(path))));
    }
    if found.is_file() && found.nlink() != 1 {
        return Err(Failure(format!(
            "`{}` has a second name, at which it would be another ledger",
            name(path)
        )));
    }
    if found.mode() & 0o077 != 0 {
        let what = "is open to others: take their permissions away (chmod go= )";
        return Err(Failure(format!("`{}` {what}", name(path))));
    }
    Ok(())
}

fn name(path: &Path) -> Display<'_> {
    path.file_name().unwrap_or_default().display()
}

/// The path with its folder resolved: the last part may then be no link.
pub(super) fn resolved(path: &Path) -> Result<PathBuf, Failure> {
    let (folder, name) = parts(path)?;
    let folder = folder.canonicalize()?;
    is_of_this_machine(&folder)?;
    Ok(folder.join(name))
}

fn is_of_this_machine(folder: &Path) -> Result<(), Failure> {
    let kind = rustix::fs::statfs(folder).map_err(std::io::Error::from)?.f_type;
    match shared_between_machines(kind.into()) {
        None => Ok(()),
        Some(name) => Err(Failure(format!(
            "it lies on a network file system ({name}), where locks and shared memory cannot be trusted; \
             put it on a disk of this machine"
        ))),
    }
}

/// The name of a file system that machines share, by its number in `statfs(2)`.
fn shared_between_machines(kind: i128) -> Option<&'static str> {
    const KINDS: [(i128, &str); 13] = [
        (0x6969, "NFS"),
        (0x517b, "SMB"),
        (0xff53_4d42, "CIFS"),
        (0xfe53_4d42, "SMB2"),
        (0x0102_1997, "9P"),
        (0x5346_414f, "AFS"),
        (0x00c3_6400, "Ceph"),
        (0x0bd0_0bd0, "Lustre"),
        (0x0116_1970, "GFS2"),
        (0x7461_636f, "OCFS2"),
        (0x4750_4653, "GPFS"),
        (0x1983_0326, "BeeGFS"),
        (0x786f_4256, "VirtualBox"),
    ];
    KINDS.iter().find(|(number, _)| *number == kind).map(|(_, name)| *name)
}

/// Makes an empty file for the user alone, where there is none. SQLite gives the files beside it its mode.
fn make(path: &Path) -> Result<bool, Failure> {
    match File::options().write(true).create_new(true).mode(0o600).open(path) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(error.into()),
        made => Ok(made.is_ok()),
    }
}

/// Settings of a connection. What a file brings along is data: no trigger and no view of it runs.
fn configure(connection: &Connection) -> Result<(), Failure> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
    let mode: String = wait::while_busy(|| {
        let mode: String = connection.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
        if mode == "wal" {
            return Ok(mode);
        }
        connection.pragma_update_and_check(None, "journal_mode", "wal", |row| row.get(0))
    })?;
    if mode != "wal" {
        return Err(Failure(format!(
            "it can have no log beside it, which its file system would have to share ({mode})"
        )));
    }
    connection.pragma_update(None, "fullfsync", true)?;
    Ok(())
}

/// Brings the tables up to this version. One process does it, the others wait. A file without any is a ledger that
/// was emptied, unless it may be new.
fn migrate(connection: &mut Connection, may_be_new: bool) -> Result<(), Failure> {
    if version(connection)? == MIGRATIONS.len() {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let version = version(&transaction)?;
    if version == 0 && !may_be_new {
        let what = "it was emptied: put it back, with the files beside it, or remove them all";
        return Err(Failure(what.to_owned()));
    }
    MIGRATIONS.iter().skip(version).try_for_each(|migration| transaction.execute_batch(migration))?;
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", MIGRATIONS.len().to_string())?;
    transaction.commit()?;
    // From now on the file itself says that it is a ledger, whatever becomes of its log.
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
    Ok(())
}

/// How many migrations a ledger has; an empty file has none. Files of other programs and of later versions are
/// no ledgers.
pub(super) fn version(connection: &Connection) -> Result<usize, Failure> {
    // In one look: another process may be making the tables.
    let sql = "SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema) \
         FROM pragma_application_id, pragma_user_version";
    let (id, version, tables): (i32, u32, i64) =
        connection.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    if id != APPLICATION_ID && (id, version, tables) != (0, 0, 0) {
        return Err(Failure("it is a database of another program".to_owned()));
    }
    if version as usize > MIGRATIONS.len() {
        return Err(Failure(format!("it was made by a later version of this program (tables {version})")));
    }
    Ok(version as usize)
}

/// The file beside a ledger that is named after it.
pub(super) fn beside(path: &Path, what: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(what);
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_systems_of_other_machines_are_known() {
        let local = [0xef53, 0x0102_1994, 0x9123_683e, 0x794c_7630].map(shared_between_machines);
        assert_eq!(local, [None; 4]);
        assert_eq!(shared_between_machines(0x6969), Some("NFS"));
        assert_eq!(shared_between_machines(0xff53_4d42), Some("CIFS"));
    }
}
