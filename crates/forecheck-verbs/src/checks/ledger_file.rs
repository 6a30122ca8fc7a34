//! `LEDGER_MISSING` and `LEDGER_UNREADABLE`.

use forecheck::Failed;

use crate::generated::details::{LedgerMissing, LedgerUnreadable};
use crate::generated::facts::LedgerFile;

pub(super) fn missing(ledger: Option<&str>, file: &LedgerFile) -> Result<(), Failed<LedgerMissing>> {
    let Some(reason) = file.missing.clone() else { return Ok(()) };
    let place = match (ledger, &*file.path) {
        (Some(path), _) => format!("at `{path}`"),
        (None, "") => "of this tool".to_owned(),
        (None, path) => format!("of this tool at `{path}`"),
    };
    let message = format!("there is no ledger {place}: {reason}");
    Err(Failed::from(LedgerMissing { reason }).because(message))
}

/// The reason names the file.
pub(super) fn unreadable(file: &LedgerFile) -> Result<(), Failed<LedgerUnreadable>> {
    let Some(reason) = file.unreadable.clone() else { return Ok(()) };
    let message = format!("the ledger cannot be used: {reason}");
    Err(Failed::from(LedgerUnreadable { reason }).because(message))
}
