//~ E0117
//! Nobody gives a verb another order of checks.

use changes::Desk;
use changes::generated::open_change;

impl forecheck::Effectful for open_change::Verb<Desk> {}
