//~ E0277
//! A cleared call is not read from text.

use changes::Desk;
use changes::generated::open_change;
use forecheck::Cleared;

pub fn read(text: &str) -> Option<Cleared<open_change::Verb<Desk>>> {
    serde_json::from_str(text).ok()
}
