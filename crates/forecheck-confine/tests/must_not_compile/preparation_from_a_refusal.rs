//! A refusal does not become a launch.
//!
//! Refused with E0277.

use forecheck_confine::{Prepared, Refused};

pub fn again(refused: Refused) -> Prepared {
    refused.into()
}
