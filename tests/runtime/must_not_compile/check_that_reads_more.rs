//! A check has the parameters that it declares, and no other.
//!
//! Refused with E0050.

use changes::generated::facts::{Freeze, Registry};
use changes::generated::land_change;
use forecheck::{Failed, Time};

pub struct Other;

impl land_change::Checks for Other {
    fn frozen(_now: Time, _freeze: &Freeze, _registry: &Registry) -> Result<(), Failed<()>> {
        Ok(())
    }
}
