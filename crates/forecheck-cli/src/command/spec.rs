//! The spec folder of a call: read, checked, and refused where a verb needs more than it is.

use std::path::Path;

use forecheck_spec::check::{Checked, check};
use forecheck_spec::problem::Severity;
use forecheck_spec::source::Sources;
use forecheck_spec::surface::Surface;
use forecheck_spec::tree::Trees;
use forecheck_verbs::generated::details;
use forecheck_verbs::generated::generate::Refusal;

use super::{refuse, shown};
use crate::answer::{Call, Exit, Stop};
use crate::problem::{Counts, in_words, published};
use crate::progress::Progress;
use crate::terminal;

/// Reads the folder. Refused with `SPEC_UNREADABLE`, which every verb with a spec declares.
pub(super) fn load(folder: &Path, progress: &Progress) -> Result<Sources, Stop> {
    progress.step("reading");
    match Sources::load(folder) {
        Ok(sources) => Ok(sources),
        Err(error) => {
            let details = details::SpecUnreadable { reason: error.source.to_string() };
            refuse!(Refusal::SpecUnreadable(details), error.to_string(), vec!["/spec"])
        }
    }
}

/// Checks what was read.
pub(super) fn examine<'s>(trees: &'s Trees<'s>, progress: &Progress) -> Checked<'s> {
    progress.step("checking");
    check(trees)
}

/// The surface. Refused with `SPEC_HAS_ERRORS`; for people, the problems come first.
pub(super) fn accept<'c, 's>(
    call: &Call,
    folder: &Path,
    checked: &'c Checked<'s>,
    trees: &Trees<'_>,
    least: Severity,
) -> Result<&'c Surface<'s>, Stop> {
    let folder = shown(folder);
    if !call.json {
        terminal::problems(&in_words(checked, trees, &folder, least));
    }
    match &checked.surface {
        Some(surface) => Ok(surface),
        None => {
            let counts = Counts::of(checked);
            let problems = published(checked, trees);
            let details =
                details::SpecHasErrors { errors: counts.errors, warnings: counts.warnings, problems };
            let message = format!("`{folder}` has {}", counts.in_words());
            refuse!(Refusal::SpecHasErrors(details), message, vec!["/spec"])
        }
    }
}

/// The surface of a folder, for a verb that needs nothing but it.
pub(super) fn with_surface(
    call: &Call,
    folder: &Path,
    verb: impl FnOnce(&Surface<'_>) -> Result<Exit, Stop>,
) -> Result<Exit, Stop> {
    let progress = Progress::new();
    let sources = load(folder, &progress)?;
    let trees = Trees::read(&sources);
    let checked = examine(&trees, &progress);
    drop(progress);
    verb(accept(call, folder, &checked, &trees, Severity::Error)?)
}

#[cfg(test)]
mod tests {
    use crate::own_table;

    /// This module raises both codes with the type of `generate`, for every verb that calls it.
    #[test]
    fn every_verb_with_a_spec_declares_what_is_raised_for_it() {
        let table = own_table::own_table().unwrap();
        let verbs =
            |code| own_table::row(&table, code).unwrap().verbs.iter().map(String::as_str).collect::<Vec<_>>();
        assert_eq!(verbs("SPEC_UNREADABLE"), ["check", "collapse", "derive_key", "find_drift", "generate"]);
        assert_eq!(verbs("SPEC_HAS_ERRORS"), ["collapse", "derive_key", "find_drift", "generate"]);
    }
}
