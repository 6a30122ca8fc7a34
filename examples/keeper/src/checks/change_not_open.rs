//! `CHANGE_NOT_OPEN`

use forecheck::Failed;

use crate::generated::details::ChangeNotOpen;
use crate::generated::facts::{Change, ChangeRecordState as State};

pub(super) fn check(change: &Change) -> Result<(), Failed<ChangeNotOpen>> {
    let state = match change.record.as_ref().map(|record| record.state) {
        None | Some(State::Open) => return Ok(()),
        Some(State::Landed) => "landed",
        Some(State::Abandoned) => "abandoned",
    };
    Err(ChangeNotOpen { state: state.to_owned() }.into())
}
