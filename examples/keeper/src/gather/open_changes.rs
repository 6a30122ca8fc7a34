//! `open_changes`: the open changes of the repository.

use crate::desk::Desk;
use crate::generated::facts::OpenChanges;
use crate::trouble::Trouble;

pub(super) fn gather(desk: &Desk, target: &str) -> Result<OpenChanges, Trouble> {
    Ok(OpenChanges { numbers: desk.open_changes(target)?, limit: desk.registry()?.change_limit() })
}
