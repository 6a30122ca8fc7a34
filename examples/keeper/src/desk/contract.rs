//! `contracts/ID.toml`: what changes may touch, and for how long.

use serde::Deserialize;
use toml_edit::Datetime;

use super::instant;

/// What a contract says.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contract {
    /// Its repository.
    pub repo: String,
    /// The folders and files that it allows.
    pub paths: Vec<String>,
    expires: Datetime,
}

impl Contract {
    /// When it ends, in seconds since 1970.
    pub(crate) fn expires(&self) -> Result<i64, &'static str> {
        instant::seconds(&self.expires)
    }
}
