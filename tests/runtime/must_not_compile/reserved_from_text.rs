//~ E0277
//! A reserved call is not read from text.

use changes::Desk;
use changes::generated::open_change;
use forecheck::Reserved;

pub fn read(text: &str) -> Option<Reserved<open_change::Verb<Desk>>> {
    serde_json::from_str(text).ok()
}
