//! `BRANCH_NOT_AHEAD`

use forecheck::Failed;

use crate::generated::details::BranchNotAhead;
use crate::generated::facts::{Change, ChangeRecordBranchIs as BranchIs};

pub(super) fn check(change: &Change) -> Result<(), Failed<BranchNotAhead>> {
    match &change.record {
        Some(record) if record.branch_is != BranchIs::Ahead => {
            Err(BranchNotAhead { branch: record.branch.clone() }.into())
        }
        Some(_) | None => Ok(()),
    }
}
