//! The verbs of Forecheck's own surface: what `spec/` says, as Rust.

#[rustfmt::skip]
pub mod generated;
