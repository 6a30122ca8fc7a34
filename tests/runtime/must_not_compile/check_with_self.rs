//! A check has nothing to hold on to between two calls.
//!
//! Refused with E0185.

use changes::generated::facts::Freeze;
use changes::generated::land_change;
use forecheck::{Failed, Time};

pub struct Other;

impl land_change::Checks for Other {
    fn frozen(&self, _now: Time, _freeze: &Freeze) -> Result<(), Failed<()>> {
        Ok(())
    }
}
