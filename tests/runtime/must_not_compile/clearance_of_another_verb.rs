//! A call of one verb does not open the effect of another.
//!
//! Refused with E0308.

use changes::generated::{open_change, set_mode};
use changes::{Act, Desk};
use forecheck::Reserved;

pub fn act(act: &Act, call: Reserved<set_mode::Verb<Desk>>) {
    drop(<Desk as open_change::Effect>::apply(act, call));
}
