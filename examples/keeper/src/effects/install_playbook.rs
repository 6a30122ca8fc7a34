//! `install_playbook`: a commit on the base branch, the first one if there is none.

use forecheck::{Reserved, Settled};

use super::{MOVED, NotAdvanced, PLAYBOOK, advance, half_way};
use crate::Keeper;
use crate::desk::{Bench, LockedBench};
use crate::generated::install_playbook::{Effect, Output, Refusal, Verb};
use crate::git::{Draft, Oid, Repository};
use crate::trouble::Trouble;

impl Effect for Keeper {
    fn apply(bench: &Bench, call: Reserved<Verb<Self>>) -> Settled<Verb<Self>> {
        let prepared = bench.lock().and_then(|bench| {
            Ok((Prepared::new(&bench, call.seen().target(), &call.input().playbook)?, bench))
        });
        let (Prepared { repository, base, from, commit }, _locked) = match prepared {
            Ok(prepared) => prepared,
            Err(trouble) => return call.nothing_happened(trouble.to_string()),
        };
        match advance(&repository, &base, from.as_deref(), &commit) {
            Ok(()) => call.succeeded(&Output { commit }),
            Err(NotAdvanced::Locked) => call.declined(Refusal::RepoLocked),
            Err(NotAdvanced::InTheWay(failed)) => call.declined(failed.map(Refusal::WorktreeDirty)),
            Err(NotAdvanced::Raced) => call.nothing_happened(MOVED),
            Err(NotAdvanced::Stopped(trouble)) => call.nothing_happened(trouble.to_string()),
            Err(NotAdvanced::HalfWay(trouble)) => call.partly(half_way(&base, &trouble)),
        }
    }
}

/// A commit with the playbook that no branch holds yet.
struct Prepared {
    repository: Repository,
    base: String,
    from: Option<Oid>,
    commit: Oid,
}

impl Prepared {
    fn new(bench: &LockedBench<'_>, target: &str, playbook: &str) -> Result<Prepared, Trouble> {
        let (entry, repository) = bench.desk.repository(target)?;
        let content = bench.desk.playbook(playbook)?;
        let from = repository.tip(&entry.base)?;
        let tree = repository.tree_with(from.as_deref(), &[(PLAYBOOK, &content)], &bench.scratch_index()?)?;
        let parents: Vec<&str> = from.iter().map(String::as_str).collect();
        let message = format!("Install the playbook {playbook}\n");
        let by = bench.desk.caller();
        let commit =
            repository.make_commit(Draft { tree: &tree, parents: &parents, message: &message, by })?;
        Ok(Prepared { repository, base: entry.base, from, commit })
    }
}
