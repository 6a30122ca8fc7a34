//! `WORKTREE_DIRTY`

use forecheck::Failed;

use crate::generated::details::WorktreeDirty;
use crate::generated::facts::Worktree;

pub(super) fn check(worktree: &Worktree) -> Result<(), Failed<WorktreeDirty>> {
    if worktree.dirty.is_empty() {
        return Ok(());
    }
    Err(WorktreeDirty { paths: worktree.dirty.clone() }.into())
}
