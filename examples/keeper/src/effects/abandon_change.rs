//! `abandon_change`: the branch goes, unless it is checked out; the record stays.

use forecheck::{Reserved, Settled};

use super::MOVED;
use crate::Keeper;
use crate::desk::{Bench, ChangeState};
use crate::generated::abandon_change::{Effect, Output, Refusal, Verb};
use crate::generated::checks::Checks as SharedChecks;
use crate::generated::facts::Gather;
use crate::git::{Oid, Raced, Repository};
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
        let found = bench.desk.repository(target).and_then(|(_, repository)| {
            let change = bench.open_change(target, number)?;
            let tip = deletable(&repository, &change.branch)?;
            Ok((repository, change, tip))
        });
        let (repository, change, tip) = match found {
            Ok(found) => found,
            Err(trouble) => return call.nothing_happened(trouble.to_string()),
        };
        let deleted = tip.as_ref().map(|tip| repository.delete_branch(&change.branch, tip)).transpose();
        match deleted {
            Ok(_) => {}
            Err(Raced::Moved) => return call.nothing_happened(MOVED),
            Err(Raced::Trouble(trouble)) => return call.nothing_happened(trouble.to_string()),
        }
        match bench.set_state(number, change, ChangeState::Abandoned) {
            Ok(()) => call.succeeded(&Output { branch_deleted: tip.is_some() }),
            Err(trouble) if tip.is_some() => {
                call.partly(format!("the branch is gone, the record says that it is open: {trouble}"))
            }
            Err(trouble) => call.nothing_happened(trouble.to_string()),
        }
    }
}

/// Where the branch is, if it may go.
fn deletable(repository: &Repository, branch: &str) -> Result<Option<Oid>, Trouble> {
    if repository.is_checked_out(branch)? { Ok(None) } else { repository.tip(branch) }
}
