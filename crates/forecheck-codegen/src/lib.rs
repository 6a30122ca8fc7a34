//! Build time: a checked surface becomes files.
//!
//! [`generator`] holds the table of generators: pure functions from a surface and its table to
//! files in memory. [`folder`] is the rim: it compares them with what stands in an output folder
//! and changes it.

mod errors_json;
pub mod folder;
pub mod generator;
pub mod keys_json;
mod markdown;
pub mod rust;
mod schemas;
