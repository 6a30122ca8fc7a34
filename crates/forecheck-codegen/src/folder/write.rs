//! Changing output folders: stage everything, then rename everything.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::listing::Kind;
use super::manifest::Manifest;
use super::plan::Plan;
use super::{MANIFEST, STAGING};

/// What a run changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Written {
    /// Files that were written, sorted.
    pub written: Vec<PathBuf>,
    /// Files that were removed, sorted.
    pub removed: Vec<PathBuf>,
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

/// The files of one folder, written beside their places. Dropped, it leaves the folder as it was.
pub(super) struct Staged<'p> {
    plan: &'p Plan,
    staging: Staging,
    /// Where each changed file is staged.
    files: Vec<(PathBuf, &'p str)>,
    /// Manifests that name the files of before and after, and of after alone.
    both: PathBuf,
    after: PathBuf,
}

impl<'p> Staged<'p> {
    /// Writes every changed file of the plan beside its place; `None` where nothing changes.
    pub(super) fn new(plan: &'p Plan) -> Result<Option<Staged<'p>>, WriteError> {
        let staging = plan.folder.path.join(STAGING);
        clear(&staging)?;
        if plan.is_done() {
            return Ok(None);
        }
        let changed = plan.changed();
        let staging = Staging::make(staging)?;
        let put = |(index, (path, content)): (usize, &(&'p str, &'p str))| {
            Ok((staging.put(&index.to_string(), content)?, *path))
        };
        let files = changed.iter().enumerate().map(put).collect::<Result<_, WriteError>>()?;
        let union: BTreeSet<String> = plan.manifest.files.union(&plan.folder.ours).cloned().collect();
        let both = staging.put("both", &Manifest::of(union).text())?;
        let after = staging.put("after", &plan.manifest.text())?;
        Ok(Some(Staged { plan, staging, files, both, after }))
    }

    /// Puts every file in its place. First what has to go, goes: a link that stands where a folder
    /// belongs would lead out of ours.
    pub(super) fn put_in_place(self, written: &mut Written) -> Result<(), WriteError> {
        self.replace(&self.both, MANIFEST)?;
        for path in self.plan.orphans() {
            written.removed.push(self.remove(path)?);
        }
        for (from, path) in &self.files {
            written.written.push(self.replace(from, path)?);
        }
        self.replace(&self.after, MANIFEST)?;
        drop(self.staging);
        Ok(())
    }

    fn replace(&self, from: &Path, path: &str) -> Result<PathBuf, WriteError> {
        let to = self.plan.folder.path.join(path);
        let parents = to.parent().map_or(Ok(()), fs::create_dir_all);
        match parents.and_then(|()| fs::rename(from, &to)) {
            Ok(()) => Ok(to),
            Err(source) => Err(WriteError { path: to, source }),
        }
    }

    fn remove(&self, path: &str) -> Result<PathBuf, WriteError> {
        let folder = &self.plan.folder;
        let file = folder.path.join(path);
        let removed = match folder.entries.get(path) {
            Some(Kind::Folder) => fs::remove_dir_all(&file),
            Some(Kind::File | Kind::Other) | None => fs::remove_file(&file),
        };
        if let Err(source) = removed
            && source.kind() != io::ErrorKind::NotFound
        {
            return Err(WriteError { path: file, source });
        }
        let above = file.ancestors().skip(1).take_while(|parent| *parent != folder.path);
        for parent in above {
            if fs::remove_dir(parent).is_err() {
                break;
            }
        }
        Ok(file)
    }
}

/// Removes what a run that was killed has left.
fn clear(staging: &Path) -> Result<(), WriteError> {
    match fs::remove_dir_all(staging) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => {
            Err(WriteError { path: staging.to_owned(), source })
        }
        _ => Ok(()),
    }
}

/// A folder for files on their way; gone when it is dropped.
struct Staging {
    path: PathBuf,
}

impl Staging {
    fn make(path: PathBuf) -> Result<Staging, WriteError> {
        match fs::create_dir(&path) {
            Ok(()) => Ok(Staging { path }),
            Err(source) => Err(WriteError { path, source }),
        }
    }

    fn put(&self, name: &str, content: &str) -> Result<PathBuf, WriteError> {
        let path = self.path.join(name);
        match fs::write(&path, content) {
            Ok(()) => Ok(path),
            Err(source) => Err(WriteError { path, source }),
        }
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // What is left of it is cleared by the next run.
        drop(fs::remove_dir_all(&self.path));
    }
}
