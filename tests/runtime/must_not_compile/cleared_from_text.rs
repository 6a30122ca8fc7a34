//! A cleared call is not read from text.
//!
//! Refused with E0277.

use changes::Desk;
use changes::generated::open_change;
use forecheck::Cleared;

pub fn read(text: &str) -> Option<Cleared<open_change::Verb<Desk>>> {
    serde_json::from_str(text).ok()
}
