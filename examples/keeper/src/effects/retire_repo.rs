//! `retire_repo`: an entry of the registry changes its state.

use forecheck::{Failed, Reserved, Settled};

use crate::Keeper;
use crate::desk::{Bench, Desk, Entry, State};
use crate::generated::facts::{Gather, RegistrationState};
use crate::generated::retire_repo::{Checks, Effect, Output, Refusal, Verb};
use crate::trouble::Trouble;

impl Effect for Keeper {
    fn apply(bench: &Bench, call: Reserved<Verb<Self>>) -> Settled<Verb<Self>> {
        let bench = match bench.lock() {
            Ok(bench) => bench,
            Err(trouble) => return call.nothing_happened(trouble.to_string()),
        };
        let target = call.seen().target();
        match still_without_changes(bench.desk, target) {
            Ok(Ok(())) => {}
            Ok(Err(failed)) => return call.declined(failed),
            Err(unavailable) => return call.nothing_happened(unavailable.to_string()),
        }
        match <Keeper as Gather>::registration(bench.desk, target).map(|found| found.state) {
            Ok(RegistrationState::Retired) => return call.declined(Refusal::RepoRetired),
            Ok(RegistrationState::Active | RegistrationState::Absent) => {}
            Err(unavailable) => return call.nothing_happened(unavailable.to_string()),
        }
        let missing = || Trouble::NotRegistered { repo: target.to_owned() };
        let retired = bench.desk.registry().and_then(|mut registry| {
            let entry = registry.repos.remove(target).ok_or_else(missing)?;
            bench.list(target, &Entry { state: State::Retired, ..entry.clone() })?;
            Ok(entry.path)
        });
        match retired {
            Ok(path) => call.succeeded(&Output { path }),
            Err(trouble) => call.nothing_happened(trouble.to_string()),
        }
    }
}

/// Another process may have opened changes since the call was checked.
fn still_without_changes(
    desk: &Desk,
    target: &str,
) -> Result<Result<(), Failed<Refusal>>, forecheck::FactUnavailable> {
    let open_changes = <Keeper as Gather>::open_changes(desk, target)?;
    let none = <Keeper as Checks>::changes_open(&open_changes);
    Ok(none.map_err(|failed| failed.map(Refusal::ChangesOpen)))
}
