//! A read-only verb answers only what was cleared.
//!
//! Refused with E0308.

use std::sync::Mutex;

use changes::generated::{list_changes, set_mode};
use changes::{Desk, State};
use forecheck::Reserved;

pub fn answer(read: &Mutex<State>, call: Reserved<set_mode::Verb<Desk>>) {
    drop(<Desk as list_changes::Answer>::answer(read, call));
}
