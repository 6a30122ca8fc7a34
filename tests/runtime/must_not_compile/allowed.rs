//! What every other file here differs from in one thing: this compiles.

use changes::generated::facts::Freeze;
use changes::generated::{land_change, open_change};
use changes::{Act, Desk};
use forecheck::{Failed, Reserved, Settled, Time, World};

pub fn act_once(act: &Act, call: Reserved<open_change::Verb<Desk>>) -> Settled<open_change::Verb<Desk>> {
    <Desk as open_change::Effect>::apply(act, call)
}

pub struct Other;

impl World for Other {
    type Read = ();
    type Act = ();
}

impl land_change::Checks for Other {
    fn frozen(now: Time, freeze: &Freeze) -> Result<(), Failed<()>> {
        let _ = (now, freeze);
        Ok(())
    }
}
