//! `list_changes`: the records of a repository's changes.

use forecheck::{Cleared, Settled};

use crate::Keeper;
use crate::desk::{Change, ChangeState, Desk};
use crate::generated::list_changes::{
    Answer, Output, OutputChangesItem as Listed, OutputChangesItemState as State, Verb,
};

impl Answer for Keeper {
    fn answer(desk: &Desk, call: Cleared<Verb<Self>>) -> Settled<Verb<Self>> {
        match desk.changes(call.seen().target()) {
            Ok(changes) => call.answered(&Output { changes: changes.into_iter().map(listed).collect() }),
            Err(trouble) => call.failed(trouble.to_string()),
        }
    }
}

fn listed((number, change): (u64, Change)) -> Listed {
    let state = match change.state {
        ChangeState::Open => State::Open,
        ChangeState::Landed => State::Landed,
        ChangeState::Abandoned => State::Abandoned,
    };
    Listed { change: number, branch: change.branch, title: change.title, state }
}
