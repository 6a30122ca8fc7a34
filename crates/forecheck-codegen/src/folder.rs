//! Output folders: what stands in them, what a run would change, and the change itself.
//!
//! The one module of this crate that touches the file system. A folder is listed once; the
//! comparison made from the listing is data; only [`Outputs::replace`] changes anything. Every file
//! of every folder is first written beside its place; then all are renamed over theirs. So each is
//! whole at any instant. The manifest covers old and new files while the renaming goes on, so a run
//! that is killed leaves nothing that the next one would take for somebody else's.

mod drift;
mod listing;
mod lock;
mod manifest;
mod outputs;
mod places;
mod plan;
mod write;

pub use drift::{Drift, DriftState};
pub use listing::FolderError;
pub use lock::may_write;
pub use manifest::with_manifest;
pub use outputs::{Destination, Outputs, Stopped};
pub use write::{WriteError, Written};

/// The name of the manifest in an output folder.
const MANIFEST: &str = "manifest.json";

/// The name of the folder in which files are staged before they are renamed into place.
const STAGING: &str = ".forecheck-staging";
