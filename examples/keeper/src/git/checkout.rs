//! Moving a clean work tree from one commit to the next, without `git checkout`: that would run filters and
//! hooks. Files are written as they are committed.

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{OpenOptionsExt as _, symlink};
use std::path::{Path, PathBuf};

use super::listing::{Files, Known};
use super::worktree::{EXECUTABLE, LINK, SUBMODULE, as_path, differing, folders_of, is_folder};
use super::{Git, Repository};
use crate::trouble::Trouble;

/// What a work tree has to do to follow its branch.
#[derive(Debug)]
pub struct Move {
    work_tree: PathBuf,
    removed: Vec<Vec<u8>>,
    written: Files,
    /// What these files hold, in their order: whatever cannot be read is known before anything moves.
    contents: Vec<Vec<u8>>,
    /// The name that stands for no object, as long as the repository's names are.
    no_object: String,
}

impl Repository {
    /// What the work tree has to do when `branch` moves; `None` where that branch is not checked out.
    pub(crate) fn plan_move(
        &self,
        branch: &str,
        from: Option<&str>,
        to: &str,
    ) -> Result<Option<Move>, Trouble> {
        let Some(work_tree) = self.work_tree.clone() else { return Ok(None) };
        if !self.is_checked_out(branch)? {
            return Ok(None);
        }
        let (before, mut after) = (self.files_of(from)?, self.files_of(Some(to))?);
        let changed: BTreeSet<Vec<u8>> = differing(&before, &after).collect();
        let removed = changed.iter().filter(|path| before.contains_key(*path)).cloned().collect();
        after.retain(|path, _| changed.contains(path));
        let mut contents = Vec::with_capacity(after.len());
        for known in after.values() {
            contents.push(match known.mode.as_str() {
                SUBMODULE => Vec::new(),
                _ => self.ask(Git::of(&["cat-file", "blob", &known.oid]))?,
            });
        }
        Ok(Some(Move { work_tree, removed, written: after, contents, no_object: "0".repeat(to.len()) }))
    }

    /// Makes a planned move of the work tree and its index.
    pub(crate) fn follow(&self, planned: &Move) -> Result<(), Trouble> {
        for path in &planned.removed {
            planned.remove(as_path(path))?;
        }
        for ((path, known), content) in planned.written.iter().zip(&planned.contents) {
            planned.write(as_path(path), known, content)?;
        }
        let removed = planned.removed.iter().map(|path| (format!("0 {}", planned.no_object), path));
        let written =
            planned.written.iter().map(|(path, known)| (format!("{} {}", known.mode, known.oid), path));
        let mut entries = Vec::new();
        for (entry, path) in removed.chain(written) {
            entries.extend(entry.into_bytes());
            entries.push(b'\t');
            entries.extend(path);
            entries.push(0);
        }
        self.ask(Git::of(&["update-index", "-z", "--index-info"]).reads(&entries)).map(drop)
    }
}

impl Move {
    /// What is in the way of files that the move writes: ignored files, or links where folders should be.
    pub(crate) fn in_the_way(&self) -> Vec<String> {
        let gone: BTreeSet<&Path> = self.removed.iter().map(|path| as_path(path)).collect();
        let blocked = |path: &&Vec<u8>| {
            let path = as_path(path);
            let folder_is_blocked = |folder: &PathBuf| {
                let stands = self.work_tree.join(folder);
                stands.symlink_metadata().is_ok() && !is_folder(&stands) && !gone.contains(folder.as_path())
            };
            let behind_something_gone = folders_of(path).any(|folder| gone.contains(folder.as_path()));
            let stands = || {
                let file = self.work_tree.join(path);
                file.symlink_metadata().is_ok() && !self.empties(path, &gone)
            };
            folders_of(path).any(|folder| folder_is_blocked(&folder))
                || !gone.contains(path) && !behind_something_gone && stands()
        };
        let paths = self.written.keys().filter(blocked);
        paths.map(|path| String::from_utf8_lossy(path).into_owned()).collect()
    }

    /// Whether a folder of the work tree holds nothing but files that go.
    fn empties(&self, folder: &Path, gone: &BTreeSet<&Path>) -> bool {
        let standing = self.work_tree.join(folder);
        let Some(entries) = is_folder(&standing).then(|| fs::read_dir(&standing).ok()).flatten() else {
            return false;
        };
        let mut inside = entries.map(|entry| entry.map(|entry| folder.join(entry.file_name()))).peekable();
        inside.peek().is_some()
            && inside
                .all(|path| path.is_ok_and(|path| gone.contains(path.as_path()) || self.empties(&path, gone)))
    }

    fn remove(&self, path: &Path) -> Result<(), Trouble> {
        let file = self.work_tree.join(path);
        if is_folder(&file) {
            return Ok(());
        }
        fs::remove_file(&file).map_err(Trouble::at(&file))?;
        for folder in path.ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty()) {
            let folder = self.work_tree.join(folder);
            match fs::remove_dir(&folder) {
                Ok(()) => {}
                Err(error) if error.kind() == ErrorKind::DirectoryNotEmpty => break,
                Err(error) => return Err(Trouble::at(&folder)(error)),
            }
        }
        Ok(())
    }

    fn write(&self, path: &Path, known: &Known, content: &[u8]) -> Result<(), Trouble> {
        let file = self.work_tree.join(path);
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder).map_err(Trouble::at(folder))?;
        }
        match known.mode.as_str() {
            SUBMODULE => fs::create_dir_all(&file),
            LINK => symlink(Path::new(std::ffi::OsStr::from_bytes(content)), &file),
            mode => {
                let permissions = if mode == EXECUTABLE { 0o777 } else { 0o666 };
                let opened = OpenOptions::new().write(true).create_new(true).mode(permissions).open(&file);
                opened.and_then(|mut opened| opened.write_all(content))
            }
        }
        .map_err(Trouble::at(&file))
    }
}
