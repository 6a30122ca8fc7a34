//! `PLAYBOOK_UNKNOWN`

use forecheck::Failed;

use crate::generated::details::PlaybookUnknown;
use crate::generated::facts::Playbooks;

pub(super) fn check(playbook: &str, playbooks: &Playbooks) -> Result<(), Failed<PlaybookUnknown>> {
    if playbooks.names.iter().any(|name| name == playbook) {
        return Ok(());
    }
    Err(PlaybookUnknown { known: playbooks.names.clone() }.into())
}
