//! `register_repo`: an entry of the registry.

use forecheck::{Reserved, Settled};

use crate::Keeper;
use crate::desk::{Bench, Entry, State};
use crate::generated::register_repo::{Effect, Output, Refusal, Verb};
use crate::git::Repository;

const BASE: &str = "main";

impl Effect for Keeper {
    fn apply(bench: &Bench, call: Reserved<Verb<Self>>) -> Settled<Verb<Self>> {
        let bench = match bench.lock() {
            Ok(bench) => bench,
            Err(trouble) => return call.nothing_happened(trouble.to_string()),
        };
        let (target, input) = (call.seen().target(), call.input());
        match bench.desk.registry().map(|registry| registry.repos.contains_key(target)) {
            Ok(false) => {}
            Ok(true) => return call.declined(Refusal::RepoAlreadyRegistered),
            Err(trouble) => return call.nothing_happened(trouble.to_string()),
        }
        let entry = Entry {
            path: input.path.clone(),
            base: input.base.as_deref().unwrap_or(BASE).to_owned(),
            state: State::Active,
        };
        let listed = Repository::at(&bench.desk.resolve(&entry.path)).and_then(|repository| {
            bench.list(target, &entry)?;
            Ok(repository.path().display().to_string())
        });
        match listed {
            Ok(path) => call.succeeded(&Output { path }),
            Err(trouble) => call.nothing_happened(trouble.to_string()),
        }
    }
}
