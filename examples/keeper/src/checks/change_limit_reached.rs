//! `CHANGE_LIMIT_REACHED`

use forecheck::Failed;

use crate::generated::details::ChangeLimitReached;
use crate::generated::facts::OpenChanges;

pub(super) fn check(open_changes: &OpenChanges) -> Result<(), Failed<ChangeLimitReached>> {
    if (open_changes.numbers.len() as u64) < open_changes.limit {
        return Ok(());
    }
    Err(ChangeLimitReached { open: open_changes.numbers.clone() }.into())
}
