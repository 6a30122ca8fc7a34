//! What goes wrong where keeper meets the machine.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why something could not be read or done.
#[derive(Debug)]
pub enum Trouble {
    /// A file or folder.
    File {
        /// Which one.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file of the desk that does not say what it should.
    Unreadable {
        /// Which one.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A git command.
    Git {
        /// Its name.
        command: String,
        /// What it says.
        reason: String,
    },
    /// What the registry names is no repository.
    NoRepository {
        /// The path.
        path: PathBuf,
        /// What is there instead.
        reason: &'static str,
    },
    /// The registry has no such repository.
    NotRegistered {
        /// Its name.
        repo: String,
    },
    /// A change that was there is gone.
    NoChange {
        /// Its repository.
        repo: String,
        /// Its number.
        number: u64,
    },
    /// A branch that was there is gone.
    BranchGone {
        /// Its name.
        branch: String,
    },
    /// Paths of a change would take files of the base branch away.
    WouldReplace {
        /// The first of these files.
        path: String,
    },
}

impl Trouble {
    /// For `map_err` of what the system does with a path.
    pub(crate) fn at(path: &Path) -> impl FnOnce(io::Error) -> Trouble + '_ {
        move |source| Trouble::File { path: path.to_owned(), source }
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::File { path, source } => write!(f, "`{}`: {source}", path.display()),
            Trouble::Unreadable { path, reason } => write!(f, "`{}`: {reason}", path.display()),
            Trouble::Git { command, reason } => write!(f, "git {command}: {reason}"),
            Trouble::NoRepository { path, reason } => write!(f, "`{}`: {reason}", path.display()),
            Trouble::NotRegistered { repo } => write!(f, "the registry has no `{repo}`"),
            Trouble::NoChange { repo, number } => write!(f, "`{repo}` has no change {number}"),
            Trouble::BranchGone { branch } => write!(f, "the branch `{branch}` is gone"),
            Trouble::WouldReplace { path } => {
                write!(f, "`{path}` of the base branch stands in the way of the change")
            }
        }
    }
}

impl std::error::Error for Trouble {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Trouble::File { source, .. } => Some(source),
            Trouble::Unreadable { .. }
            | Trouble::Git { .. }
            | Trouble::NoRepository { .. }
            | Trouble::NotRegistered { .. }
            | Trouble::NoChange { .. }
            | Trouble::BranchGone { .. }
            | Trouble::WouldReplace { .. } => None,
        }
    }
}

impl From<Trouble> for forecheck::FactUnavailable {
    fn from(trouble: Trouble) -> Self {
        forecheck::FactUnavailable::new(trouble.to_string())
    }
}
