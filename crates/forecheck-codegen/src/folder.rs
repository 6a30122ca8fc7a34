//! Output folders: what stands in them, what a run would change, and the change itself.
//!
//! The one module of this crate that touches the file system. A folder is listed once; the
//! [`Plan`] made from the listing is data; only [`Plan::write`] changes anything. Every file is
//! first written beside its place and then renamed over it, so each is whole at any instant, and
//! the manifest covers old and new files while the renaming goes on, so a run that is killed leaves
//! nothing that the next one would take for somebody else's.

mod drift;
mod listing;
mod manifest;
mod outputs;
mod plan;
mod write;

pub use drift::{Drift, DriftState};
pub use listing::{Folder, FolderError};
pub use outputs::{Destination, Outputs};
pub use plan::Plan;
pub use write::{Lock, LockError, WriteError, Written};

/// The name of the manifest in an output folder.
pub const MANIFEST: &str = "manifest.json";

/// The name of the folder in which files are staged before they are renamed into place.
const STAGING: &str = ".forecheck-staging";
