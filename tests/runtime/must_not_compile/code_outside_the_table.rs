//! A refusal has a code of the table.
//!
//! Refused with E0599.

use changes::generated::open_change;

pub fn refuse() -> open_change::Refusal {
    open_change::Refusal::MadeUp
}
