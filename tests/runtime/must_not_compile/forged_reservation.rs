//! Nothing outside of the runtime makes a reserved call.
//!
//! Refused with E0423.

use changes::Desk;
use changes::generated::open_change;
use forecheck::{Cleared, Reserved};

pub fn forge(call: Cleared<open_change::Verb<Desk>>) -> Reserved<open_change::Verb<Desk>> {
    Reserved(call)
}
