//~ E0599
//! A refusal has a code of the table.

use changes::generated::open_change;

pub fn refuse() -> open_change::Refusal {
    open_change::Refusal::MadeUp
}
