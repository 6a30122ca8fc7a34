//! A preparation is not built by hand.
//!
//! Refused with E0451.

use forecheck_confine::{LaunchFacts, Prepared};

pub fn forged(prepared: Prepared, facts: LaunchFacts) -> Prepared {
    Prepared { facts, ..prepared }
}
