//! Only the order of a call claims it in the ledger.
//!
//! Refused with E0624.

use changes::Desk;
use changes::generated::open_change;
use forecheck::Cleared;

pub fn reserve(call: Cleared<open_change::Verb<Desk>>) {
    drop(call.reserve(&()));
}
