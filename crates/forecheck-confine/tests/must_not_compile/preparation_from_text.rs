//! A preparation is not read from text.
//!
//! Refused with E0277.

use forecheck_confine::Prepared;

pub fn read(text: &str) -> Prepared {
    serde_json::from_str(text).unwrap()
}
