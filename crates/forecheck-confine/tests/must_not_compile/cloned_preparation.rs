//! There is no second copy of a preparation.
//!
//! Refused with E0308.

use forecheck_confine::Prepared;

pub fn copy(prepared: &Prepared) -> Prepared {
    prepared.clone()
}
