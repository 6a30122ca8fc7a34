//! End to end: the program as its users run it, on real surfaces.

#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that cannot prepare its scene, or meets another answer, has failed"
)]

mod cases;
mod cli;
mod corpora;
mod hostile;
mod init;
mod ledger;
mod oracles;
mod output;
mod program;
mod published_schemas;
mod refusals;
mod same_bytes;
mod soaks;
