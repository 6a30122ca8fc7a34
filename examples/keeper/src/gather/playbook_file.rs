//! `playbook_file`: whether the base branch holds a playbook.

use crate::desk::Desk;
use crate::effects::PLAYBOOK;
use crate::generated::facts::PlaybookFile;
use crate::trouble::Trouble;

pub(super) fn gather(desk: &Desk, target: &str) -> Result<PlaybookFile, Trouble> {
    let (entry, repository) = desk.repository(target)?;
    Ok(PlaybookFile { present: repository.holds(&entry.base, PLAYBOOK)? })
}
