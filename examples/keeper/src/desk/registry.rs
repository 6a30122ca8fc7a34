//! `registry.toml`: repositories, people, the freeze. People write it; keeper adds and changes entries of
//! repositories and leaves the rest of the text alone.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use toml_edit::{Datetime, DocumentMut, Item, Table, value};

use super::{file, instant};
use crate::trouble::Trouble;

const CHANGE_LIMIT: u64 = 5;

/// What the registry says.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Registry {
    freeze_until: Option<Datetime>,
    change_limit: Option<u64>,
    /// What people may do, by name.
    #[serde(default)]
    pub people: BTreeMap<String, Person>,
    /// Repositories by name, in the one spelling of targets.
    #[serde(default)]
    pub repos: BTreeMap<String, Entry>,
}

/// What somebody may do.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Person {
    /// Whether they look after the registry.
    #[serde(default)]
    pub operator: bool,
    /// The repositories that they may act on.
    #[serde(default)]
    pub repos: Vec<String>,
}

/// A repository.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Where it is; relative paths start at the desk.
    pub path: String,
    /// The branch that changes land on.
    pub base: String,
    /// Whether it is in use.
    pub state: State,
}

/// Whether a repository is in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// It is.
    Active,
    /// It was.
    Retired,
}

impl State {
    const fn as_str(self) -> &'static str {
        match self {
            State::Active => "active",
            State::Retired => "retired",
        }
    }
}

impl Registry {
    /// The end of the freeze, in seconds since 1970.
    pub(crate) fn frozen_until(&self) -> Result<Option<i64>, &'static str> {
        self.freeze_until.as_ref().map(instant::seconds).transpose()
    }

    /// How many open changes a repository may have.
    pub(crate) fn change_limit(&self) -> u64 {
        self.change_limit.unwrap_or(CHANGE_LIMIT)
    }
}

pub(super) fn read(path: &Path) -> Result<Registry, Trouble> {
    let missing = || Trouble::Unreadable { path: path.to_owned(), reason: "there is no registry".to_owned() };
    file::read(path)?.ok_or_else(missing)
}

/// Writes the entry of a repository.
pub(super) fn list(path: &Path, repo: &str, entry: &Entry) -> Result<(), Trouble> {
    let text = fs::read_to_string(path).map_err(Trouble::at(path))?;
    let mut document: DocumentMut = text.parse().map_err(|error| file::unreadable(path, &error))?;
    let mut implicit = Table::new();
    implicit.set_implicit(true);
    let repos = document.entry("repos").or_insert(Item::Table(implicit));
    let no_table = || Trouble::Unreadable { path: path.to_owned(), reason: "`repos` is no table".to_owned() };
    let repos = repos.as_table_like_mut().ok_or_else(no_table)?;
    let listed = repos.entry(repo).or_insert(Item::Table(Table::new()));
    let listed = listed.as_table_like_mut().ok_or_else(no_table)?;
    listed.insert("path", value(&entry.path));
    listed.insert("base", value(&entry.base));
    listed.insert("state", value(entry.state.as_str()));
    file::replace_text(path, &document.to_string())
}
