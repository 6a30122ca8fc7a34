//~ E0599
//! A reserved call has no second.

use changes::Desk;
use changes::generated::open_change;
use forecheck::Reserved;

pub fn twice(call: Reserved<open_change::Verb<Desk>>) -> [Reserved<open_change::Verb<Desk>>; 2] {
    [call.clone(), call]
}
