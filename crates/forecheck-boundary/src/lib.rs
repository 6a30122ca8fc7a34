//! What a confined child may do, as data: grants, protections, modes, preferences, and which grant
//! covers which.
//!
//! Nothing here looks at a file system, a clock or a process, and nothing depends on the system that it
//! is built for: a path is a list of components, and whether it is canonical is for whoever made it.
//!
//! ```
//! use forecheck_boundary::{AbsolutePath, Access, Coverage, Extent, Grant, Level, Protection};
//!
//! let repository = AbsolutePath::parse("/home/me/repository")?;
//! let metadata = AbsolutePath::parse("/home/me/repository/.git")?;
//! let coverage = Coverage {
//!     writable_roots: vec![repository.clone()],
//!     protections: vec![Protection { path: metadata.clone(), level: Level::ReadOnly }],
//! };
//! let tree = Grant { path: repository, access: Access::Write, extent: Extent::Recursive };
//! // A tree stops at what is protected below it: the protected path needs a grant of its own.
//! assert_eq!(coverage.authority(&[tree], &metadata), Some(Access::Read));
//! # Ok::<(), forecheck_boundary::PathError>(())
//! ```

mod bytes;
mod coverage;
mod grant;
mod mode;
mod path;

pub use bytes::ByteText;
pub use coverage::Coverage;
pub use grant::{Access, Extent, Grant, Level, Network, Protection};
pub use mode::{Effective, Mode, Preference, effective_sandbox};
pub use path::{AbsolutePath, PathError};
