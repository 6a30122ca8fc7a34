//! `branches`: the branches of the repository.

use crate::desk::Desk;
use crate::generated::facts::Branches;
use crate::trouble::Trouble;

pub(super) fn gather(desk: &Desk, target: &str) -> Result<Branches, Trouble> {
    let (_, repository) = desk.repository(target)?;
    Ok(Branches { names: repository.branches()? })
}
