//! `BASE_MOVED`

use forecheck::Failed;

use crate::generated::facts::Change;

pub(super) fn check(change: &Change) -> Result<(), Failed<()>> {
    if change.record.as_ref().is_some_and(|record| record.base_moved) { Err(().into()) } else { Ok(()) }
}
