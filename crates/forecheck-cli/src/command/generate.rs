//! `forecheck gen`: the verbs `generate` and `find_drift`.
//!
//! Every precondition is checked before anything is written, in the order that the spec promises.
//! `find_drift` can be refused with some of the codes of `generate`, so both use the latter's type.

use std::path::{Path, PathBuf};

use forecheck_codegen::folder::{Destination, Drift, DriftState, Outputs, Stopped, WriteError, Written};
use forecheck_codegen::generator::{Source, generate};
use forecheck_codegen::keys_json::MovedRecipe;
use forecheck_contract::outcome::{Effects, Status};
use forecheck_spec::check::Checked;
use forecheck_spec::problem::Severity;
use forecheck_spec::tree::Trees;
use forecheck_verbs::generated::generate::{self as write, Refusal};
use forecheck_verbs::generated::{details, find_drift};

use super::{refuse, shown, spec};
use crate::answer::{Call, Exit, Failure, Stop};
use crate::arguments::GenArguments;
use crate::problem::{Counts, published};
use crate::progress::Progress;
use crate::terminal::{count, lines_visible};

pub(crate) fn run(arguments: &GenArguments) -> Result<Exit, Failure> {
    let verb = if arguments.check { find_drift::VERB } else { write::VERB };
    let call = Call { verb, json: arguments.json };
    attempt(&call, arguments).or_else(|stop| call.stopped(stop))
}

/// The whole order of both verbs.
fn attempt(call: &Call, arguments: &GenArguments) -> Result<Exit, Stop> {
    let progress = Progress::new();
    let sources = spec::load(&arguments.spec.spec, &progress)?;
    let trees = Trees::read(&sources);
    let checked = spec::examine(&trees, &progress);
    drop(progress);
    let surface = spec::accept(call, &arguments.spec.spec, &checked, &trees, Severity::Warning)?;
    deny_warnings(arguments, &checked, &trees)?;
    let progress = Progress::new();
    progress.step("generating");
    let source = Source::new(surface);
    let done = Done {
        verbs: surface.verbs.len() as u64,
        codes: source.table.codes.len() as u64,
        warnings: Counts::of(&checked).warnings,
    };
    let generated = match generate(&source) {
        Ok(generated) => generated,
        Err(error) => {
            drop(progress);
            call.broken(Status::Failed, Effects::None, &error.to_string())?;
            return Ok(Exit::Failed);
        }
    };
    progress.step("comparing");
    let destination = Destination { out: arguments.out.clone(), rust: arguments.rust.clone() };
    let compared = destination.compare(&arguments.spec.spec, generated);
    let outputs = compared.or_else(|stopped| stop(arguments, stopped))?;
    if arguments.check {
        drop(progress);
        return report_drift(call, arguments, &outputs);
    }
    progress.step("writing");
    let replaced = outputs.replace(arguments.prune);
    drop(progress);
    match replaced {
        Ok(written) => report_written(call, &written, &done),
        Err(stopped @ Stopped::Partly(_)) => {
            call.broken(Status::InDoubt, Effects::Partial, &stopped.to_string())?;
            Ok(Exit::InDoubt)
        }
        Err(stopped) => stop(arguments, stopped),
    }
}

fn deny_warnings(arguments: &GenArguments, checked: &Checked<'_>, trees: &Trees<'_>) -> Result<(), Stop> {
    let counts = Counts::of(checked);
    if !arguments.deny_warnings || counts.warnings == 0 {
        return Ok(());
    }
    let details = details::WarningsDenied { warnings: counts.warnings, problems: published(checked, trees) };
    let folder = shown(&arguments.spec.spec);
    let message = format!("`{folder}` has {}, and warnings are denied", counts.in_words());
    refuse!(Refusal::WarningsDenied(details), message, vec!["/deny_warnings"])
}

/// What stopped a run, as the verb's refusal.
fn stop<T>(arguments: &GenArguments, stopped: Stopped) -> Result<T, Stop> {
    let message = stopped.to_string();
    let outputs = if arguments.rust.is_some() { vec!["/out", "/rust"] } else { vec!["/out"] };
    let everywhere = [&["/spec"], &*outputs].concat();
    let (refusal, at) = match stopped {
        Stopped::Overlap(first, second) => {
            let details = details::FoldersOverlap { first: shown(&first), second: shown(&second) };
            (Refusal::FoldersOverlap(details), everywhere)
        }
        Stopped::Unreadable(error) => {
            let details =
                details::OutputUnreadable { path: shown(&error.path), reason: error.source.to_string() };
            (Refusal::OutputUnreadable(details), outputs)
        }
        Stopped::LockUnreadable(reason) => {
            (Refusal::KeyLockUnreadable(details::KeyLockUnreadable { reason }), vec!["/out"])
        }
        Stopped::Moved(moved) => {
            let moved = moved.into_iter().map(published_move).collect::<Result<_, _>>()?;
            (Refusal::KeyRecipeChanged(details::KeyRecipeChanged { moved }), vec!["/out"])
        }
        Stopped::Foreign(files) => {
            let files = all_shown(&files);
            (Refusal::OutputHasForeignFiles(details::OutputHasForeignFiles { files }), outputs)
        }
        Stopped::Busy(folder) => {
            (Refusal::OutputBusy(details::OutputBusy { folder: shown(&folder) }), outputs)
        }
        Stopped::Unwritable(WriteError { path, source }) | Stopped::Partly(WriteError { path, source }) => {
            let details = details::OutputUnwritable { path: shown(&path), reason: source.to_string() };
            (Refusal::OutputUnwritable(details), outputs)
        }
    };
    refuse!(refusal, message, at)
}

fn published_move(moved: MovedRecipe) -> Result<details::KeyRecipeChangedMovedItem, Stop> {
    Ok(details::KeyRecipeChangedMovedItem {
        verb: moved.verb,
        locked_revision: moved.locked.revision,
        revision: moved.now.revision,
        locked: serde_json::to_string(&moved.locked.recipe)?,
        now: serde_json::to_string(&moved.now.recipe)?,
    })
}

fn all_shown(paths: &[PathBuf]) -> Vec<String> {
    paths.iter().map(|path| shown(path)).collect()
}

fn report_drift(call: &Call, arguments: &GenArguments, outputs: &Outputs) -> Result<Exit, Stop> {
    let drift = outputs.drift();
    let command = mending_command(arguments, !outputs.foreign().is_empty());
    let summary = match drift.len() {
        0 => "everything is up to date\n".to_owned(),
        1 => format!("1 file differs; run `{command}`\n"),
        count => format!("{count} files differ; run `{command}`\n"),
    };
    let human = drift.iter().map(in_words).collect::<String>() + &summary;
    let published = drift.iter().map(|drift| find_drift::OutputDriftItem {
        path: shown(&drift.path),
        state: published_state(&drift.state),
        diff: drift.state.diff().map(str::to_owned),
    });
    let output = find_drift::Output { drift: published.collect(), command };
    call.answered(Effects::None, &output, &human)?;
    Ok(if drift.is_empty() { Exit::Done } else { Exit::Found })
}

fn published_state(state: &DriftState) -> find_drift::OutputDriftItemState {
    match state {
        DriftState::Missing => find_drift::OutputDriftItemState::Missing,
        DriftState::Stale { .. } => find_drift::OutputDriftItemState::Stale,
        DriftState::Orphan => find_drift::OutputDriftItemState::Orphan,
    }
}

fn in_words(drift: &Drift) -> String {
    let diff = drift.state.diff().map_or_else(String::new, |diff| format!("{}\n", lines_visible(diff)));
    format!("{}: {}\n{diff}", drift.state.as_str(), lines_visible(&shown(&drift.path)))
}

/// The call that makes the folders what they should be.
fn mending_command(arguments: &GenArguments, has_foreign: bool) -> String {
    let spec = word(&arguments.spec.spec);
    let rust = arguments.rust.as_ref().map_or_else(String::new, |rust| format!(" --rust {}", word(rust)));
    let prune = if has_foreign { " --prune" } else { "" };
    format!("forecheck gen --spec {spec} --out {}{rust}{prune}", word(&arguments.out))
}

/// A path as a word of a shell.
fn word(path: &Path) -> String {
    let text = shown(path);
    let plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/._-".contains(&byte));
    if plain && !text.is_empty() { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

/// What the answer says beside the files.
struct Done {
    verbs: u64,
    codes: u64,
    warnings: u64,
}

fn report_written(call: &Call, written: &Written, done: &Done) -> Result<Exit, Stop> {
    let human = format!(
        "{}, {}: {} written, {} removed, {} unchanged\n",
        count(done.verbs, "verb"),
        count(done.codes, "code"),
        count(written.written.len() as u64, "file"),
        written.removed.len(),
        written.unchanged,
    );
    let output = write::Output {
        written: all_shown(&written.written),
        removed: all_shown(&written.removed),
        unchanged: written.unchanged as u64,
        verbs: done.verbs,
        codes: done.codes,
        warnings: done.warnings,
    };
    call.answered(Effects::Complete, &output, &human)?;
    Ok(Exit::Done)
}

#[cfg(test)]
mod tests {
    use forecheck_verbs::generated::codes::Code;

    use super::*;
    use crate::own_table;

    /// What [`attempt`] can raise before it knows whether it may write.
    const OF_BOTH: [Code; 7] = [
        Code::SpecUnreadable,
        Code::SpecHasErrors,
        Code::WarningsDenied,
        Code::FoldersOverlap,
        Code::OutputUnreadable,
        Code::KeyLockUnreadable,
        Code::KeyRecipeChanged,
    ];

    #[test]
    fn find_drift_declares_what_it_can_raise() {
        let table = own_table::own_table().unwrap();
        let declared = table.codes.iter().filter(|row| row.verbs.contains("find_drift"));
        let mut expected = OF_BOTH.map(Code::as_str);
        expected.sort_unstable();
        assert_eq!(declared.map(|row| row.code.as_str()).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn paths_are_words_of_a_shell() {
        assert_eq!(
            ["a/b_c.d-e", "a b", "it's", ""].map(|path| word(Path::new(path))),
            ["a/b_c.d-e", "'a b'", r"'it'\''s'", "''"]
        );
    }
}
