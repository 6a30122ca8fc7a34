//! `open_change`: a branch with one commit beside the work tree, and the record of the change.

use forecheck::{Doubtful, Failed, Look, Reserved, Settled};

use crate::Keeper;
use crate::desk::{Bench, Change, ChangeState, Desk, LockedBench};
use crate::generated::details::BranchExists;
use crate::generated::facts::{Gather, RegistrationState};
use crate::generated::open_change::{Checks, Effect, Output, Probe, Refusal, Verb};
use crate::git::{Draft, Raced, Repository};
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
        let prepared = match Prepared::new(&bench, &call) {
            Ok(prepared) => prepared,
            Err(trouble) => return call.nothing_happened(trouble.to_string()),
        };
        let branch = &prepared.change.branch;
        match prepared.repository.move_branch(branch, None, &prepared.change.commit) {
            Ok(()) => {}
            Err(Raced::Moved) => {
                let refusal = Refusal::BranchExists(BranchExists { branch: branch.clone() });
                return call.declined(refusal);
            }
            Err(Raced::Trouble(trouble)) => return call.nothing_happened(trouble.to_string()),
        }
        match bench.record(&prepared.change) {
            Ok(change) => call.succeeded(&Output { change, commit: prepared.change.commit }),
            Err(trouble) => {
                call.partly(format!("the branch `{branch}` is there, its record is not: {trouble}"))
            }
        }
    }
}

impl Probe for Keeper {
    /// A call that was stopped between the branch and its record is left to people. A git that outlives its keeper
    /// has a minute to make the branch.
    fn find_change(desk: &Desk, call: &Doubtful<Verb<Self>>) -> Look<Output> {
        match trace(desk, call.target(), &call.input().branch, &call.key().to_string()) {
            Ok(look) => look,
            Err(trouble) => Look::Unknown(trouble.to_string()),
        }
    }
}

fn trace(desk: &Desk, target: &str, branch: &str, key: &str) -> Result<Look<Output>, Trouble> {
    if let Some((number, change)) =
        desk.changes(target)?.into_iter().find(|(_, change)| change.call == key && change.by == desk.caller())
    {
        return Ok(Look::Landed(Output { change: number, commit: change.commit }));
    }
    let (_, repository) = desk.repository(target)?;
    Ok(match repository.tip(branch)? {
        Some(_) => Look::Unknown(format!("the branch `{branch}` is there, and no record says who made it")),
        None => Look::Absent,
    })
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
    change: Change,
}

impl Prepared {
    fn new(bench: &LockedBench<'_>, call: &Reserved<Verb<Keeper>>) -> Result<Prepared, Trouble> {
        let (target, input) = (call.seen().target(), call.input());
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
            commit,
            call: call.key().to_string(),
            state: ChangeState::Open,
            note: input.note.clone(),
        };
        Ok(Prepared { repository, change })
    }
}
