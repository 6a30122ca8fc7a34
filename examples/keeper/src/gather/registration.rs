//! `registration`: what the registry says of the repository.

use crate::desk::{Desk, State};
use crate::generated::facts::{Registration, RegistrationState};
use crate::trouble::Trouble;

pub(super) fn gather(desk: &Desk, target: &str) -> Result<Registration, Trouble> {
    let state = match desk.registry()?.repos.get(target).map(|entry| entry.state) {
        None => RegistrationState::Absent,
        Some(State::Active) => RegistrationState::Active,
        Some(State::Retired) => RegistrationState::Retired,
    };
    Ok(Registration { state })
}
