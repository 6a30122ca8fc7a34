//! Where `cargo xtask bench` puts what we are compared with.

use std::path::{Path, PathBuf};

/// A place below the folder of the peers.
pub(crate) fn place(below: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../target/bench-peers")).join(below)
}
