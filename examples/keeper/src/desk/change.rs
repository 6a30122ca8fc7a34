//! `changes/N.toml`: the record of a change.

use serde::{Deserialize, Serialize};

/// What is recorded of a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// Its repository.
    pub repo: String,
    /// Its branch.
    pub branch: String,
    /// What it does.
    pub title: String,
    /// Who opened it.
    pub by: String,
    /// The contract that it was opened under.
    pub contract: String,
    /// The branch that it lands on.
    pub base: String,
    /// The commit of that branch that it starts from.
    pub base_commit: String,
    /// The commit that it was opened with.
    pub commit: String,
    /// The key of the call that opened it, by which a later look recognises it.
    pub call: String,
    /// How far it has come.
    pub state: State,
    /// Why, in the words of whoever opened it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// How far a change has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// It may land.
    Open,
    /// It has.
    Landed,
    /// It will not.
    Abandoned,
}
