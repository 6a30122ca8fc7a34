//! The verbs in `spec/`, and the world in which they act.

mod checks;
mod effects;
mod gatherers;
pub mod world;

#[rustfmt::skip]
pub mod generated;
