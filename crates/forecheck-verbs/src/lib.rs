//! The verbs of Forecheck's own surface: what `spec/` says, as Rust.

#[rustfmt::skip]
#[expect(clippy::pedantic, reason = "generated for any project, which may lint as it likes")]
pub mod generated;
