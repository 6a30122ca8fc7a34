//! `FOLDERS_OVERLAP` and what an output folder is refused for.

use forecheck::Failed;

use crate::generated::details::{
    FoldersOverlap, OutputBusy, OutputHasForeignFiles, OutputUnreadable, OutputUnwritable,
};
use crate::generated::facts::{OutputFolders, PlannedOutput};

/// The most foreign files that a message names.
const SHOWN: usize = 10;

pub(super) fn overlap(planned: &PlannedOutput) -> Result<(), Failed<FoldersOverlap>> {
    let Some(overlap) = &planned.overlap else { return Ok(()) };
    let (first, second) = (overlap.first.clone(), overlap.second.clone());
    let message = format!("`{first}` and `{second}` do not lie apart");
    Err(Failed::from(FoldersOverlap { first, second }).because(message))
}

pub(super) fn unreadable(folders: &OutputFolders) -> Result<(), Failed<OutputUnreadable>> {
    let Some(failure) = &folders.unreadable else { return Ok(()) };
    let (path, reason) = (failure.path.clone(), failure.reason.clone());
    let message = format!("`{path}` cannot be read: {reason}");
    Err(Failed::from(OutputUnreadable { path, reason }).because(message))
}

pub(super) fn foreign_files(
    prune: bool,
    planned: &PlannedOutput,
) -> Result<(), Failed<OutputHasForeignFiles>> {
    let files = &planned.foreign;
    if prune || files.is_empty() {
        return Ok(());
    }
    let more = match files.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!("\n  and {more} more"),
    };
    let shown = files.get(..SHOWN).unwrap_or(files).join("\n  ");
    let message = format!("files that no run wrote stand in the output:\n  {shown}{more}");
    Err(Failed::from(OutputHasForeignFiles { files: files.clone() }).because(message))
}

pub(super) fn busy(folders: &OutputFolders) -> Result<(), Failed<OutputBusy>> {
    let Some(folder) = folders.busy.clone() else { return Ok(()) };
    let message = format!("another run is writing to `{folder}`");
    Err(Failed::from(OutputBusy { folder }).because(message))
}

pub(super) fn unwritable(planned: &PlannedOutput) -> Result<(), Failed<OutputUnwritable>> {
    let Some(failure) = &planned.unwritable else { return Ok(()) };
    let (path, reason) = (failure.path.clone(), failure.reason.clone());
    let message = format!("`{path}` cannot be written: {reason}");
    Err(Failed::from(OutputUnwritable { path, reason }).because(message))
}
