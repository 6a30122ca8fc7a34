//! `forecheck gen`: the verbs `generate` and `find_drift`.
//!
//! Every precondition is checked before anything is written, in the order that the spec promises.
//! `find_drift` can be refused with some of the codes of `generate`, so both use the latter's type.

use std::path::Path;

use forecheck_codegen::folder::{Destination, Drift, LockError, Outputs};
use forecheck_codegen::generator::{Source, generate};
use forecheck_codegen::keys_json::{KeysFile, keys, moved_recipes};
use forecheck_contract::outcome::{Effects, Status};
use forecheck_spec::check::{Checked, check};
use forecheck_spec::problem::Severity;
use forecheck_spec::source::Sources;
use forecheck_spec::surface::Surface;
use forecheck_spec::tree::Trees;
use forecheck_verbs::generated::generate::{self as write, Refusal};
use forecheck_verbs::generated::{details, find_drift};
use serde::Serialize;

use super::shown;
use crate::answer::{Call, Exit, Failure, Raised};
use crate::arguments::GenArguments;
use crate::problem::{Counts, in_words, published};
use crate::progress::Progress;
use crate::terminal;

pub(crate) fn run(arguments: &GenArguments) -> Result<Exit, Failure> {
    let verb = if arguments.check { find_drift::VERB } else { write::VERB };
    let call = Call { verb, json: arguments.json };
    match attempt(&call, arguments) {
        Ok(exit) => Ok(exit),
        Err(Stop::Refused(raised)) => call.refused(*raised),
        Err(Stop::Broken(failure)) => Err(failure),
    }
}

/// Why a run went no further.
enum Stop {
    Refused(Box<Raised>),
    Broken(Failure),
}

impl<E: Into<Failure>> From<E> for Stop {
    fn from(error: E) -> Stop {
        Stop::Broken(error.into())
    }
}

/// Stops with a refusal.
fn refuse<T>(refusal: &Refusal, message: String, at: &'static [&'static str]) -> Result<T, Stop> {
    let details = refusal.details()?;
    Err(Stop::Refused(Box::new(Raised { code: refusal.code(), details, message, at })))
}

/// The whole order of both verbs.
fn attempt(call: &Call, arguments: &GenArguments) -> Result<Exit, Stop> {
    let progress = Progress::new();
    progress.step("reading");
    let sources = load(&arguments.spec.spec)?;
    progress.step("checking");
    let trees = Trees::read(&sources);
    let checked = check(&trees);
    let counts = Counts::of(&checked);
    drop(progress);
    let surface = accept(call, arguments, &checked, &trees)?;
    let destination = Destination { out: arguments.out.clone(), rust: arguments.rust.clone() };
    check_apart(&arguments.spec.spec, &destination)?;
    let progress = Progress::new();
    progress.step("generating");
    let source = Source::new(surface);
    let codes = source.table.codes.len();
    let generated = match generate(&source) {
        Ok(generated) => generated,
        Err(error) => return Ok(call.broken(Status::Failed, Effects::None, &error.to_string())?),
    };
    progress.step("comparing");
    let outputs = plan(&destination, generated)?;
    drop(progress);
    check_lock(&outputs, &keys(surface))?;
    if arguments.check {
        return report_drift(call, arguments, &outputs);
    }
    let done = Done { verbs: surface.verbs.len() as u64, codes: codes as u64, warnings: counts.warnings };
    replace(call, arguments, &destination, outputs, &done)
}

fn load(spec: &Path) -> Result<Sources, Stop> {
    Sources::load(spec).or_else(|error| {
        let details = details::SpecUnreadable { reason: error.source.to_string() };
        refuse(&Refusal::SpecUnreadable(details), error.to_string(), &["/spec"])
    })
}

/// The surface, if nothing is wrong with it that stops generation.
fn accept<'c, 's>(
    call: &Call,
    arguments: &GenArguments,
    checked: &'c Checked<'s>,
    trees: &Trees<'_>,
) -> Result<&'c Surface<'s>, Stop> {
    let folder = shown(&arguments.spec.spec);
    if !call.json {
        terminal::problems(&in_words(checked, trees, &folder, Severity::Warning));
    }
    let counts = Counts::of(checked);
    let Some(surface) = &checked.surface else {
        let problems = published(checked, trees);
        let details = details::SpecHasErrors { errors: counts.errors, warnings: counts.warnings, problems };
        return refuse(
            &Refusal::SpecHasErrors(details),
            format!("`{folder}` has {}", counts.in_words()),
            &["/spec"],
        );
    };
    if arguments.deny_warnings && counts.warnings > 0 {
        let details =
            details::WarningsDenied { warnings: counts.warnings, problems: published(checked, trees) };
        let message = format!("`{folder}` has {}, and warnings are denied", counts.in_words());
        return refuse(&Refusal::WarningsDenied(details), message, &["/deny_warnings"]);
    }
    Ok(surface)
}

fn check_apart(spec: &Path, destination: &Destination) -> Result<(), Stop> {
    let Some((first, second)) = destination.overlap(spec) else { return Ok(()) };
    let details = details::FoldersOverlap { first: shown(&first), second: shown(&second) };
    let message = format!("`{}` and `{}` do not lie apart", details.first, details.second);
    refuse(&Refusal::FoldersOverlap(details), message, &["/spec", "/out", "/rust"])
}

fn plan(
    destination: &Destination,
    generated: forecheck_codegen::generator::Generated,
) -> Result<Outputs, Stop> {
    destination.plan(generated).or_else(unreadable)
}

fn unreadable<T>(error: forecheck_codegen::folder::FolderError) -> Result<T, Stop> {
    let details = details::OutputUnreadable { path: shown(&error.path), reason: error.source.to_string() };
    refuse(&Refusal::OutputUnreadable(details), error.to_string(), &["/out", "/rust"])
}

/// Keys that were given out do not move unless a revision rises.
fn check_lock(outputs: &Outputs, now: &KeysFile) -> Result<(), Stop> {
    let Some(previous) = outputs.previous("keys.json") else { return Ok(()) };
    let locked: KeysFile = match serde_json::from_slice(previous) {
        Ok(locked) => locked,
        Err(error) => {
            let message = format!("the previous keys.json cannot be read: {error}");
            let details = details::KeyLockUnreadable { reason: error.to_string() };
            return refuse(&Refusal::KeyLockUnreadable(details), message, &["/out"]);
        }
    };
    let mut message = String::from("keys that were given out would move:");
    let mut moved = Vec::new();
    for verb in moved_recipes(&locked, now) {
        let (before, after) = (json(&verb.locked.recipe)?, json(&verb.now.recipe)?);
        message += &format!(
            "\n  {} at revision {}\n    locked: {before}\n    now:    {after}",
            verb.verb, verb.now.revision
        );
        moved.push(details::KeyRecipeChangedMovedItem {
            verb: verb.verb,
            locked_revision: verb.locked.revision,
            revision: verb.now.revision,
            locked: before,
            now: after,
        });
    }
    if moved.is_empty() {
        return Ok(());
    }
    refuse(&Refusal::KeyRecipeChanged(details::KeyRecipeChanged { moved }), message, &["/out"])
}

fn json(value: &impl Serialize) -> Result<String, Stop> {
    Ok(serde_json::to_string(value)?)
}

fn report_drift(call: &Call, arguments: &GenArguments, outputs: &Outputs) -> Result<Exit, Stop> {
    let drift = outputs.drift();
    let command = mending_command(arguments, !outputs.foreign().is_empty());
    let mut human: String = drift.iter().map(|(prefix, drift)| drift_in_words(prefix, drift)).collect();
    human += &match drift.len() {
        0 => "everything is up to date\n".to_owned(),
        1 => format!("1 file differs; run `{command}`\n"),
        count => format!("{count} files differ; run `{command}`\n"),
    };
    let published = drift.iter().map(|(prefix, drift)| find_drift::OutputDriftItem {
        path: format!("{prefix}{}", drift.path),
        state: drift_state(drift),
        diff: Some(drift.diff()).filter(|diff| !diff.is_empty()),
    });
    let output = find_drift::Output { drift: published.collect(), command };
    call.answered(Effects::None, &output, &human)?;
    Ok(if drift.is_empty() { Exit::Done } else { Exit::Found })
}

fn drift_state(drift: &Drift<'_>) -> find_drift::OutputDriftItemState {
    use find_drift::OutputDriftItemState as Published;
    use forecheck_codegen::folder::DriftState;
    match drift.state {
        DriftState::Missing => Published::Missing,
        DriftState::Stale { .. } => Published::Stale,
        DriftState::Orphan => Published::Orphan,
    }
}

fn drift_in_words(prefix: &str, drift: &Drift<'_>) -> String {
    let path = terminal::lines_visible(drift.path);
    format!("{}: {prefix}{path}\n{}\n", drift.state.as_str(), terminal::lines_visible(&drift.diff()))
}

/// The call that makes the folders what they should be.
fn mending_command(arguments: &GenArguments, has_foreign: bool) -> String {
    let word = |path: &Path| {
        let text = shown(path);
        let plain = text.bytes().all(|b| b.is_ascii_alphanumeric() || b"/._-".contains(&b));
        if plain && !text.is_empty() { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
    };
    let mut command =
        format!("forecheck gen --spec {} --out {}", word(&arguments.spec.spec), word(&arguments.out));
    if let Some(rust) = &arguments.rust {
        command += &format!(" --rust {}", word(rust));
    }
    if has_foreign {
        command += " --prune";
    }
    command
}

/// What the answer says beside the files.
struct Done {
    verbs: u64,
    codes: u64,
    warnings: u64,
}

/// The effect: everything before it only looked.
fn replace(
    call: &Call,
    arguments: &GenArguments,
    destination: &Destination,
    outputs: Outputs,
    done: &Done,
) -> Result<Exit, Stop> {
    check_foreign(arguments, &outputs)?;
    let locks = destination.lock().or_else(|(folder, error)| not_locked(&folder, error))?;
    let outputs = outputs.relist().or_else(unreadable)?;
    check_foreign(arguments, &outputs)?;
    let progress = Progress::new();
    progress.step("writing");
    let written = match outputs.write(&locks) {
        Ok(written) => written,
        Err(error) if error.partial => {
            drop(progress);
            let message =
                format!("{error}; each file is whole, but some are new and some are not: run it again");
            return Ok(call.broken(Status::InDoubt, Effects::Partial, &message)?);
        }
        Err(error) => {
            drop(progress);
            return unwritable(&error);
        }
    };
    drop(progress);
    let human = format!(
        "{} verbs, {} codes: {} files written, {} removed, {} unchanged\n",
        done.verbs,
        done.codes,
        written.written.len(),
        written.removed.len(),
        written.unchanged,
    );
    let output = write::Output {
        written: written.written,
        removed: written.removed,
        unchanged: written.unchanged as u64,
        verbs: done.verbs,
        codes: done.codes,
        warnings: done.warnings,
    };
    call.answered(Effects::Complete, &output, &human)?;
    Ok(Exit::Done)
}

fn check_foreign(arguments: &GenArguments, outputs: &Outputs) -> Result<(), Stop> {
    let foreign: Vec<String> = outputs.foreign().iter().map(|path| shown(path)).collect();
    if foreign.is_empty() || arguments.prune {
        return Ok(());
    }
    let named: Vec<&str> = foreign.iter().take(10).map(String::as_str).collect();
    let more = if foreign.len() > named.len() {
        format!("\n  and {} more", foreign.len() - named.len())
    } else {
        String::new()
    };
    let message = format!("files that no run wrote stand in the output:\n  {}{more}", named.join("\n  "));
    let details = details::OutputHasForeignFiles { files: foreign };
    refuse(&Refusal::OutputHasForeignFiles(details), message, &["/out", "/rust"])
}

fn not_locked<T>(folder: &Path, error: LockError) -> Result<T, Stop> {
    match error {
        LockError::Busy => {
            let message = format!("another run is writing to `{}`", shown(folder));
            let details = details::OutputBusy { folder: shown(folder) };
            refuse(&Refusal::OutputBusy(details), message, &["/out", "/rust"])
        }
        LockError::Unwritable(error) => unwritable(&error),
    }
}

fn unwritable<T>(error: &forecheck_codegen::folder::WriteError) -> Result<T, Stop> {
    let details = details::OutputUnwritable { path: shown(&error.path), reason: error.source.to_string() };
    refuse(&Refusal::OutputUnwritable(details), error.to_string(), &["/out", "/rust"])
}

#[cfg(test)]
mod tests {
    use forecheck_verbs::generated::codes::Code;

    use crate::own_table;

    /// What [`super::attempt`] can raise before it knows whether it may write.
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
}
