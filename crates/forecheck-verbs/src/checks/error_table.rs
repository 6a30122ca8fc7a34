//! `ERRORS_UNREADABLE` and `CODE_UNKNOWN`.

use forecheck::Failed;

use super::or_nearest;
use crate::generated::details::{CodeUnknown, ErrorsUnreadable};
use crate::generated::facts::{CodeRow, ErrorTable};

pub(super) fn unreadable(errors: Option<&str>, table: &ErrorTable) -> Result<(), Failed<ErrorsUnreadable>> {
    let Some(reason) = table.unreadable.clone() else { return Ok(()) };
    let message = match errors {
        Some(file) => format!("`{file}` is no errors.json that can be read: {reason}"),
        None => format!("the table of this tool cannot be read: {reason}"),
    };
    Err(Failed::from(ErrorsUnreadable { reason }).because(message))
}

pub(super) fn code_unknown(code: &str, row: &CodeRow) -> Result<(), Failed<CodeUnknown>> {
    if row.known {
        return Ok(());
    }
    let nearest = row.nearest.clone();
    let or = or_nearest(&nearest);
    // Names from a table that anybody may have written stay in one line.
    let message =
        format!("the table of `{}` has no code `{code}`{or}", row.surface).escape_debug().to_string();
    Err(Failed::from(CodeUnknown { nearest }).because(message))
}
