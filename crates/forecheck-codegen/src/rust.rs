//! Rust: one module per verb, one enum of codes, the values that refusals carry.
//!
//! The output compiles alone, with `serde` and `serde_json`, before anybody wrote a check.

mod modules;
pub mod names;
pub mod predicate;
pub mod types;

pub(crate) use modules::generate;
