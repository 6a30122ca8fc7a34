//! The world of the verbs: what may be read, and what may be acted through.

use std::path::PathBuf;
use std::sync::Arc;

use forecheck::{Host, MemoryLedger, World};

/// The boards of one folder, a folder each.
#[derive(Debug)]
pub struct Disk;

impl World for Disk {
    type Read = PathBuf;
    type Act = PathBuf;
}

/// Where calls run on behalf of `scope`. What it remembers of them ends with the process.
pub fn host(boards: PathBuf, scope: &str) -> Host<Disk> {
    Host {
        read: boards.clone(),
        act: boards,
        ledger: Arc::new(MemoryLedger::new()),
        scope: scope.to_owned(),
    }
}
