//! What was to be confined is not launched directly.
//!
//! Refused with E0308.

use forecheck_confine::{Confined, Launcher, Prepared, Refused};

pub fn direct(launcher: &Launcher, confined: Confined) -> Result<Prepared, Box<Refused>> {
    launcher.direct(confined)
}
