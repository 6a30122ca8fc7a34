//! `worktree`: what differs from the last commit, and whether somebody is at it.

use crate::desk::Desk;
use crate::generated::facts::Worktree;
use crate::trouble::Trouble;

pub(super) fn gather(desk: &Desk, target: &str) -> Result<Worktree, Trouble> {
    let (_, repository) = desk.repository(target)?;
    let locked = repository.is_locked();
    // While the index is being written, what differs from it says nothing.
    let dirty = if locked { Vec::new() } else { repository.dirty()? };
    Ok(Worktree { locked, dirty })
}
