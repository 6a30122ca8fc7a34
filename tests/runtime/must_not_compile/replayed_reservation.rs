//! A reserved call is used up by its effect.
//!
//! Refused with E0382.

use changes::generated::open_change;
use changes::{Act, Desk};
use forecheck::Reserved;

pub fn act_twice(act: &Act, call: Reserved<open_change::Verb<Desk>>) {
    drop(<Desk as open_change::Effect>::apply(act, call));
    drop(<Desk as open_change::Effect>::apply(act, call));
}
