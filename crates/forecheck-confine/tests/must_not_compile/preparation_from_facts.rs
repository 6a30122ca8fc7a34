//! Facts are about a launch, and do not become one.
//!
//! Refused with E0277.

use forecheck_confine::{LaunchFacts, Prepared};

pub fn again(facts: LaunchFacts) -> Prepared {
    facts.into()
}
