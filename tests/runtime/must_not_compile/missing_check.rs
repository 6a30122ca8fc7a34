//! A declared constraint without its check is no program.
//!
//! Refused with E0046.

use changes::generated::land_change;

pub struct Other;

impl land_change::Checks for Other {}
