//! A surface as a stranger writes it: one world, its checks, its gatherers, its effects.

mod desk;
#[rustfmt::skip]
#[expect(clippy::pedantic, reason = "generated for any project, which may lint as it likes")]
pub mod generated;

pub use desk::{Act, Desk, End, Landing, State, desk_with, held};
