//! A reserved call has no second.
//!
//! Refused with E0599.

use changes::Desk;
use changes::generated::open_change;
use forecheck::Reserved;

pub fn twice(call: Reserved<open_change::Verb<Desk>>) -> [Reserved<open_change::Verb<Desk>>; 2] {
    [call.clone(), call]
}
