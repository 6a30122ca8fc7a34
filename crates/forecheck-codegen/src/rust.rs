//! Rust: one module per verb, one enum of codes, the values that refusals carry.
//!
//! The output compiles alone, with `forecheck`, `serde` and `serde_json`, before anybody wrote a check.

mod checks;
mod dispatch;
mod docs;
mod examples;
mod facts;
mod modules;
pub mod names;
pub mod predicate;
mod refusal;
mod twins;
pub mod types;
mod verb;

pub(crate) use modules::generate;
