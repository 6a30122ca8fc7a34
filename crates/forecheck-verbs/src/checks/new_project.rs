//! `RUNTIME_CRATE_MISSING`, `FOLDER_UNWRITABLE`, `FOLDER_NOT_EMPTY`.

use forecheck::Failed;

use crate::generated::details::{FolderNotEmpty, FolderUnwritable, RuntimeCrateMissing};
use crate::generated::facts::{NewFolder, RuntimeCrate};

/// The most names that a message holds.
const SHOWN: usize = 10;

pub(super) fn runtime_crate_missing(
    forecheck: Option<&str>,
    found: &RuntimeCrate,
) -> Result<(), Failed<RuntimeCrateMissing>> {
    let (Some(folder), Some(reason)) = (forecheck, found.missing.clone()) else { return Ok(()) };
    let message = format!("`{folder}` is not the crate `forecheck`: {reason}");
    Err(Failed::from(RuntimeCrateMissing { reason }).because(message))
}

pub(super) fn folder_unwritable(folder: &str, found: &NewFolder) -> Result<(), Failed<FolderUnwritable>> {
    let Some(obstacle) = &found.obstacle else { return Ok(()) };
    let (path, reason) = (obstacle.path.clone(), obstacle.reason.clone());
    let message = format!("`{folder}` cannot be filled: `{path}`: {reason}");
    Err(Failed::from(FolderUnwritable { path, reason }).because(message))
}

pub(super) fn folder_not_empty(folder: &str, found: &NewFolder) -> Result<(), Failed<FolderNotEmpty>> {
    let entries = &found.entries;
    if entries.is_empty() {
        return Ok(());
    }
    let more = match entries.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let shown = entries.get(..SHOWN).unwrap_or(entries).join(", ");
    let message = format!("`{folder}` is not empty: {shown}{more}");
    Err(Failed::from(FolderNotEmpty { entries: entries.clone() }).because(message))
}
