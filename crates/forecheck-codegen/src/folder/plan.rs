//! What a run would change in an output folder.

use std::collections::{BTreeMap, BTreeSet};

use super::{Drift, DriftState, Folder};
use crate::generator::GeneratedFile;

/// The difference between a folder and the files of a run.
#[derive(Debug)]
pub struct Plan {
    pub(super) folder: Folder,
    /// The files of the run, by path.
    pub(super) files: BTreeMap<String, String>,
}

impl Plan {
    /// Compares `folder` with `files`.
    pub fn new(folder: Folder, files: Vec<GeneratedFile>) -> Plan {
        Plan { folder, files: files.into_iter().map(|file| (file.path, file.content)).collect() }
    }

    /// Files that stand in the folder and are not ours: neither written by the last run nor equal
    /// to what this one would write.
    pub fn foreign(&self) -> Vec<&str> {
        let entries = self.folder.entries.iter();
        let foreign = entries.filter(|(path, bytes)| {
            let written_before = self.folder.ours.contains(*path) && bytes.is_some();
            let same = self.files.get(*path).map(String::as_bytes) == bytes.as_deref() && bytes.is_some();
            !written_before && !same
        });
        foreign.map(|(path, _)| path.as_str()).collect()
    }

    /// The files whose bytes the run would change.
    pub(super) fn changed(&self) -> BTreeMap<&str, &str> {
        let files = self.files.iter().filter(|(path, content)| self.folder.file(path) != Some(content.as_bytes()));
        files.map(|(path, content)| (path.as_str(), content.as_str())).collect()
    }

    /// The files of the folder that the run does not make.
    pub(super) fn orphans(&self) -> BTreeSet<&str> {
        self.folder.entries.keys().map(String::as_str).filter(|path| !self.files.contains_key(*path)).collect()
    }

    /// Every difference, by path. Line ends do not count: a checkout may have changed them.
    pub fn drift(&self) -> Vec<Drift<'_>> {
        let mut drift: Vec<Drift<'_>> = self
            .changed()
            .into_iter()
            .filter_map(|(path, content)| {
                let state = match self.folder.entries.get(path) {
                    None => DriftState::Missing,
                    Some(found) => {
                        let found = found.as_deref().unwrap_or_default();
                        if without_cr(found) == content.as_bytes() {
                            return None;
                        }
                        DriftState::Stale { found, generated: content }
                    }
                };
                Some(Drift { path, state })
            })
            .collect();
        drift.extend(self.orphans().into_iter().map(|path| Drift { path, state: DriftState::Orphan }));
        drift.sort_by_key(|drift| drift.path);
        drift
    }
}

fn without_cr(bytes: &[u8]) -> Vec<u8> {
    let mut kept = Vec::with_capacity(bytes.len());
    for (index, byte) in bytes.iter().enumerate() {
        let before_line_feed = *byte == b'\r' && bytes.get(index + 1) == Some(&b'\n');
        if !before_line_feed {
            kept.push(*byte);
        }
    }
    kept
}
