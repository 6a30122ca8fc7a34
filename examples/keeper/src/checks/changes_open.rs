//! `CHANGES_OPEN`

use forecheck::Failed;

use crate::generated::details::ChangesOpen;
use crate::generated::facts::OpenChanges;

pub(super) fn check(open_changes: &OpenChanges) -> Result<(), Failed<ChangesOpen>> {
    if open_changes.numbers.is_empty() {
        return Ok(());
    }
    Err(ChangesOpen { open: open_changes.numbers.clone() }.into())
}
