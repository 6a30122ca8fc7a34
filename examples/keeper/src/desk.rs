//! A desk: the folder with the registry, playbooks, contracts and change records.

mod change;
mod contract;
mod file;
mod instant;
mod registry;

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use crate::git::Repository;
use crate::trouble::Trouble;

pub use change::{Change, State as ChangeState};
pub use contract::Contract;
pub use registry::{Entry, Person, Registry, State};

/// What gatherers read: a desk, and who calls.
#[derive(Debug, Clone)]
pub struct Desk {
    root: PathBuf,
    caller: String,
}

impl Desk {
    /// The desk in the folder `root`, for calls of `caller`.
    pub fn new(root: impl Into<PathBuf>, caller: impl Into<String>) -> Desk {
        Desk { root: root.into(), caller: caller.into() }
    }

    /// Who calls.
    pub fn caller(&self) -> &str {
        &self.caller
    }

    /// What a path of the registry or of an input means.
    pub(crate) fn resolve(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// The registry as it is now.
    pub(crate) fn registry(&self) -> Result<Registry, Trouble> {
        registry::read(&self.registry_file())
    }

    /// The repository that the registry lists under the name.
    pub(crate) fn repository(&self, repo: &str) -> Result<(Entry, Repository), Trouble> {
        let missing = || Trouble::NotRegistered { repo: repo.to_owned() };
        let entry = self.registry()?.repos.remove(repo).ok_or_else(missing)?;
        let repository = Repository::at(&self.resolve(&entry.path))?;
        Ok((entry, repository))
    }

    /// The names of the playbooks, sorted.
    pub(crate) fn playbooks(&self) -> Result<Vec<String>, Trouble> {
        file::stems(&self.root.join("playbooks"), "md")
    }

    /// The text of a playbook.
    pub(crate) fn playbook(&self, name: &str) -> Result<Vec<u8>, Trouble> {
        let path = self.root.join("playbooks").join(format!("{name}.md"));
        fs::read(&path).map_err(Trouble::at(&path))
    }

    /// A contract, where it is one of the repository.
    pub(crate) fn contract(&self, repo: &str, id: &str) -> Result<Option<Contract>, Trouble> {
        let contract: Option<Contract> = file::read(&self.root.join("contracts").join(format!("{id}.toml")))?;
        Ok(contract.filter(|contract| contract.repo == repo))
    }

    /// The changes of a repository by number.
    pub(crate) fn changes(&self, repo: &str) -> Result<Vec<(u64, Change)>, Trouble> {
        let mut changes = Vec::new();
        for number in self.change_numbers()? {
            if let Some(change) = self.change(repo, number)? {
                changes.push((number, change));
            }
        }
        Ok(changes)
    }

    /// The numbers of the open changes of a repository.
    pub(crate) fn open_changes(&self, repo: &str) -> Result<Vec<u64>, Trouble> {
        let changes = self.changes(repo)?.into_iter();
        Ok(changes
            .filter(|(_, change)| change.state == ChangeState::Open)
            .map(|(number, _)| number)
            .collect())
    }

    /// A change, where it is one of the repository.
    pub(crate) fn change(&self, repo: &str, number: u64) -> Result<Option<Change>, Trouble> {
        let change: Option<Change> = file::read(&self.change_file(number))?;
        Ok(change.filter(|change| change.repo == repo))
    }

    /// The numbers of all changes of the desk, sorted.
    fn change_numbers(&self) -> Result<Vec<u64>, Trouble> {
        let stems = file::stems(&self.root.join("changes"), "toml")?;
        let mut numbers: Vec<u64> = stems.iter().filter_map(|stem| stem.parse().ok()).collect();
        numbers.sort_unstable();
        Ok(numbers)
    }

    fn registry_file(&self) -> PathBuf {
        self.root.join("registry.toml")
    }

    fn change_file(&self, number: u64) -> PathBuf {
        self.root.join("changes").join(format!("{number}.toml"))
    }
}

/// What effects act at. Nothing is written before the bench is [locked](Bench::lock).
#[derive(Debug, Clone)]
pub struct Bench {
    desk: Desk,
}

impl Bench {
    /// The bench at a desk.
    pub fn new(desk: Desk) -> Bench {
        Bench { desk }
    }

    /// Waits until no other process acts at the desk.
    pub(crate) fn lock(&self) -> Result<LockedBench<'_>, Trouble> {
        let folder = self.desk.root.join(".keeper");
        fs::create_dir_all(&folder).map_err(Trouble::at(&folder))?;
        let path = folder.join("lock");
        let lock = File::options()
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(Trouble::at(&path))?;
        lock.lock().map_err(Trouble::at(&path))?;
        Ok(LockedBench { desk: &self.desk, lock })
    }
}

/// A bench that no other process acts at until this is dropped.
#[derive(Debug)]
pub(crate) struct LockedBench<'b> {
    pub(crate) desk: &'b Desk,
    #[expect(dead_code, reason = "it is there to be dropped")]
    lock: File,
}

impl LockedBench<'_> {
    /// Lists a repository as active.
    pub(crate) fn list(&self, repo: &str, entry: &Entry) -> Result<(), Trouble> {
        registry::list(&self.desk.registry_file(), repo, entry)
    }

    /// A change that is recorded.
    pub(crate) fn open_change(&self, repo: &str, number: u64) -> Result<Change, Trouble> {
        let missing = || Trouble::NoChange { repo: repo.to_owned(), number };
        self.desk.change(repo, number)?.ok_or_else(missing)
    }

    /// Records how far a change has come.
    pub(crate) fn set_state(&self, number: u64, change: Change, state: ChangeState) -> Result<(), Trouble> {
        file::replace(&self.desk.change_file(number), &Change { state, ..change })
    }

    /// Records a new change under the next number.
    pub(crate) fn record(&self, change: &Change) -> Result<u64, Trouble> {
        let number = self.desk.change_numbers()?.last().map_or(1, |last| last + 1);
        file::replace(&self.desk.change_file(number), change)?;
        Ok(number)
    }

    /// A file that only the holder of the lock uses, left over where the last one died.
    pub(crate) fn scratch_index(&self) -> Result<PathBuf, Trouble> {
        let folder = self.desk.root.join(".keeper");
        let folder = folder.canonicalize().map_err(Trouble::at(&folder))?;
        let path = folder.join("index");
        remove(&path)?;
        remove(&folder.join("index.lock"))?;
        Ok(path)
    }
}

/// Removes a file, if it is there.
fn remove(path: &Path) -> Result<(), Trouble> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        removed => removed.map_err(Trouble::at(path)),
    }
}
