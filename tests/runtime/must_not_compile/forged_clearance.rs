//! Nothing outside of the runtime makes a cleared call.
//!
//! Refused with E0451.

use changes::Desk;
use changes::generated::open_change;
use forecheck::Cleared;

pub fn forge() -> Cleared<open_change::Verb<Desk>> {
    Cleared { fresh: loop {} }
}
