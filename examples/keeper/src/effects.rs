//! The effects of keeper, a file for each verb, and the answer of its read-only one.
//!
//! Each effect locks the bench, looks again at what another process may have changed since it was
//! checked, and makes everything that no branch holds yet: objects that are left over when it stops
//! there are git's to collect. The first thing that others can see is a branch that moves, and git moves
//! it only if it still is where it was. Nothing here runs a hook or a filter.

mod abandon_change;
mod install_playbook;
mod land_change;
mod list_changes;
mod open_change;
mod register_repo;
mod retire_repo;

use forecheck::Failed;

use crate::Keeper;
use crate::generated::checks::Checks as _;
use crate::generated::details::WorktreeDirty;
use crate::generated::facts::Worktree;
use crate::git::{Move, Raced, Repository};
use crate::trouble::Trouble;

/// The file of a repository that holds its playbook.
pub(crate) const PLAYBOOK: &str = "PLAYBOOK.md";

/// Why a base branch and its work tree are not at a new commit.
enum NotAdvanced {
    /// Nothing has moved: somebody's git is writing the index.
    Locked,
    /// Nothing has moved: files of the work tree are not committed, or are in the way.
    InTheWay(Failed<WorktreeDirty>),
    /// Nothing has moved: the branch was not where it should have been.
    Raced,
    /// Nothing has moved.
    Stopped(Trouble),
    /// The branch has moved and the work tree has not, or not all of it.
    HalfWay(Trouble),
}

/// Moves a branch, and then the work tree if the branch is checked out in it.
fn advance(repository: &Repository, branch: &str, from: Option<&str>, to: &str) -> Result<(), NotAdvanced> {
    let planned = repository.plan_move(branch, from, to).map_err(NotAdvanced::Stopped)?;
    if let Some(planned) = &planned {
        still_clean(repository, planned)?;
    }
    repository.move_branch(branch, from, to).map_err(|raced| match raced {
        Raced::Moved => NotAdvanced::Raced,
        Raced::Trouble(trouble) => NotAdvanced::Stopped(trouble),
    })?;
    match planned {
        Some(planned) => repository.follow(&planned).map_err(NotAdvanced::HalfWay),
        None => Ok(()),
    }
}

/// Somebody may have worked in the work tree since it was checked, and would lose that.
fn still_clean(repository: &Repository, planned: &Move) -> Result<(), NotAdvanced> {
    if repository.is_locked() {
        return Err(NotAdvanced::Locked);
    }
    let mut dirty = repository.dirty().map_err(NotAdvanced::Stopped)?;
    dirty.extend(planned.in_the_way());
    Keeper::worktree_dirty(&Worktree { locked: false, dirty }).map_err(NotAdvanced::InTheWay)
}

const MOVED: &str = "the branch moved while the call was at work";

fn half_way(branch: &str, trouble: &Trouble) -> String {
    format!("`{branch}` has moved, its work tree has not followed: {trouble}")
}
