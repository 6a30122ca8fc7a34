//! The world of keeper: gatherers read a desk, effects act at a bench.

use forecheck::World;

use crate::desk::{Bench, Desk};

/// Desks and repositories on this machine.
#[derive(Debug)]
pub struct Keeper;

impl World for Keeper {
    type Read = Desk;
    type Act = Bench;
}
