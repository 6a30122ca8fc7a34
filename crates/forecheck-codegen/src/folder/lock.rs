//! The right to change an output folder.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use rustix::fs::{Access, access};

use super::write::WriteError;

/// How often a lock is tried, and how long is waited in between: somebody who only looks whether a
/// folder is locked has to lock it for an instant.
const TRIES: u32 = 10;
const PAUSE: Duration = Duration::from_millis(5);

/// The right to change an output folder, held until it is dropped. The system frees it when its
/// process ends in any way. Folders that were made for it go again while they are empty.
#[derive(Debug)]
pub(super) struct Lock {
    _folder: File,
    _made: Made,
}

/// Folders that a call has made, the outermost first.
#[derive(Debug, Default)]
struct Made(Vec<PathBuf>);

impl Drop for Made {
    fn drop(&mut self) {
        for folder in self.0.iter().rev() {
            // What is not empty any more is in use and stays.
            if fs::remove_dir(folder).is_err() {
                break;
            }
        }
    }
}

/// Why a folder was not locked.
#[derive(Debug)]
pub(super) enum LockError {
    /// Another process holds the lock.
    Busy,
    /// The folder cannot be made or opened.
    Unwritable(WriteError),
}

impl Lock {
    /// Makes the folder, if it is not there, and locks it.
    pub(super) fn take(folder: &Path) -> Result<Lock, LockError> {
        let failed = |source| LockError::Unwritable(WriteError { path: folder.to_owned(), source });
        let made = make(folder).map_err(failed)?;
        let file = File::open(folder).map_err(failed)?;
        match try_lock(&file) {
            Ok(()) => Ok(Lock { _folder: file, _made: made }),
            Err(TryLockError::WouldBlock) => Err(LockError::Busy),
            Err(TryLockError::Error(error)) => Err(failed(error)),
        }
    }
}

fn try_lock(folder: &File) -> Result<(), TryLockError> {
    for _ in 1..TRIES {
        match folder.try_lock() {
            Err(TryLockError::WouldBlock) => thread::sleep(PAUSE),
            tried => return tried,
        }
    }
    folder.try_lock()
}

/// Whether somebody has the right to change a folder.
pub(super) fn is_locked(folder: &Path) -> bool {
    let tried = File::open(folder).map(|folder| folder.try_lock_shared());
    matches!(tried, Ok(Err(TryLockError::WouldBlock)))
}

/// Whether this user may change a folder, or make it where it is not there.
///
/// # Errors
/// [`WriteError`]: the folder, or the nearest one above it, is not theirs to change.
pub fn may_write(folder: &Path) -> Result<(), WriteError> {
    let there = folder.ancestors().find(|path| path.exists()).unwrap_or(Path::new("."));
    let allowed = access(there, Access::WRITE_OK | Access::EXEC_OK);
    allowed.map_err(|source| WriteError { path: there.to_owned(), source: source.into() })
}

fn make(folder: &Path) -> io::Result<Made> {
    let missing: Vec<&Path> =
        folder.ancestors().take_while(|path| !path.as_os_str().is_empty() && !path.exists()).collect();
    let mut made = Made::default();
    for path in missing.into_iter().rev() {
        match fs::create_dir(path) {
            Ok(()) => made.0.push(path.to_owned()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Ok(made)
}
