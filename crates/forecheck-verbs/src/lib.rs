//! The verbs of Forecheck's own surface: what `spec/` says, as Rust, and the checks of its constraints.

pub mod checks;
#[rustfmt::skip]
#[expect(clippy::pedantic, reason = "generated for any project, which may lint as it likes")]
pub mod generated;
