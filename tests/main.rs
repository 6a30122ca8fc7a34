//! End to end: the program as its users run it, on real surfaces.

mod cli;
mod corpora;
mod output;
mod program;
mod refusals;
mod same_bytes;
