//! `caller`: who calls, and what the registry lets them do.

use crate::desk::Desk;
use crate::generated::facts::Caller;
use crate::trouble::Trouble;

pub(super) fn gather(desk: &Desk) -> Result<Caller, Trouble> {
    let person = desk.registry()?.people.remove(desk.caller()).unwrap_or_default();
    Ok(Caller { name: desk.caller().to_owned(), operator: person.operator, repos: person.repos })
}
