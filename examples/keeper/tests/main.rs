//! Keeper as its users run it: real repositories, hostile ones, in folders of their own.

#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that cannot prepare its scene, or meets another answer, has failed"
)]

mod effects;
mod examples;
mod hostile;
mod processes;
mod program;
mod readme;
mod refusals;
mod scene;
mod table;
mod twins;
