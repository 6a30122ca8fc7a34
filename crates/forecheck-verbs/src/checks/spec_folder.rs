//! `SPEC_UNREADABLE`, `SPEC_HAS_ERRORS`, `WARNINGS_DENIED`.

use forecheck::Failed;

use crate::generated::details::{SpecHasErrors, SpecUnreadable, WarningsDenied};
use crate::generated::facts::SpecFolder;
use crate::generated::shared::{Problem, ProblemSeverity};

/// How many problems there are of each severity.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Errors.
    pub errors: u64,
    /// Warnings.
    pub warnings: u64,
    /// Notes.
    pub notes: u64,
}

impl Counts {
    /// Counts `problems`.
    pub fn of(problems: &[Problem]) -> Counts {
        let mut counts = Counts::default();
        for problem in problems {
            match problem.severity {
                ProblemSeverity::Error => counts.errors += 1,
                ProblemSeverity::Warning => counts.warnings += 1,
                ProblemSeverity::Note => counts.notes += 1,
            }
        }
        counts
    }

    /// "2 errors, 1 warning"; notes are not worth a word.
    pub fn in_words(self) -> String {
        let count =
            |number: u64, what: &str| format!("{number} {what}{}", if number == 1 { "" } else { "s" });
        format!("{}, {}", count(self.errors, "error"), count(self.warnings, "warning"))
    }
}

pub(super) fn unreadable(target: &str, folder: &SpecFolder) -> Result<(), Failed<SpecUnreadable>> {
    let Some(reason) = &folder.unreadable else { return Ok(()) };
    let refused = Failed::from(SpecUnreadable { reason: reason.clone() });
    Err(refused.because(format!("the folder `{target}` cannot be read: {reason}")))
}

pub(super) fn has_errors(target: &str, folder: &SpecFolder) -> Result<(), Failed<SpecHasErrors>> {
    let counts = Counts::of(&folder.problems);
    if counts.errors == 0 {
        return Ok(());
    }
    let Counts { errors, warnings, .. } = counts;
    let refused = Failed::from(SpecHasErrors { errors, warnings, problems: folder.problems.clone() });
    Err(refused.because(format!("`{target}` has {}", counts.in_words())))
}

pub(super) fn warnings_denied(
    deny_warnings: bool,
    target: &str,
    folder: &SpecFolder,
) -> Result<(), Failed<WarningsDenied>> {
    let counts = Counts::of(&folder.problems);
    if !deny_warnings || counts.warnings == 0 {
        return Ok(());
    }
    let details = WarningsDenied { warnings: counts.warnings, problems: folder.problems.clone() };
    let message = format!("`{target}` has {}, and warnings are denied", counts.in_words());
    Err(Failed::from(details).because(message))
}
