//! All folders of one run together, and the order in which they are looked at and changed.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use forecheck_contract::key::KEY_RECIPE;

use super::Drift;
use super::listing::{Folder, FolderError, Kind};
use super::lock::{Lock, LockError, is_locked, may_write};
use super::places::overlap;
use super::plan::Plan;
use super::write::{Staged, WriteError, Written};
use crate::generator::{Generated, GeneratedFile};
use crate::keys_json::{KEYS_FORMAT, KeysFile, MovedRecipe, moved_recipes};

/// The file that locks recipes.
const KEYS: &str = "keys.json";

/// Where a run writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Destination {
    /// The folder for JSON and Markdown.
    pub out: PathBuf,
    /// The folder for Rust; `rust/` below `out` when it is absent.
    pub rust: Option<PathBuf>,
}

/// Why a run goes no further. Nothing was changed, unless it is [`Stopped::Partly`].
#[derive(Debug)]
pub enum Stopped {
    /// The spec folder or an output folder is, or lies in, another one.
    Overlap(PathBuf, PathBuf),
    /// An output folder is there and cannot be listed.
    Unreadable(FolderError),
    /// The previous `keys.json` cannot be read, for this reason.
    LockUnreadable(String),
    /// Keys that were given out would move.
    Moved(Vec<MovedRecipe>),
    /// These files stand in the output and are not ours.
    Foreign(Vec<PathBuf>),
    /// Another run is writing to this folder.
    Busy(PathBuf),
    /// A folder cannot be written.
    Unwritable(WriteError),
    /// Some files are in place and some are not; each is whole.
    Partly(WriteError),
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stopped::Overlap(first, second) => {
                write!(f, "`{}` and `{}` do not lie apart", first.display(), second.display())
            }
            Stopped::Unreadable(error) => error.fmt(f),
            Stopped::LockUnreadable(reason) => write!(f, "the previous keys.json cannot be read: {reason}"),
            Stopped::Moved(moved) => {
                f.write_str("keys that were given out would move:")?;
                moved.iter().try_for_each(|moved| write!(f, "\n{moved}"))
            }
            Stopped::Foreign(files) => {
                f.write_str("files that no run wrote stand in the output:")?;
                files.iter().take(10).try_for_each(|file| write!(f, "\n  {}", file.display()))?;
                if files.len() > 10 { write!(f, "\n  and {} more", files.len() - 10) } else { Ok(()) }
            }
            Stopped::Busy(folder) => write!(f, "another run is writing to `{}`", folder.display()),
            Stopped::Unwritable(error) => error.fmt(f),
            Stopped::Partly(error) => {
                write!(f, "{error}; each file is whole, but some are new and some are not: run it again")
            }
        }
    }
}

impl std::error::Error for Stopped {}

/// What a run would change in all its folders.
#[derive(Debug)]
pub struct Outputs {
    plans: Vec<Plan>,
    keys: KeysFile,
}

impl Destination {
    /// Compares the folders with what was generated from `spec`.
    ///
    /// # Errors
    /// [`Stopped::Overlap`], then [`Stopped::Unreadable`].
    pub fn compare(&self, spec: &Path, generated: Generated) -> Result<Outputs, Stopped> {
        let folders: Vec<&Path> =
            [Some(spec), Some(&*self.out), self.rust.as_deref()].into_iter().flatten().collect();
        if let Some((first, second)) = overlap(&folders) {
            return Err(Stopped::Overlap(first, second));
        }
        let Generated { neutral, rust, keys } = generated;
        let prefix = if self.rust.is_some() { "" } else { "rust/" };
        let rust = rust.into_iter().map(|file| (format!("{prefix}{}", file.path), file.content));
        let mut out: BTreeMap<String, String> =
            neutral.into_iter().map(|GeneratedFile { path, content }| (path, content)).collect();
        let listed = Folder::list(&self.out).map_err(Stopped::Unreadable)?;
        let keys = with_locks(&listed, keys, &mut out)?;
        let mut plans = Vec::new();
        match &self.rust {
            Some(folder) => plans.push(plan(folder, rust.collect())?),
            None => out.extend(rust),
        }
        plans.insert(0, Plan::new(listed, out).map_err(Stopped::Unreadable)?);
        Ok(Outputs { plans, keys })
    }
}

/// The keys of a run with the locks of verbs that are gone. A lock that cannot be read, or holds, is
/// what [`Outputs::check_keys`] stops at.
fn with_locks(
    folder: &Folder,
    mut keys: KeysFile,
    out: &mut BTreeMap<String, String>,
) -> Result<KeysFile, Stopped> {
    if folder.entries.get(KEYS) == Some(&Kind::File)
        && let Ok(previous) = read_keys(&folder.read(KEYS).map_err(Stopped::Unreadable)?)
    {
        keys.keep_locks_of(previous);
        if let Ok(file) = keys.file() {
            out.insert(file.path, file.content);
        }
    }
    Ok(keys)
}

fn read_keys(text: &[u8]) -> Result<KeysFile, Stopped> {
    let keys: KeysFile =
        serde_json::from_slice(text).map_err(|error| Stopped::LockUnreadable(error.to_string()))?;
    if keys.recipe == KEY_RECIPE && keys.format == KEYS_FORMAT {
        return Ok(keys);
    }
    let reason = format!(
        "it has format {} and recipe {}, this program has {KEYS_FORMAT} and {KEY_RECIPE}",
        keys.format, keys.recipe
    );
    Err(Stopped::LockUnreadable(reason))
}

fn plan(folder: &Path, files: BTreeMap<String, String>) -> Result<Plan, Stopped> {
    Folder::list(folder).and_then(|folder| Plan::new(folder, files)).map_err(Stopped::Unreadable)
}

impl Outputs {
    /// Files that are not ours, with their folders.
    pub fn foreign(&self) -> Vec<PathBuf> {
        self.plans.iter().flat_map(Plan::foreign).collect()
    }

    /// Every difference.
    pub fn drift(&self) -> Vec<Drift> {
        self.plans.iter().flat_map(Plan::drift).collect()
    }

    /// Keys that were given out do not move unless a revision rises.
    ///
    /// # Errors
    /// [`Stopped::LockUnreadable`] or [`Stopped::Moved`].
    pub fn check_keys(&self) -> Result<(), Stopped> {
        let Some(previous) = self.plans.first().and_then(|plan| plan.found(KEYS)) else { return Ok(()) };
        match moved_recipes(&read_keys(previous)?, &self.keys) {
            moved if moved.is_empty() => Ok(()),
            moved => Err(Stopped::Moved(moved)),
        }
    }

    /// A folder to which another run is writing at this moment.
    pub fn busy(&self) -> Option<&Path> {
        self.plans.iter().map(|plan| &*plan.folder.path).find(|folder| is_locked(folder))
    }

    /// A folder that would have to change and that this user may not write.
    pub fn unwritable(&self) -> Option<WriteError> {
        self.plans.iter().flat_map(Plan::changed_folders).find_map(|folder| may_write(&folder).err())
    }

    /// Locks the folders, looks at them once more and makes them what they should be. With `prune`,
    /// foreign files go.
    ///
    /// # Errors
    /// [`Stopped`], in this order: foreign files, busy, unreadable, the lock on keys, unwritable.
    pub fn replace(self, prune: bool) -> Result<Written, Stopped> {
        self.check_foreign(prune)?;
        let locks = self.lock()?;
        let current = self.again()?;
        current.check_keys()?;
        current.check_foreign(prune)?;
        let written = current.write();
        drop(locks);
        written
    }

    fn check_foreign(&self, prune: bool) -> Result<(), Stopped> {
        match self.foreign() {
            foreign if prune || foreign.is_empty() => Ok(()),
            foreign => Err(Stopped::Foreign(foreign)),
        }
    }

    fn lock(&self) -> Result<Vec<Lock>, Stopped> {
        let lock = |plan: &Plan| {
            Lock::take(&plan.folder.path).map_err(|error| match error {
                LockError::Busy => Stopped::Busy(plan.folder.path.clone()),
                LockError::Unwritable(error) => Stopped::Unwritable(error),
            })
        };
        self.plans.iter().map(lock).collect()
    }

    /// The same comparison with the folders as they are now.
    fn again(self) -> Result<Outputs, Stopped> {
        let plans = self.plans.into_iter().map(|before| plan(&before.folder.path, before.files));
        Ok(Outputs { plans: plans.collect::<Result<_, _>>()?, keys: self.keys })
    }

    fn write(&self) -> Result<Written, Stopped> {
        let staged = self.plans.iter().filter_map(|plan| Staged::new(plan).transpose());
        let staged = staged.collect::<Result<Vec<_>, _>>().map_err(Stopped::Unwritable)?;
        let mut written = Written::default();
        for folder in staged {
            folder.put_in_place(&mut written).map_err(Stopped::Partly)?;
        }
        let files: usize = self.plans.iter().map(|plan| plan.files.len()).sum();
        written.unchanged = files - written.written.len();
        written.written.sort();
        written.removed.sort();
        Ok(written)
    }
}
