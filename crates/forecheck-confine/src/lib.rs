//! Starts a command at most once, in a boundary that was decided before, and says what happened.
//!
//! ```text
//! Request -> Boundary -> Prepared -> Launched -> Settled -> LaunchFacts
//! ```
//!
//! Each stage is made only from the one before, which it uses up. Once a confined launch has been made, nothing
//! is ever started in its place: a launch that failed is reported, and more access takes a new [`Request`].
//!
//! ```no_run
//! use forecheck_boundary::{AbsolutePath, Mode, Network, Preference};
//! use forecheck_confine::{Escalation, Launcher, Request, Settings, Writable};
//!
//! let launcher = Launcher::new(Settings::of_this_host()?);
//! let workspace = AbsolutePath::parse("/home/me/repository")?;
//! let settled = launcher.run(Request {
//!     command: vec!["cargo".into(), "test".into()],
//!     workdir: workspace.clone(),
//!     environment: vec![("PATH".into(), "/usr/bin:/bin".into())],
//!     mode: Mode::Edits,
//!     preference: Preference::BestEffort,
//!     escalation: Escalation::None,
//!     writable: Writable::Roots(vec![workspace]),
//!     grants: Vec::new(),
//!     network: Network::Isolated,
//!     timeout: None,
//! })?;
//! println!("{:?}", settled.facts().end);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Linux only. The program `forecheck-supervisor`, of this crate, has to stand beside the running program, or
//! where [`Settings::supervisor`] says.

#![cfg(target_os = "linux")]

mod boundary;
mod discovery;
pub mod facts;
mod history;
mod identity;
mod launch;
mod launcher;
mod plan;
mod prepare;
mod probe;
mod refusal;
mod request;
mod settings;
mod supervisor;
mod wire;

pub use boundary::{Boundary, Confined, Unconfined};
pub use discovery::Rule;
pub use facts::LaunchFacts;
pub use identity::Identity;
pub use launch::{Answer, Launched, Settled};
pub use launcher::Launcher;
pub use plan::{Mount, Plan};
pub use prepare::Prepared;
pub use probe::ProbeReason;
pub use refusal::{Refusal, RefusalCode, Refused};
pub use request::{AskedGrant, Escalation, Request, Writable};
pub use settings::Settings;
pub use supervisor::supervisor_main;
