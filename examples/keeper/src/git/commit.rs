//! Making commits and moving branches, beside any work tree.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::Path;

use super::refs::full_name;
use super::worktree::{EXECUTABLE, differing};
use super::{Git, Oid, Repository};
use crate::trouble::Trouble;

const FILE: &str = "100644";

/// A commit to be made.
#[derive(Debug, Clone, Copy)]
pub struct Draft<'d> {
    /// Its tree.
    pub tree: &'d str,
    /// The commits that it is built on.
    pub parents: &'d [&'d str],
    /// What it says.
    pub message: &'d str,
    /// Who makes it.
    pub by: &'d str,
}

/// Why a branch did not move.
#[derive(Debug)]
pub enum Raced {
    /// It was not where it should have been.
    Moved,
    /// Something else went wrong; the branch is where it was.
    Trouble(Trouble),
}

impl Repository {
    /// The tree of `base` with these files in it. `scratch` is an index that is used for this and removed.
    ///
    /// # Errors
    /// [`Trouble::WouldReplace`] where a file would have to make room for a folder, or a folder for a file.
    pub(crate) fn tree_with(
        &self,
        base: Option<&str>,
        files: &[(&str, &[u8])],
        scratch: &Path,
    ) -> Result<Oid, Trouble> {
        let known = self.files_of(base)?;
        let mut entries = Vec::new();
        for (path, content) in files {
            let git = Git::of(&["hash-object", "-w", "--no-filters", "--stdin"]);
            let oid = self.ask_line(git.reads(content))?;
            let was_executable = known.get(path.as_bytes()).is_some_and(|known| known.mode == EXECUTABLE);
            let mode = if was_executable { EXECUTABLE } else { FILE };
            entries.extend(format!("{mode} {oid}\t{path}\0").into_bytes());
        }
        let variables = [("GIT_INDEX_FILE", scratch.as_os_str())];
        if let Some(base) = base {
            self.ask(Git::of(&["read-tree", base]).with(&variables))?;
        }
        self.ask(Git::of(&["update-index", "-z", "--index-info"]).with(&variables).reads(&entries))?;
        let tree = self.ask_line(Git::of(&["write-tree", "--missing-ok"]).with(&variables))?;
        std::fs::remove_file(scratch).map_err(Trouble::at(scratch))?;
        let named: BTreeSet<&[u8]> = files.iter().map(|(path, _)| path.as_bytes()).collect();
        let after = self.files_of(Some(&tree))?;
        match differing(&known, &after).find(|path| !named.contains(path.as_slice())) {
            Some(path) => Err(Trouble::WouldReplace { path: String::from_utf8_lossy(&path).into_owned() }),
            None => Ok(tree),
        }
    }

    /// The tree of a commit.
    pub(crate) fn tree_of(&self, commit: &str) -> Result<Oid, Trouble> {
        self.ask_line(Git::of(&["rev-parse", "--verify", "--end-of-options", &format!("{commit}^{{tree}}")]))
    }

    /// Makes a commit that no branch holds yet.
    pub(crate) fn make_commit(&self, draft: Draft<'_>) -> Result<Oid, Trouble> {
        let mut arguments = vec!["commit-tree", "--no-gpg-sign", draft.tree];
        for parent in draft.parents {
            arguments.extend(["-p", parent]);
        }
        let email = format!("{}@keeper.invalid", draft.by);
        let (name, email) = (OsStr::new(draft.by), OsStr::new(&email));
        let git = Git::of(&arguments).reads(draft.message.as_bytes());
        self.ask_line(git.with(&[
            ("GIT_AUTHOR_NAME", name),
            ("GIT_AUTHOR_EMAIL", email),
            ("GIT_COMMITTER_NAME", name),
            ("GIT_COMMITTER_EMAIL", email),
        ]))
    }

    /// Moves a branch, if it still is at `from`; `None` is for a branch that does not exist yet.
    pub(crate) fn move_branch(&self, branch: &str, from: Option<&str>, to: &str) -> Result<(), Raced> {
        let name = full_name(branch);
        // An empty old value stands for a branch that must not exist.
        self.change_branch(branch, from, &["update-ref", "--no-deref", &name, to, from.unwrap_or_default()])
    }

    /// Deletes a branch, if it still is at `from`.
    pub(crate) fn delete_branch(&self, branch: &str, from: &str) -> Result<(), Raced> {
        let name = full_name(branch);
        self.change_branch(branch, Some(from), &["update-ref", "--no-deref", "-d", &name, from])
    }

    fn change_branch(&self, branch: &str, from: Option<&str>, arguments: &[&str]) -> Result<(), Raced> {
        let reflog_identity = [
            ("GIT_COMMITTER_NAME", OsStr::new("keeper")),
            ("GIT_COMMITTER_EMAIL", OsStr::new("keeper@keeper.invalid")),
        ];
        let Err(trouble) = self.ask(Git::of(arguments).with(&reflog_identity)) else { return Ok(()) };
        match self.tip(branch) {
            Ok(tip) if tip.as_deref() != from => Err(Raced::Moved),
            Ok(_) | Err(_) => Err(Raced::Trouble(trouble)),
        }
    }
}
