//! A call that is only cleared does not open an effect.
//!
//! Refused with E0308.

use changes::generated::open_change;
use changes::{Act, Desk};
use forecheck::Cleared;

pub fn act(act: &Act, call: Cleared<open_change::Verb<Desk>>) {
    drop(<Desk as open_change::Effect>::apply(act, call));
}
