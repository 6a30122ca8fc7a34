//! `playbooks`: the playbooks of the desk.

use crate::desk::Desk;
use crate::generated::facts::Playbooks;
use crate::trouble::Trouble;

pub(super) fn gather(desk: &Desk) -> Result<Playbooks, Trouble> {
    Ok(Playbooks { names: desk.playbooks()? })
}
