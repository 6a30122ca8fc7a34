//! The commands, one file each.

pub(crate) mod check;
pub(crate) mod explain;
pub(crate) mod find_drift;
pub(crate) mod generate;
pub(crate) mod key;
pub(crate) mod table;

use std::path::Path;

use crate::answer::Failure;

/// A path as text, for reports.
pub(crate) fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// A path as a call holds it.
fn text(path: &Path) -> Result<String, Failure> {
    let text = path.to_str().map(str::to_owned);
    text.ok_or_else(|| format!("the path `{}` is not UTF-8", path.display()).into())
}
