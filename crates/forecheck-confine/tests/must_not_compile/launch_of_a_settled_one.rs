//! What has settled is not launched again.
//!
//! Refused with E0599.

use forecheck_confine::{Launched, Settled};

pub fn again(settled: Settled) -> Launched {
    settled.launch()
}
