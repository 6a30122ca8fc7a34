//! `forecheck gen`: the verbs `generate` and `find_drift`.

use forecheck::{Failed, Host, Reserved, Settled};
use forecheck_codegen::folder::{Stopped, Written};
use forecheck_spec::problem::Severity;
use forecheck_verbs::checks::Counts;
use forecheck_verbs::generated::checks::Checks as Shared;
use forecheck_verbs::generated::find_drift;
use forecheck_verbs::generated::generate::{self, Checks, Output, Refusal};

use super::{shown, text};
use crate::answer::{Exit, Failure, deliver};
use crate::arguments::GenArguments;
use crate::terminal::{self, count};
use crate::world::{Disk, OutputFacts, Prepared, Writing, host};

pub(crate) fn run(arguments: &GenArguments) -> Result<Exit, Failure> {
    let spec = text(&arguments.spec.spec)?;
    let out = text(&arguments.out)?;
    let rust = arguments.rust.as_deref().map(text).transpose()?;
    let deny_warnings = Some(arguments.deny_warnings);
    let host = host();
    if arguments.check {
        let input = find_drift::Input { spec, out, rust, deny_warnings };
        let outcome = find_drift::call(&host, &serde_json::to_vec(&input)?);
        report_problems(&host, arguments, &input.spec);
        let found = |output: &find_drift::Output| !output.drift.is_empty();
        return deliver(&outcome, arguments.json, found, |output| Ok(super::find_drift::in_words(output)));
    }
    let input = generate::Input { spec, out, rust, prune: Some(arguments.prune), deny_warnings };
    let outcome = generate::call(&host, &serde_json::to_vec(&input)?);
    report_problems(&host, arguments, &input.spec);
    deliver(&outcome, arguments.json, |_| false, |output| Ok(in_words(output)))
}

/// For people, errors and warnings come before the answer.
fn report_problems(host: &Host<Disk>, arguments: &GenArguments, folder: &str) {
    host.read.progress.end();
    if !arguments.json {
        terminal::problems(&host.read.problems_in_words(folder, Severity::Warning));
    }
}

impl generate::Effect for Disk {
    fn apply(act: &Writing, call: Reserved<generate::Verb<Disk>>) -> Settled<generate::Verb<Disk>> {
        let Some(Prepared { outputs, verbs, codes }) = act.take() else {
            return call.nothing_happened("the output folders were not looked at");
        };
        let outputs = match outputs {
            Ok(outputs) => outputs,
            Err(error) => return call.nothing_happened(error.to_string()),
        };
        act.progress.step("writing");
        let stopped = match outputs.replace(call.input().prune.unwrap_or(false)) {
            Ok(Written { written, removed, unchanged }) => {
                let folder = call.facts().spec_folder.as_ref();
                let output = Output {
                    written: written.iter().map(|path| shown(path)).collect(),
                    removed: removed.iter().map(|path| shown(path)).collect(),
                    unchanged: unchanged as u64,
                    verbs,
                    codes,
                    warnings: folder.map_or(0, |folder| Counts::of(&folder.problems).warnings),
                };
                return call.succeeded(&output);
            }
            Err(stopped) => stopped,
        };
        match judge(&stopped) {
            Err(refusal) => call.declined(refusal),
            Ok(()) => call.partly(stopped.to_string()),
        }
    }
}

/// The checks once more, over what was found under the lock. All of them hold for a run that stopped
/// half-way, and for no other.
fn judge(stopped: &Stopped) -> Result<(), Failed<Refusal>> {
    let OutputFacts { folders, planned, lock, keys } = OutputFacts::of(stopped);
    Disk::folders_overlap(&planned).map_err(|failed| failed.map(Refusal::FoldersOverlap))?;
    Disk::output_unreadable(&folders).map_err(|failed| failed.map(Refusal::OutputUnreadable))?;
    Disk::key_lock_unreadable(&lock).map_err(|failed| failed.map(Refusal::KeyLockUnreadable))?;
    Disk::key_recipe_changed(&keys).map_err(|failed| failed.map(Refusal::KeyRecipeChanged))?;
    Disk::output_has_foreign_files(false, &planned)
        .map_err(|failed| failed.map(Refusal::OutputHasForeignFiles))?;
    Disk::output_busy(&folders).map_err(|failed| failed.map(Refusal::OutputBusy))?;
    Disk::output_unwritable(&planned).map_err(|failed| failed.map(Refusal::OutputUnwritable))
}

fn in_words(output: &Output) -> String {
    format!(
        "{}, {}: {} written, {} removed, {} unchanged\n",
        count(output.verbs, "verb"),
        count(output.codes, "code"),
        count(output.written.len() as u64, "file"),
        output.removed.len(),
        output.unchanged,
    )
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::path::Path;

    use forecheck::outcome::{Effects, Status};

    use super::*;
    use crate::world::{OwnLedger, host_with};

    const VERB: &str = r#"{"verb": "act", "target": null, "input": {}, "constraints": []}"#;

    /// A call before whose effect, but after whose checks, `meanwhile` happens to the output folder.
    fn overtaken(meanwhile: impl FnOnce(&Path)) -> (Status, Effects, Option<String>) {
        let folder = tempfile::tempdir().unwrap();
        let (spec, out) = (folder.path().join("spec"), folder.path().join("out"));
        fs::create_dir(&spec).unwrap();
        fs::write(spec.join("act.schema.json"), VERB).unwrap();
        fs::create_dir(&out).unwrap();
        let spec = text(&spec).unwrap();
        let input =
            generate::Input { spec, out: text(&out).unwrap(), rust: None, prune: None, deny_warnings: None };
        let effect = |act: &Writing, call| {
            meanwhile(&out);
            <Disk as generate::Effect>::apply(act, call)
        };
        let text = serde_json::to_vec(&input).unwrap();
        let outcome = forecheck::run::<generate::Verb<Disk>>(&text, &host_with(OwnLedger::Process), effect);
        let code = outcome.refusal.map(|refusal| refusal.code);
        (outcome.status, outcome.effects_of_this_call, code)
    }

    #[test]
    fn what_changed_since_the_checks_is_refused_under_the_lock() {
        let check = |code: &str, meanwhile: &dyn Fn(&Path)| {
            assert_eq!(overtaken(meanwhile), (Status::Refused, Effects::None, Some(code.to_owned())));
        };
        check("OUTPUT_HAS_FOREIGN_FILES", &|out| fs::write(out.join("notes.txt"), "mine").unwrap());
        check("KEY_LOCK_UNREADABLE", &|out| fs::write(out.join("keys.json"), "torn").unwrap());
        check("OUTPUT_UNREADABLE", &|out| {
            fs::remove_dir_all(out).unwrap();
            fs::write(out, "a file").unwrap();
        });
        let held = std::cell::RefCell::new(None);
        check("OUTPUT_BUSY", &|out| {
            let folder = File::open(out).unwrap();
            folder.lock().unwrap();
            held.replace(Some(folder));
        });
        assert_eq!(overtaken(|_| {}), (Status::Succeeded, Effects::Complete, None));
    }
}
