//! `forecheck init`: the verb `init`.

use std::path::Path;

use forecheck::{Failed, Reserved, Settled};
use forecheck_verbs::generated::facts::NewFolder;
use forecheck_verbs::generated::init::{self, Checks, Input, Output, Refusal};

use super::{shown, text, word};
use crate::answer::{Exit, Failure, deliver};
use crate::arguments::InitArguments;
use crate::skeleton;
use crate::terminal::{count, lines_visible};
use crate::world::{Disk, Unfilled, Writing, fill, host, look};

pub(crate) fn run(arguments: &InitArguments) -> Result<Exit, Failure> {
    let input = Input {
        folder: text(&arguments.folder)?,
        name: arguments.name.clone().unwrap_or_else(|| name_of(&arguments.folder)),
        forecheck: arguments.forecheck.as_deref().map(text).transpose()?,
    };
    let host = host();
    let outcome = init::call(&host, &serde_json::to_vec(&input)?);
    host.act.progress.end();
    deliver(&outcome, arguments.json, |_| false, |output: &Output| Ok(in_words(&input, output)))
}

/// The last part of where a folder lies; nothing where it has none.
fn name_of(folder: &Path) -> String {
    let real = folder.canonicalize().or_else(|_| std::path::absolute(folder)).unwrap_or_default();
    real.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

impl init::Effect for Disk {
    fn apply(act: &Writing, call: Reserved<init::Verb<Disk>>) -> Settled<init::Verb<Disk>> {
        let path = call.facts().runtime_crate.as_ref().and_then(|found| found.path.as_deref());
        let planned = skeleton::dependency(path).and_then(|dependency| {
            let files = skeleton::files(&call.input().name, &dependency)?;
            Ok((dependency, files))
        });
        let (dependency, files) = match planned {
            Ok(planned) => planned,
            Err(error) => return call.nothing_happened(error.to_string()),
        };
        act.progress.step("writing");
        let folder = Path::new(&call.input().folder);
        let unfilled = match fill(folder, &files) {
            Ok(written) => {
                let written = written.iter().map(|path| shown(path)).collect();
                return call.succeeded(&Output { written, dependency });
            }
            Err(unfilled) => unfilled,
        };
        let Unfilled { left, .. } = &unfilled;
        if !left.is_empty() {
            return call.partly(unfilled.to_string());
        }
        match judge(&call.input().folder, &look(folder)) {
            Err(refusal) => call.declined(refusal),
            Ok(()) => call.nothing_happened(unfilled.to_string()),
        }
    }
}

/// The checks of the folder once more, over what stands in the way of the effect.
fn judge(folder: &str, found: &NewFolder) -> Result<(), Failed<Refusal>> {
    Disk::folder_unwritable(folder, found).map_err(|failed| failed.map(Refusal::FolderUnwritable))?;
    Disk::folder_not_empty(folder, found).map_err(|failed| failed.map(Refusal::FolderNotEmpty))
}

/// What was written, what Cargo will ask for, and what to type next.
fn in_words(input: &Input, output: &Output) -> String {
    let folder = lines_visible(&input.folder);
    let below = |path: &String| {
        let path = Path::new(path);
        shown(path.strip_prefix(&input.folder).unwrap_or(path))
    };
    let is_generated = |path: &String| path.split('/').any(|part| part == "generated");
    let (generated, own): (Vec<String>, Vec<String>) =
        output.written.iter().map(below).partition(is_generated);
    let change_folder = match &*folder {
        "." => String::new(),
        folder => format!("  cd {}\n", word(folder)),
    };
    format!(
        "{folder}: {} written, {} of them generated\n  {}\n\n\
         Cargo.toml says `forecheck = {}`: {}\n\n\
         next:\n{change_folder}  cargo test\n  forecheck check --deny-warnings\n  \
         forecheck gen --rust {} --check\n",
        count(output.written.len() as u64, "file"),
        generated.len(),
        own.join("\n  "),
        lines_visible(&output.dependency),
        note(input),
        skeleton::RUST,
    )
}

/// What the dependency needs of whoever builds the project.
fn note(input: &Input) -> &'static str {
    if input.forecheck.is_some() {
        "a folder of this machine.\nCI and other machines need one of their own, or a version or Git repository in its place."
    } else {
        "Cargo looks for it in its registry.\nWhere it finds none, write `forecheck = { path = \"...\" }` with the folder crates/forecheck of a checkout."
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use forecheck::outcome::{Effects, Status};

    use super::*;
    use crate::world::{OwnLedger, host_with};

    /// A call before whose effect, but after whose checks, `meanwhile` happens to the folder; and the names
    /// that stand in the folder afterwards.
    fn overtaken(meanwhile: impl FnOnce(&Path)) -> (Status, Effects, Option<String>, Vec<String>) {
        let folder = tempfile::tempdir().unwrap();
        let input =
            Input { folder: text(folder.path()).unwrap(), name: "keeper".to_owned(), forecheck: None };
        let effect = |act: &Writing, call| {
            meanwhile(folder.path());
            <Disk as init::Effect>::apply(act, call)
        };
        let text = serde_json::to_vec(&input).unwrap();
        let outcome = forecheck::run::<init::Verb<Disk>>(&text, &host_with(OwnLedger::Process), effect);
        let code = outcome.refusal.map(|refusal| refusal.code);
        (outcome.status, outcome.effects_of_this_call, code, look(folder.path()).entries)
    }

    #[test]
    fn what_appeared_since_the_checks_stays_and_is_what_the_call_is_refused_for() {
        let elsewhere = tempfile::tempdir().unwrap();
        let check = |name: &str, meanwhile: &dyn Fn(&Path)| {
            let expected =
                (Status::Refused, Effects::None, Some("FOLDER_NOT_EMPTY".to_owned()), vec![name.to_owned()]);
            assert_eq!(overtaken(meanwhile), expected);
        };
        check("README.md", &|folder| fs::write(folder.join("README.md"), "mine").unwrap());
        check("tests", &|folder| fs::create_dir(folder.join("tests")).unwrap());
        check("src", &|folder| std::os::unix::fs::symlink(elsewhere.path(), folder.join("src")).unwrap());
        assert_eq!(look(elsewhere.path()).entries, [""; 0]);

        let (status, effects, code, entries) = overtaken(|_| {});
        assert_eq!((status, effects, code), (Status::Succeeded, Effects::Complete, None));
        assert_eq!(entries.len(), 9);
    }
}
