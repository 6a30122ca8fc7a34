//! The commands, one file each.

pub(crate) mod check;
pub(crate) mod explain;
pub(crate) mod generate;
pub(crate) mod key;
pub(crate) mod table;

use std::path::Path;

/// A path as text, for reports.
fn shown(path: &Path) -> String {
    path.display().to_string()
}
