//! `land_change`: the base branch moves to the change, or to a merge of both.

use forecheck::{Reserved, Settled};

use super::{NotAdvanced, advance, half_way};
use crate::Keeper;
use crate::desk::{Bench, Change, ChangeState, LockedBench};
use crate::generated::checks::Checks as SharedChecks;
use crate::generated::facts::Gather;
use crate::generated::land_change::{Effect, InputHow, Output, Refusal, Verb};
use crate::git::{Draft, Oid, Repository};
use crate::trouble::Trouble;

impl Effect for Keeper {
    fn apply(bench: &Bench, call: Reserved<Verb<Self>>) -> Settled<Verb<Self>> {
        let bench = match bench.lock() {
            Ok(bench) => bench,
            Err(trouble) => return call.nothing_happened(trouble.to_string()),
        };
        let (target, number) = (call.seen().target(), call.input().change);
        match <Keeper as Gather>::change(bench.desk, target, number)
            .map(|fact| Keeper::change_not_open(&fact))
        {
            Ok(Ok(())) => {}
            Ok(Err(failed)) => return call.declined(failed.map(Refusal::ChangeNotOpen)),
            Err(unavailable) => return call.nothing_happened(unavailable.to_string()),
        }
        let merges = call.input().how == Some(InputHow::Merge);
        let Landing { repository, change, commit } = match Landing::new(&bench, target, number, merges) {
            Ok(landing) => landing,
            Err(trouble) => return call.nothing_happened(trouble.to_string()),
        };
        match advance(&repository, &change.base, Some(&change.base_commit), &commit) {
            Ok(()) => {}
            Err(NotAdvanced::Locked) => return call.declined(Refusal::RepoLocked),
            Err(NotAdvanced::InTheWay(failed)) => {
                return call.declined(failed.map(Refusal::WorktreeDirty));
            }
            Err(NotAdvanced::Raced) => return call.declined(Refusal::BaseMoved),
            Err(NotAdvanced::Stopped(trouble)) => return call.nothing_happened(trouble.to_string()),
            Err(NotAdvanced::HalfWay(trouble)) => return call.partly(half_way(&change.base, &trouble)),
        }
        match bench.set_state(number, change, ChangeState::Landed) {
            Ok(()) => call.succeeded(&Output { commit }),
            Err(trouble) => {
                call.partly(format!("the change has landed, its record says that it is open: {trouble}"))
            }
        }
    }
}

/// A change, and the commit that its base branch is to move to.
struct Landing {
    repository: Repository,
    change: Change,
    commit: Oid,
}

impl Landing {
    fn new(bench: &LockedBench<'_>, target: &str, number: u64, merges: bool) -> Result<Landing, Trouble> {
        let (_, repository) = bench.desk.repository(target)?;
        let change = bench.open_change(target, number)?;
        let gone = || Trouble::BranchGone { branch: change.branch.clone() };
        let tip = repository.tip(&change.branch)?.ok_or_else(gone)?;
        let commit = if merges {
            // The branch builds on the base, so its files are those of the merge.
            repository.make_commit(Draft {
                tree: &repository.tree_of(&tip)?,
                parents: &[&change.base_commit, &tip],
                message: &format!("Merge change {number}: {}\n", change.title),
                by: bench.desk.caller(),
            })?
        } else {
            tip
        };
        Ok(Landing { repository, change, commit })
    }
}
