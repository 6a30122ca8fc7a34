//! A boundary is not launched before it is prepared.
//!
//! Refused with E0599.

use forecheck_confine::{Confined, Launched};

pub fn launch(confined: Confined) -> Launched {
    confined.launch()
}
