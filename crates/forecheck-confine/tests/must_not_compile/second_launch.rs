//! A preparation is used up by its launch.
//!
//! Refused with E0382.

use forecheck_confine::{Prepared, Settled};

pub fn twice(prepared: Prepared) -> [Settled; 2] {
    [prepared.launch().settle(), prepared.launch().settle()]
}
