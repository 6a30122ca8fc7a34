//! A cleared call has no second.
//!
//! Refused with E0599.

use changes::Desk;
use changes::generated::open_change;
use forecheck::Cleared;

pub fn twice(call: Cleared<open_change::Verb<Desk>>) -> [Cleared<open_change::Verb<Desk>>; 2] {
    [call.clone(), call]
}
