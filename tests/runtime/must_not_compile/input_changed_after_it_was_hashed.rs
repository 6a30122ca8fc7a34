//! What was hashed is what is checked: a host that gathers facts cannot change the input.
//!
//! Refused with E0594.

use changes::Desk;
use changes::generated::open_change;
use forecheck::Pending;

pub fn change(pending: &mut Pending<open_change::Verb<Desk>>) {
    pending.seen().input().title = String::new();
}
