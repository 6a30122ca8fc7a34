//! Branches: reading them.

use super::{Git, Oid, Repository};
use crate::trouble::Trouble;

pub(super) fn full_name(branch: &str) -> String {
    format!("refs/heads/{branch}")
}

impl Repository {
    /// The names of the branches, sorted.
    pub(crate) fn branches(&self) -> Result<Vec<String>, Trouble> {
        let git = Git::of(&["for-each-ref", "--format=%(refname)", "refs/heads"]);
        let answer = self.ask(git)?;
        let names = answer.split(|byte| *byte == b'\n').filter_map(|name| name.strip_prefix(b"refs/heads/"));
        let mut names: Vec<String> = names.map(|name| String::from_utf8_lossy(name).into_owned()).collect();
        names.sort_unstable();
        Ok(names)
    }

    /// The commit of a branch; `None` where there is no such branch.
    pub(crate) fn tip(&self, branch: &str) -> Result<Option<Oid>, Trouble> {
        self.commit(&full_name(branch))
    }

    /// The commit of `HEAD`; `None` before the first one.
    pub(crate) fn head(&self) -> Result<Option<Oid>, Trouble> {
        self.commit("HEAD")
    }

    fn commit(&self, name: &str) -> Result<Option<Oid>, Trouble> {
        self.look_for(&[
            "rev-parse",
            "--quiet",
            "--verify",
            "--end-of-options",
            &format!("{name}^{{commit}}"),
        ])
    }

    /// Whether the branch is what is, or will be, checked out.
    pub(crate) fn is_checked_out(&self, branch: &str) -> Result<bool, Trouble> {
        let head = self.look_for(&["symbolic-ref", "--quiet", "HEAD"])?;
        Ok(self.work_tree.is_some() && head == Some(full_name(branch)))
    }

    /// Whether a commit is built on another one.
    pub(crate) fn builds_on(&self, commit: &str, earlier: &str) -> Result<bool, Trouble> {
        let found = self.look_for(&["merge-base", "--is-ancestor", earlier, commit])?;
        Ok(commit != earlier && found.is_some())
    }
}
