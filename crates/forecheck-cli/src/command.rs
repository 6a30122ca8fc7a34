//! The commands, one file each.

pub(crate) mod check;
pub(crate) mod explain;
pub(crate) mod generate;
pub(crate) mod key;
mod spec;
pub(crate) mod table;

use std::path::Path;

/// A path as text, for reports.
fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// Stops with a verb's refusal: `refuse!(refusal, message, at)`.
macro_rules! refuse {
    ($refusal:expr, $message:expr, $at:expr) => {{
        let refusal = $refusal;
        let details = forecheck::Refusing::details(&refusal)?;
        let raised = $crate::answer::Raised { code: refusal.code(), details, message: $message, at: $at };
        return Err($crate::answer::Stop::Refused(Box::new(raised)));
    }};
}
use refuse;
