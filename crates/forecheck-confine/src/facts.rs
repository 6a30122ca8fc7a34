//! What really happened, on every result. Never the environment.

use forecheck_boundary::{AbsolutePath, ByteText};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::identity::Identity;

/// What confined the command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Sandbox {
    /// bubblewrap.
    Bubblewrap,
    /// Nothing: the sandbox is off.
    Off,
    /// Nothing: full access was asked for and given to this command.
    Escalated,
    /// Nothing: no sandbox is to be had here, and it was not required.
    Unavailable,
    /// Nothing was started.
    Refused,
}

/// How much of the boundary the kernel holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Enforcement {
    /// All of it.
    Full,
    /// There is no boundary.
    None,
    /// Nothing was started.
    Refused,
}

/// What the command may do with files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Filesystem {
    /// Write in its roots and grants, read elsewhere what is not protected.
    WorkspaceWrite,
    /// What its user may do.
    Unrestricted,
    /// Nothing was started.
    Refused,
}

/// What of the network the command has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NetworkFact {
    /// A loopback device of its own.
    Isolated,
    /// That of the host.
    Unrestricted,
    /// Nothing was started.
    Refused,
}

/// Whose processes the command sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Proc {
    /// Its own.
    Fresh,
    /// The host's.
    Host,
}

/// Whether the command came to its start. Never read from what it printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Started {
    /// The byte before `exec` was read.
    Yes,
    /// It was not, and nobody is left who could write it.
    No,
    /// The supervisor was lost before it could say: counts as yes.
    Unknown,
}

/// How a command ended; before its start, how the backend did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", tag = "by")]
#[non_exhaustive]
pub enum End {
    /// By itself. Under bubblewrap a signal shows here, too, as 128 and its number.
    Exited {
        /// With this code.
        code: i32,
    },
    /// By a signal that was not ours.
    Signalled {
        /// This one.
        signal: i32,
    },
    /// At its deadline.
    TimedOut,
    /// At the wish of its caller.
    Cancelled,
    /// It wrote more than is kept.
    OutputLimit,
    /// It did not get to its start in time.
    SetupTimedOut,
}

/// What is known of the program that confines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Backend {
    /// What it is called.
    pub name: String,
    /// Where it is.
    pub path: AbsolutePath,
    /// Which file that is.
    pub identity: Identity,
}

/// What became of one of the command's outputs.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Stream {
    /// How many bytes were written.
    pub seen: u64,
    /// How many of them were kept.
    pub kept: u64,
    /// The first 2,000 characters.
    pub text: String,
    /// Where everything kept is, when that is more.
    pub file: Option<ByteText>,
}

/// How long it took, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Timings {
    /// From request to launch, without what the caller did in between.
    pub prepare: u64,
    /// From launch to start.
    pub setup: u64,
    /// From start to end.
    pub run: u64,
    /// From end to the last process gone.
    pub settle: u64,
}

/// The facts of one request. Every field is there on every result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LaunchFacts {
    /// What confined the command.
    pub sandbox: Sandbox,
    /// How much of the boundary was held.
    pub enforcement: Enforcement,
    /// What it could do with files.
    pub filesystem: Filesystem,
    /// What it had of the network.
    pub network: NetworkFact,
    /// Whose processes it saw; absent where there was no boundary.
    pub proc: Option<Proc>,
    /// How many trees it could write.
    pub writable_roots: usize,
    /// How many paths were protected.
    pub protected_paths: usize,
    /// How many grants to read.
    pub additional_reads: usize,
    /// How many grants to write.
    pub additional_writes: usize,
    /// How many mounts cost as much as a bind; above 100 they are felt.
    pub binds: usize,
    /// Metadata that linked worktrees in the roots share with others. A fact about layout; it gives no access.
    pub git_common_directories: Vec<AbsolutePath>,
    /// Protected paths that were not there before the command, and are now.
    pub protected_created: Vec<AbsolutePath>,
    /// Whether the command was started.
    pub started: Started,
    /// Why the system could not execute the command: a number of errno.
    pub exec_error: Option<i32>,
    /// How it ended; absent where nothing was started or nothing is known.
    pub end: Option<End>,
    /// How many processes outlived the command and were killed; absent where the kernel ended a namespace with
    /// all that was in it.
    pub survivors_killed: Option<u32>,
    /// Standard output.
    pub stdout: Stream,
    /// Standard error; before the start, what the backend said.
    pub stderr: Stream,
    /// How long it took.
    pub timings: Timings,
    /// The program that confined; absent where none did.
    pub backend: Option<Backend>,
    /// Why it is so: the refusal's or the probe's code.
    pub reason: Option<String>,
    /// Whether this is the first command of the session that ran unconfined for want of a sandbox.
    pub first_direct_fallback: bool,
}

impl LaunchFacts {
    /// Those of a request of which nothing was started.
    pub(crate) fn refused() -> Self {
        LaunchFacts {
            sandbox: Sandbox::Refused,
            enforcement: Enforcement::Refused,
            filesystem: Filesystem::Refused,
            network: NetworkFact::Refused,
            proc: None,
            writable_roots: 0,
            protected_paths: 0,
            additional_reads: 0,
            additional_writes: 0,
            binds: 0,
            git_common_directories: Vec::new(),
            protected_created: Vec::new(),
            started: Started::No,
            exec_error: None,
            end: None,
            survivors_killed: None,
            stdout: Stream::default(),
            stderr: Stream::default(),
            timings: Timings::default(),
            backend: None,
            reason: None,
            first_direct_fallback: false,
        }
    }

    /// The same, of something that was not started after all.
    pub(crate) fn into_refused(self, reason: String) -> Self {
        LaunchFacts {
            sandbox: Sandbox::Refused,
            enforcement: Enforcement::Refused,
            filesystem: Filesystem::Refused,
            network: NetworkFact::Refused,
            reason: Some(reason),
            ..self
        }
    }
}
