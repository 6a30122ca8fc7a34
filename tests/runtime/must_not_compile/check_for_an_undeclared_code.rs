//! A check for a code that the spec does not have has no place.
//!
//! Refused with E0407.

use changes::generated::facts::Freeze;
use changes::generated::land_change;
use forecheck::{Failed, Time};

pub struct Other;

impl land_change::Checks for Other {
    fn frozen(_now: Time, _freeze: &Freeze) -> Result<(), Failed<()>> {
        Ok(())
    }

    fn made_up(_now: Time) -> Result<(), Failed<()>> {
        Ok(())
    }
}
