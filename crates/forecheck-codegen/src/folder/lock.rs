//! The right to change an output folder.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::write::WriteError;

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
        match file.try_lock() {
            Ok(()) => Ok(Lock { _folder: file, _made: made }),
            Err(TryLockError::WouldBlock) => Err(LockError::Busy),
            Err(TryLockError::Error(error)) => Err(failed(error)),
        }
    }
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
