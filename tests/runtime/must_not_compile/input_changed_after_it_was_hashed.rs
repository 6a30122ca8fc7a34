//! What was hashed is what is checked: a host that gathers facts cannot change the input.
//!
//! Refused with E0594.

use changes::Desk;
use changes::generated::open_change;
use forecheck::Seen;

pub fn change(seen: &Seen<open_change::Verb<Desk>>) {
    seen.input().title = String::new();
}
