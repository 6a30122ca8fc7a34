//! End to end: the program as its users run it, on real surfaces.

#![expect(clippy::unwrap_used, reason = "a test that cannot prepare its scene has failed")]

mod cli;
mod corpora;
mod output;
mod program;
mod published_schemas;
mod refusals;
mod same_bytes;
