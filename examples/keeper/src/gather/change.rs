//! `change`: a change of the repository.

use crate::desk::{ChangeState, Desk};
use crate::generated::facts::{
    Change, ChangeRecord, ChangeRecordBranchIs as BranchIs, ChangeRecordState as State,
};
use crate::trouble::Trouble;

pub(super) fn gather(desk: &Desk, target: &str, number: u64) -> Result<Change, Trouble> {
    let Some(change) = desk.change(target, number)? else { return Ok(Change { record: None }) };
    let (_, repository) = desk.repository(target)?;
    let branch_is = match repository.tip(&change.branch)? {
        None => BranchIs::Missing,
        Some(tip) if repository.builds_on(&tip, &change.base_commit)? => BranchIs::Ahead,
        Some(_) => BranchIs::Elsewhere,
    };
    let base_moved = repository.tip(&change.base)?.as_deref() != Some(change.base_commit.as_str());
    let state = match change.state {
        ChangeState::Open => State::Open,
        ChangeState::Landed => State::Landed,
        ChangeState::Abandoned => State::Abandoned,
    };
    Ok(Change { record: Some(ChangeRecord { state, branch: change.branch, branch_is, base_moved }) })
}
