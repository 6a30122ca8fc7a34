//! Changing an output folder: stage, then rename.

use std::collections::BTreeSet;
use std::fmt;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::manifest::Manifest;
use super::{MANIFEST, Plan};

/// What a run changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Written {
    /// Files that were written, sorted.
    pub written: Vec<String>,
    /// Files that were removed, sorted.
    pub removed: Vec<String>,
    /// How many files were as they should be.
    pub unchanged: usize,
}

/// A write that failed.
#[derive(Debug)]
pub struct WriteError {
    /// What could not be written or removed.
    pub path: PathBuf,
    /// What the system said.
    pub source: io::Error,
    /// Whether some files had already been replaced. Each file is whole either way.
    pub partial: bool,
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` cannot be written: {}", self.path.display(), self.source)
    }
}

impl std::error::Error for WriteError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

/// The right to change an output folder, held until it is dropped. The system frees it when its
/// process ends in any way.
#[derive(Debug)]
pub struct Lock {
    _folder: File,
}

/// Why a folder was not locked.
#[derive(Debug)]
pub enum LockError {
    /// Another process holds the lock.
    Busy,
    /// The folder cannot be made or opened.
    Unwritable(WriteError),
}

impl Lock {
    /// Makes the folder, if it is not there, and locks it.
    ///
    /// # Errors
    /// [`LockError`].
    pub fn take(folder: &Path) -> Result<Lock, LockError> {
        let failed = |source| LockError::Unwritable(WriteError { path: folder.to_owned(), source, partial: false });
        fs::create_dir_all(folder).map_err(failed)?;
        let file = File::open(folder).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => Ok(Lock { _folder: file }),
            Err(TryLockError::WouldBlock) => Err(LockError::Busy),
            Err(TryLockError::Error(error)) => Err(failed(error)),
        }
    }
}

impl Plan {
    /// Writes the files that differ and removes the ones that no generator makes, also foreign ones:
    /// whoever calls this has asked [`foreign`](Plan::foreign) before.
    ///
    /// # Errors
    /// [`WriteError`]. Unless it is `partial`, the folder is as it was.
    pub fn write(&self, _lock: &Lock) -> Result<Written, WriteError> {
        let changed = self.changed();
        let orphans: Vec<&str> = self.orphans().into_iter().collect();
        let goal = Manifest::of(self.files.keys().cloned().collect());
        let unchanged = self.files.len() - changed.len();
        if changed.is_empty() && orphans.is_empty() && goal.files == self.folder.ours {
            return Ok(Written { unchanged, ..Written::default() });
        }
        let staging = Staging::make(self.folder.staging())?;
        let staged: Vec<(PathBuf, &str)> = changed
            .iter()
            .enumerate()
            .map(|(index, (path, content))| Ok((staging.put(index, content.as_bytes())?, *path)))
            .collect::<Result<_, WriteError>>()?;
        let during: BTreeSet<String> = goal.files.union(&self.folder.ours).cloned().collect();
        self.replace(&staging.put(changed.len(), Manifest::of(during).text().as_bytes())?, MANIFEST)
            .map_err(|error| WriteError { partial: false, ..error })?;
        // First what has to go: a link that stands where a folder belongs would lead out of ours.
        for path in &orphans {
            self.remove(path)?;
        }
        for (from, path) in &staged {
            self.replace(from, path)?;
        }
        self.replace(&staging.put(changed.len(), goal.text().as_bytes())?, MANIFEST)?;
        let owned = |paths: Vec<&str>| paths.into_iter().map(str::to_owned).collect();
        Ok(Written { written: owned(changed.into_keys().collect()), removed: owned(orphans), unchanged })
    }

    fn replace(&self, from: &Path, path: &str) -> Result<(), WriteError> {
        let to = self.folder.path.join(path);
        let parents = to.parent().map_or(Ok(()), fs::create_dir_all);
        parents.and_then(|()| fs::rename(from, &to)).map_err(|source| WriteError { path: to, source, partial: true })
    }

    fn remove(&self, path: &str) -> Result<(), WriteError> {
        let file = self.folder.path.join(path);
        fs::remove_file(&file).map_err(|source| WriteError { path: file.clone(), source, partial: true })?;
        let mut parent = file.parent();
        while let Some(folder) = parent.filter(|folder| *folder != self.folder.path) {
            if fs::remove_dir(folder).is_err() {
                break;
            }
            parent = folder.parent();
        }
        Ok(())
    }
}

/// A folder for files on their way; gone when it is dropped.
struct Staging {
    path: PathBuf,
}

impl Staging {
    /// Makes the folder, empty also after a run that was killed.
    fn make(path: PathBuf) -> Result<Staging, WriteError> {
        let cleared = match fs::remove_dir_all(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => fs::create_dir(&path),
        };
        match cleared {
            Ok(()) => Ok(Staging { path }),
            Err(source) => Err(WriteError { path, source, partial: false }),
        }
    }

    fn put(&self, index: usize, bytes: &[u8]) -> Result<PathBuf, WriteError> {
        let path = self.path.join(index.to_string());
        match fs::write(&path, bytes) {
            Ok(()) => Ok(path),
            Err(source) => Err(WriteError { path, source, partial: false }),
        }
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // What is left of it is cleared by the next run.
        drop(fs::remove_dir_all(&self.path));
    }
}
