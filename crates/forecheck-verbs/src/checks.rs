//! The checks of the shipped surface, once for every world that opts in. Each is pure: it looks at
//! nothing but its parameters.

mod called_verb;
mod error_table;
mod key_lock;
mod ledger_file;
mod new_project;
mod output_folders;
mod recorded_calls;
mod spec_folder;

use forecheck::Failed;

use crate::generated::facts::{
    CalledVerb, CodeRow, ErrorTable, KeyLock, LedgerFile, MovedKeys, NewFolder, OutputFolders, PlannedOutput,
    RecordedCalls, RuntimeCrate, SpecFolder,
};
use crate::generated::{checks, derive_key, details, explain, generate, init, resolve_call};

pub use called_verb::{NoKey, derive};
pub use spec_folder::Counts;

/// A world in which the checks of the shipped surface hold.
pub trait Forecheck: forecheck::World {}

impl<W: Forecheck> checks::Checks for W {
    fn spec_unreadable(target: &str, folder: &SpecFolder) -> Result<(), Failed<details::SpecUnreadable>> {
        spec_folder::unreadable(target, folder)
    }

    fn spec_has_errors(target: &str, folder: &SpecFolder) -> Result<(), Failed<details::SpecHasErrors>> {
        spec_folder::has_errors(target, folder)
    }

    fn warnings_denied(
        deny_warnings: bool,
        target: &str,
        folder: &SpecFolder,
    ) -> Result<(), Failed<details::WarningsDenied>> {
        spec_folder::warnings_denied(deny_warnings, target, folder)
    }

    fn folders_overlap(planned: &PlannedOutput) -> Result<(), Failed<details::FoldersOverlap>> {
        output_folders::overlap(planned)
    }

    fn output_unreadable(folders: &OutputFolders) -> Result<(), Failed<details::OutputUnreadable>> {
        output_folders::unreadable(folders)
    }

    fn key_lock_unreadable(lock: &KeyLock) -> Result<(), Failed<details::KeyLockUnreadable>> {
        key_lock::unreadable(lock)
    }

    fn key_recipe_changed(keys: &MovedKeys) -> Result<(), Failed<details::KeyRecipeChanged>> {
        key_lock::recipe_changed(keys)
    }

    fn ledger_missing(ledger: Option<&str>, file: &LedgerFile) -> Result<(), Failed<details::LedgerMissing>> {
        ledger_file::missing(ledger, file)
    }

    fn ledger_unreadable(
        _ledger: Option<&str>,
        file: &LedgerFile,
    ) -> Result<(), Failed<details::LedgerUnreadable>> {
        ledger_file::unreadable(file)
    }

    fn call_unknown(
        key: &str,
        scope: Option<&str>,
        calls: &RecordedCalls,
    ) -> Result<(), Failed<details::CallUnknown>> {
        recorded_calls::unknown(key, scope, calls)
    }
}

impl<W: Forecheck> resolve_call::Checks for W {
    fn call_not_in_doubt(
        key: &str,
        _scope: Option<&str>,
        calls: &RecordedCalls,
    ) -> Result<(), Failed<details::CallNotInDoubt>> {
        recorded_calls::not_in_doubt(key, calls)
    }
}

impl<W: Forecheck> generate::Checks for W {
    fn output_has_foreign_files(
        prune: bool,
        planned: &PlannedOutput,
    ) -> Result<(), Failed<details::OutputHasForeignFiles>> {
        output_folders::foreign_files(prune, planned)
    }

    fn output_busy(folders: &OutputFolders) -> Result<(), Failed<details::OutputBusy>> {
        output_folders::busy(folders)
    }

    fn output_unwritable(planned: &PlannedOutput) -> Result<(), Failed<details::OutputUnwritable>> {
        output_folders::unwritable(planned)
    }
}

impl<W: Forecheck> derive_key::Checks for W {
    fn verb_unknown(verb: &str, called: &CalledVerb) -> Result<(), Failed<details::VerbUnknown>> {
        called_verb::unknown(verb, called)
    }

    fn verb_has_no_key(verb: &str, called: &CalledVerb) -> Result<(), Failed<()>> {
        called_verb::has_no_key(verb, called)
    }

    fn keyed_input_refused(
        verb: &str,
        text: &str,
        called: &CalledVerb,
    ) -> Result<(), Failed<details::KeyedInputRefused>> {
        called_verb::input_refused(verb, text, called)
    }
}

impl<W: Forecheck> explain::Checks for W {
    fn errors_unreadable(
        errors: Option<&str>,
        table: &ErrorTable,
    ) -> Result<(), Failed<details::ErrorsUnreadable>> {
        error_table::unreadable(errors, table)
    }

    fn code_unknown(code: &str, row: &CodeRow) -> Result<(), Failed<details::CodeUnknown>> {
        error_table::code_unknown(code, row)
    }
}

impl<W: Forecheck> init::Checks for W {
    fn runtime_crate_missing(
        forecheck: Option<&str>,
        runtime_crate: &RuntimeCrate,
    ) -> Result<(), Failed<details::RuntimeCrateMissing>> {
        new_project::runtime_crate_missing(forecheck, runtime_crate)
    }

    fn folder_unwritable(
        folder: &str,
        new_folder: &NewFolder,
    ) -> Result<(), Failed<details::FolderUnwritable>> {
        new_project::folder_unwritable(folder, new_folder)
    }

    fn folder_not_empty(folder: &str, new_folder: &NewFolder) -> Result<(), Failed<details::FolderNotEmpty>> {
        new_project::folder_not_empty(folder, new_folder)
    }
}

/// "; the nearest: a, b", or nothing.
fn or_nearest(nearest: &[String]) -> String {
    if nearest.is_empty() { String::new() } else { format!("; the nearest: {}", nearest.join(", ")) }
}
