//! `open_change`: a branch with one commit beside the work tree, and the record of the change.

use forecheck::{Failed, Reserved, Settled};

use crate::Keeper;
use crate::desk::{Bench, Change, ChangeState, Desk, LockedBench};
use crate::generated::details::BranchExists;
use crate::generated::facts::{Gather, RegistrationState};
use crate::generated::open_change::{Checks, Effect, Input, Output, Refusal, Verb};
use crate::git::{Draft, Oid, Raced, Repository};
use crate::trouble::Trouble;

impl Effect for Keeper {
    fn apply(bench: &Bench, call: Reserved<Verb<Self>>) -> Settled<Verb<Self>> {
        let bench = match bench.lock() {
            Ok(bench) => bench,
            Err(trouble) => return call.nothing_happened(trouble.to_string()),
        };
        match still_room(bench.desk, call.seen().target()) {
            Ok(Ok(())) => {}
            Ok(Err(failed)) => return call.declined(failed),
            Err(unavailable) => return call.nothing_happened(unavailable.to_string()),
        }
        let prepared = match Prepared::new(&bench, call.seen().target(), call.input()) {
            Ok(prepared) => prepared,
            Err(trouble) => return call.nothing_happened(trouble.to_string()),
        };
        let branch = &prepared.change.branch;
        match prepared.repository.move_branch(branch, None, &prepared.commit) {
            Ok(()) => {}
            Err(Raced::Moved) => {
                let refusal = Refusal::BranchExists(BranchExists { branch: branch.clone() });
                return call.declined(refusal);
            }
            Err(Raced::Trouble(trouble)) => return call.nothing_happened(trouble.to_string()),
        }
        match bench.record(&prepared.change) {
            Ok(change) => call.succeeded(&Output { change, commit: prepared.commit }),
            Err(trouble) => {
                call.partly(format!("the branch `{branch}` is there, its record is not: {trouble}"))
            }
        }
    }
}

/// Another process may have opened changes since the call was checked, or retired the repository.
fn still_room(desk: &Desk, target: &str) -> Result<Result<(), Failed<Refusal>>, forecheck::FactUnavailable> {
    if <Keeper as Gather>::registration(desk, target)?.state == RegistrationState::Retired {
        return Ok(Err(Refusal::RepoRetired.into()));
    }
    let open_changes = <Keeper as Gather>::open_changes(desk, target)?;
    let room = <Keeper as Checks>::change_limit_reached(&open_changes);
    Ok(room.map_err(|failed| failed.map(Refusal::ChangeLimitReached)))
}

/// A change whose commit is made, and that nobody can see yet.
struct Prepared {
    repository: Repository,
    commit: Oid,
    change: Change,
}

impl Prepared {
    fn new(bench: &LockedBench<'_>, target: &str, input: &Input) -> Result<Prepared, Trouble> {
        let (entry, repository) = bench.desk.repository(target)?;
        let gone = || Trouble::BranchGone { branch: entry.base.clone() };
        let base_commit = repository.tip(&entry.base)?.ok_or_else(gone)?;
        let files: Vec<_> =
            input.files.iter().map(|file| (file.path.as_str(), file.content.as_bytes())).collect();
        let tree = repository.tree_with(Some(&base_commit), &files, &bench.scratch_index()?)?;
        let by = bench.desk.caller().to_owned();
        let (parents, message) = ([base_commit.as_str()], format!("{}\n", input.title));
        let commit =
            repository.make_commit(Draft { tree: &tree, parents: &parents, message: &message, by: &by })?;
        let change = Change {
            repo: target.to_owned(),
            branch: input.branch.clone(),
            title: input.title.clone(),
            by,
            contract: input.contract.clone(),
            base: entry.base,
            base_commit,
            state: ChangeState::Open,
            note: input.note.clone(),
        };
        Ok(Prepared { repository, commit, change })
    }
}
