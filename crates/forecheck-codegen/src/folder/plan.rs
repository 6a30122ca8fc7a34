//! What a run would change in one output folder.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::listing::{Folder, FolderError, Kind};
use super::manifest::Manifest;
use super::{Drift, DriftState, MANIFEST};

/// The difference between a folder and the files of a run.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) folder: Folder,
    /// The files of the run, by path.
    pub(super) files: BTreeMap<String, String>,
    /// What those of them hold that are there already.
    found: BTreeMap<String, Vec<u8>>,
    /// The manifest of the run.
    pub(super) manifest: Manifest,
}

impl Plan {
    /// Compares `folder` with `files`.
    pub(super) fn new(folder: Folder, files: BTreeMap<String, String>) -> Result<Plan, FolderError> {
        let there = files.keys().filter(|path| folder.entries.get(*path) == Some(&Kind::File));
        let found =
            there.map(|path| Ok((path.clone(), folder.read(path)?))).collect::<Result<_, FolderError>>()?;
        let manifest = Manifest::of(files.keys().cloned().collect());
        Ok(Plan { folder, files, found, manifest })
    }

    /// The bytes of a file of the run as it is now.
    pub(super) fn found(&self, path: &str) -> Option<&[u8]> {
        self.found.get(path).map(Vec::as_slice)
    }

    /// What stands in the folder and is not ours: neither written by the last run nor equal to what
    /// this one would write; and folders where a file belongs.
    pub(super) fn foreign(&self) -> Vec<PathBuf> {
        let foreign = self.folder.entries.iter().filter(|(path, kind)| match kind {
            Kind::Folder => self.files.contains_key(*path),
            Kind::File => !self.folder.ours.contains(*path) && !self.is_current(path),
            Kind::Other => true,
        });
        foreign.map(|(path, _)| self.folder.path.join(path)).collect()
    }

    /// Whether the run would write what is there.
    fn is_current(&self, path: &str) -> bool {
        self.files.get(path).map(String::as_bytes).is_some_and(|content| self.found(path) == Some(content))
    }

    /// The files whose bytes the run would change.
    pub(super) fn changed(&self) -> Vec<(&str, &str)> {
        let files = self.files.iter().filter(|(path, _)| !self.is_current(path));
        files.map(|(path, content)| (path.as_str(), content.as_str())).collect()
    }

    /// What the run would remove: files that it does not make, and folders where a file belongs.
    pub(super) fn orphans(&self) -> BTreeSet<&str> {
        let orphans = self.folder.entries.iter().filter(|(path, kind)| match kind {
            Kind::Folder => self.files.contains_key(*path),
            Kind::File | Kind::Other => !self.files.contains_key(*path) || **kind == Kind::Other,
        });
        orphans.map(|(path, _)| path.as_str()).collect()
    }

    /// Whether the run would change nothing.
    pub(super) fn is_done(&self) -> bool {
        let same_manifest = self.folder.manifest.as_deref() == Some(self.manifest.text().as_bytes());
        same_manifest && self.changed().is_empty() && self.orphans().is_empty()
    }

    /// The folders, among those that are there, in which the run would change something.
    pub(super) fn changed_folders(&self) -> BTreeSet<PathBuf> {
        if self.is_done() {
            return BTreeSet::new();
        }
        let changed = self.changed().into_iter().map(|(path, _)| path).chain(self.orphans());
        let there = |path: &str| {
            let above = Path::new(path).ancestors().skip(1);
            let mut folders = above
                .filter(|folder| self.folder.entries.get(&*folder.to_string_lossy()) == Some(&Kind::Folder));
            folders.next().map(|folder| self.folder.path.join(folder))
        };
        changed.filter_map(there).chain([self.folder.path.clone()]).collect()
    }

    /// Every difference, by path. Line ends do not count: a checkout may have changed them.
    pub(super) fn drift(&self) -> Vec<Drift> {
        let mut drift: Vec<Drift> = Vec::new();
        let manifest = self.manifest.text();
        let files =
            self.files.iter().map(|(path, content)| (path.as_str(), content.as_str(), self.found(path)));
        for (path, generated, found) in files.chain([(MANIFEST, &*manifest, self.folder.manifest.as_deref())])
        {
            let state = match found.map(without_carriage_returns) {
                None => DriftState::Missing,
                Some(found) if found == generated.as_bytes() => continue,
                Some(found) => DriftState::stale(&found, generated),
            };
            drift.push(Drift { path: self.folder.path.join(path), state });
        }
        let orphans = self.orphans().into_iter();
        drift.extend(
            orphans.map(|path| Drift { path: self.folder.path.join(path), state: DriftState::Orphan }),
        );
        drift.sort_by(|a, b| a.path.cmp(&b.path));
        drift
    }
}

fn without_carriage_returns(bytes: &[u8]) -> Vec<u8> {
    let mut kept = Vec::with_capacity(bytes.len());
    for (index, byte) in bytes.iter().enumerate() {
        let before_line_feed = *byte == b'\r' && bytes.get(index + 1) == Some(&b'\n');
        if !before_line_feed {
            kept.push(*byte);
        }
    }
    kept
}
