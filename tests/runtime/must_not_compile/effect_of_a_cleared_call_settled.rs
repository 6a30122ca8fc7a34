//! A call that was not reserved cannot be settled as if it had acted.
//!
//! Refused with E0599.

use changes::Desk;
use changes::generated::set_mode;
use forecheck::Cleared;

pub fn settle(call: Cleared<set_mode::Verb<Desk>>) {
    drop(call.answered(&serde_json::Value::Null));
}
