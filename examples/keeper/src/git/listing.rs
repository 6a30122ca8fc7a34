//! Lists of files: of a commit, of the index.

use std::collections::BTreeMap;

use super::{Git, Oid, Repository};
use crate::trouble::Trouble;

/// A file as git knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) mode: String,
    pub(super) oid: Oid,
}

/// Files by path from the top of the repository, in bytes: a path need not be text.
pub(super) type Files = BTreeMap<Vec<u8>, Known>;

/// The files of the index, and the paths that a merge has left open.
#[derive(Debug, Default)]
pub(super) struct Index {
    pub(super) files: Files,
    pub(super) unmerged: Vec<Vec<u8>>,
}

impl Repository {
    /// The files of a commit or tree; none for `None`.
    pub(super) fn files_of(&self, tree: Option<&str>) -> Result<Files, Trouble> {
        let Some(tree) = tree else { return Ok(Files::new()) };
        let answer = self.ask(Git::of(&["ls-tree", "-r", "-z", "--full-tree", "--end-of-options", tree]))?;
        // mode SP type SP oid TAB path
        let file = |record: &[u8]| {
            let (words, path) = words_and_path(record)?;
            let [mode, _, oid] = words.as_slice() else { return None };
            Some((path, Known { mode: mode.clone(), oid: oid.clone() }))
        };
        Ok(records(&answer).filter_map(file).collect())
    }

    /// The files of the index.
    pub(super) fn index(&self) -> Result<Index, Trouble> {
        let answer = self.ask(Git::of(&["ls-files", "--stage", "-z"]))?;
        let mut index = Index::default();
        // mode SP oid SP stage TAB path
        for (words, path) in records(&answer).filter_map(words_and_path) {
            let [mode, oid, stage] = words.as_slice() else { continue };
            if stage == "0" {
                index.files.insert(path, Known { mode: mode.clone(), oid: oid.clone() });
            } else {
                index.unmerged.push(path);
            }
        }
        Ok(index)
    }

    /// The files of the work tree that git does not know, and does not ignore.
    pub(super) fn unknown_files(&self) -> Result<Vec<Vec<u8>>, Trouble> {
        let answer = self.ask(Git::of(&["ls-files", "--others", "--exclude-standard", "-z"]))?;
        Ok(records(&answer).map(<[u8]>::to_vec).collect())
    }

    /// Whether a branch holds a file.
    pub(crate) fn holds(&self, branch: &str, path: &str) -> Result<bool, Trouble> {
        let tip = self.tip(branch)?;
        Ok(self.files_of(tip.as_deref())?.contains_key(path.as_bytes()))
    }
}

fn records(answer: &[u8]) -> impl Iterator<Item = &[u8]> {
    answer.split(|byte| *byte == 0).filter(|record| !record.is_empty())
}

fn words_and_path(record: &[u8]) -> Option<(Vec<String>, Vec<u8>)> {
    let tab = record.iter().position(|byte| *byte == b'\t')?;
    let (words, path) = record.split_at_checked(tab)?;
    let words = String::from_utf8_lossy(words).split_ascii_whitespace().map(str::to_owned).collect();
    Some((words, path.get(1..)?.to_vec()))
}
