//! What a work tree holds that is not committed, found without `git status`: that would run filters and
//! write the index.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use super::listing::{Files, Known};
use super::{Git, Repository};
use crate::trouble::Trouble;

pub(super) const LINK: &str = "120000";
pub(super) const EXECUTABLE: &str = "100755";
pub(super) const SUBMODULE: &str = "160000";

pub(super) fn as_path(path: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(path))
}

impl Repository {
    /// Whether somebody's git is writing the index.
    pub(crate) fn is_locked(&self) -> bool {
        self.folder.join("index.lock").symlink_metadata().is_ok()
    }

    /// The paths at which the last commit, the index and the work tree are not the same, sorted.
    pub(crate) fn dirty(&self) -> Result<Vec<String>, Trouble> {
        let Some(work_tree) = &self.work_tree else { return Ok(Vec::new()) };
        let committed = self.files_of(self.head()?.as_deref())?;
        let index = self.index()?;
        let mut dirty: BTreeSet<Vec<u8>> = index.unmerged.iter().cloned().collect();
        dirty.extend(differing(&committed, &index.files));
        dirty.extend(self.changed_files(work_tree, &index.files)?);
        dirty.extend(self.unknown_files()?);
        Ok(dirty.iter().map(|path| String::from_utf8_lossy(path).into_owned()).collect())
    }

    /// The files whose bytes are not what the index says. Submodules are not looked into.
    fn changed_files(&self, work_tree: &Path, files: &Files) -> Result<Vec<Vec<u8>>, Trouble> {
        let mut changed = Vec::new();
        let mut to_hash = Vec::new();
        for (path, known) in files.iter().filter(|(_, known)| known.mode != SUBMODULE) {
            if !stands_as(work_tree, path, known) {
                changed.push(path.clone());
            } else if known.mode == LINK {
                let link = work_tree.join(as_path(path));
                let target = link.read_link().map_err(Trouble::at(&link))?;
                let git = Git::of(&["hash-object", "--no-filters", "--stdin"]);
                if self.ask_line(git.reads(target.as_os_str().as_bytes()))? != known.oid {
                    changed.push(path.clone());
                }
            } else {
                to_hash.push((path, known));
            }
        }
        let paths: Vec<u8> = to_hash.iter().flat_map(|(path, _)| quoted(path)).collect();
        let hashes = self.ask(Git::of(&["hash-object", "--no-filters", "--stdin-paths"]).reads(&paths))?;
        let hashes = hashes.split(|byte| *byte == b'\n');
        let differs = to_hash.iter().zip(hashes).filter(|((_, known), hash)| known.oid.as_bytes() != *hash);
        changed.extend(differs.map(|((path, _), _)| (*path).clone()));
        Ok(changed)
    }
}

/// The paths that only one side has, or that differ.
pub(super) fn differing<'f>(one: &'f Files, other: &'f Files) -> impl Iterator<Item = Vec<u8>> + 'f {
    let changed = one.iter().filter(|(path, known)| other.get(*path) != Some(known));
    let added = other.iter().filter(|(path, _)| !one.contains_key(*path));
    changed.chain(added).map(|(path, _)| path.clone())
}

/// Whether a file of that kind stands at the path, reached through folders and not through links. Only
/// such files are opened: a pipe in its place would never end.
fn stands_as(work_tree: &Path, path: &[u8], known: &Known) -> bool {
    let path = as_path(path);
    if folders_of(path).any(|folder| !is_folder(&work_tree.join(folder))) {
        return false;
    }
    let Ok(found) = work_tree.join(path).symlink_metadata() else { return false };
    if known.mode == LINK {
        return found.is_symlink();
    }
    let executable = found.permissions().mode() & 0o100 != 0;
    found.is_file() && executable == (known.mode == EXECUTABLE)
}

/// The folders that a path leads through, from the top.
pub(super) fn folders_of(path: &Path) -> impl Iterator<Item = PathBuf> {
    let mut folders: Vec<PathBuf> = path.ancestors().skip(1).map(Path::to_owned).collect();
    folders.retain(|folder| !folder.as_os_str().is_empty());
    folders.into_iter().rev()
}

pub(super) fn is_folder(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|found| found.is_dir())
}

/// A path as `--stdin-paths` reads it: a line, in quotes where it would not be read as it is.
fn quoted(path: &[u8]) -> Vec<u8> {
    let mut line = Vec::with_capacity(path.len() + 1);
    if path.contains(&b'\n') || path.starts_with(b"\"") {
        line.push(b'"');
        for byte in path {
            match byte {
                b'\n' => line.extend(b"\\n"),
                b'"' | b'\\' => line.extend([b'\\', *byte]),
                byte => line.push(*byte),
            }
        }
        line.push(b'"');
    } else {
        line.extend(path);
    }
    line.push(b'\n');
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_would_be_misread_is_quoted() {
        let rows: [(&[u8], &[u8]); 4] = [
            (b"a b\\c", b"a b\\c\n"),
            (b"a\nb", b"\"a\\nb\"\n"),
            (b"\"a\"\\", b"\"\\\"a\\\"\\\\\"\n"),
            (b"\xff", b"\xff\n"),
        ];
        for (path, expected) in rows {
            assert_eq!(quoted(path), expected);
        }
    }

    #[test]
    fn folders_are_named_from_the_top() {
        let folders: Vec<_> = folders_of(Path::new("a/b/c")).collect();
        assert_eq!(folders, [Path::new("a"), Path::new("a/b")]);
        assert_eq!(folders_of(Path::new("a")).count(), 0);
    }
}
