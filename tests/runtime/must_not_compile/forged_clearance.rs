//~ E0451
//! Nothing outside of the runtime makes a cleared call.

use changes::Desk;
use changes::generated::open_change;
use forecheck::Cleared;

pub fn forge() -> Cleared<open_change::Verb<Desk>> {
    Cleared { fresh: loop {} }
}
