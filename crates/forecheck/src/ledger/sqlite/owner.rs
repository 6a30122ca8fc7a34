//! Who owns a claim: a process that holds a lock on a file of its own, which the kernel frees when it dies.
//!
//! A process number says nothing once it is given to another process, and a time limit nothing of an effect
//! that takes longer.

use std::fs::{self, File, Metadata, TryLockError};
use std::hash::{BuildHasher as _, RandomState};
use std::io;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::process;

/// This process, as one owner of claims.
#[derive(Debug)]
pub(super) struct Owner {
    folder: PathBuf,
    name: String,
    path: PathBuf,
    /// Which file it is, by device and number.
    identity: (u64, u64),
    process: u32,
    /// Locked for as long as it is open.
    file: File,
}

impl Owner {
    /// A new owner among those in `folder`.
    pub(super) fn among(folder: PathBuf) -> io::Result<Self> {
        loop {
            let name = format!("{}-{:016x}", process::id(), RandomState::new().hash_one(process::id()));
            let path = folder.join(&name);
            let file = File::options().write(true).create_new(true).mode(0o600).open(&path)?;
            let identity = identity(&file.metadata()?);
            match file.try_lock() {
                Ok(()) if found(&path) == Some(identity) => {
                    return Ok(Owner { folder, name, path, identity, process: process::id(), file });
                }
                // Whoever cleans up saw the file before it was locked, and took it for that of a dead owner.
                Ok(()) | Err(TryLockError::WouldBlock) => drop(fs::remove_file(&path)),
                Err(TryLockError::Error(error)) => {
                    drop(fs::remove_file(&path));
                    return Err(error);
                }
            }
        }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Whether an owner is alive.
    pub(super) fn is_alive(&self, name: &str) -> bool {
        name == self.name || is_alive(&self.folder, name)
    }

    /// Has a file again, where somebody removed it: others would take this owner for dead.
    pub(super) fn stay(&mut self) -> io::Result<()> {
        if found(&self.path) == Some(self.identity) {
            return Ok(());
        }
        let file = File::options().write(true).create_new(true).mode(0o600).open(&self.path)?;
        file.try_lock()?;
        self.identity = identity(&file.metadata()?);
        self.file = file;
        Ok(())
    }

    /// Removes the files of owners that are dead, after their claims were made doubts: without a file, an owner is
    /// dead as well.
    pub(super) fn bury_others(&self) -> io::Result<()> {
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            let is_other = entry.file_name() != self.name.as_str() && entry.file_type()?.is_file();
            if is_other
                && let Ok(file) = File::open(entry.path())
                && file.try_lock().is_ok()
            {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }
}

fn identity(found: &Metadata) -> (u64, u64) {
    (found.dev(), found.ino())
}

/// Which file is at a path.
fn found(path: &Path) -> Option<(u64, u64)> {
    fs::metadata(path).ok().as_ref().map(identity)
}

/// Whether another owner in `folder` is alive. One of which that cannot be told counts as alive: its claim stays
/// as it is.
pub(super) fn is_alive(folder: &Path, name: &str) -> bool {
    match File::open(folder.join(name)) {
        Ok(file) => file.try_lock_shared().is_err(),
        Err(error) => error.kind() != io::ErrorKind::NotFound,
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        // Best effort: a file that stays says the same once its lock is gone. A forked process is not the owner.
        if process::id() == self.process {
            drop(fs::remove_file(&self.path));
        }
    }
}
