//! Nobody gives a verb another order of checks.
//!
//! Refused with E0117.

use changes::Desk;
use changes::generated::open_change;

impl forecheck::Effectful for open_change::Verb<Desk> {}
