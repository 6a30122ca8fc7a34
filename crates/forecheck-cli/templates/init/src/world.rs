//! The world of the verbs: what may be read, and what may be acted through.

use std::path::PathBuf;
use std::sync::Arc;

use forecheck::{Host, Ledger, World};

/// The boards of one folder, a folder each.
#[derive(Debug)]
pub struct Disk;

impl World for Disk {
    type Read = PathBuf;
    type Act = PathBuf;
}

/// Where calls run on behalf of `scope`. The ledger remembers them.
pub fn host(boards: PathBuf, ledger: Arc<dyn Ledger>, scope: &str) -> Host<Disk> {
    Host {
        read: boards.clone(),
        act: boards,
        ledger,
        scope: scope.to_owned(),
    }
}
