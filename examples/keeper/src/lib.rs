//! Keeper looks after git repositories that are listed in a registry: a surface of Forecheck from end to
//! end, with real repositories behind it.
//!
//! `checks/` decides and does nothing else, `gather/` reads, `effects/` acts. [`git`] is the only module
//! that starts a program, [`desk`] the only one that knows the files of a desk.

pub mod checks;
pub mod desk;
mod effects;
mod gather;
#[rustfmt::skip]
#[expect(clippy::pedantic, reason = "generated for any project, which may lint as it likes")]
pub mod generated;
pub mod git;
pub mod program;
pub mod trouble;
mod world;

pub use world::Keeper;
