//! What a launch and its supervisor say to each other: one order, one report.

use forecheck_boundary::{AbsolutePath, ByteText};
use serde::{Deserialize, Serialize};

use crate::facts::{End, Started};
use crate::identity::Identity;
use crate::plan::arguments::Argument;

/// What to start, and how long it may take.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Order {
    /// `None` for a command without a boundary.
    pub(crate) confined: Option<Confinement>,
    pub(crate) stage: Stage,
    pub(crate) setup_ms: u64,
    pub(crate) run_ms: Option<u64>,
    pub(crate) grace_ms: u64,
    pub(crate) output_limit: u64,
    pub(crate) stdout: ByteText,
    pub(crate) stderr: ByteText,
}

/// The backend and its plan.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Confinement {
    pub(crate) program: AbsolutePath,
    pub(crate) identity: Identity,
    pub(crate) arguments: Vec<Argument>,
    /// What each path that is opened has to be.
    pub(crate) expected: Vec<(AbsolutePath, Identity)>,
}

/// What the inner stage executes.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Stage {
    pub(crate) command: Vec<ByteText>,
    pub(crate) environment: Vec<(ByteText, ByteText)>,
    pub(crate) workdir: AbsolutePath,
}

/// Everything that a supervisor knows when no process is left.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Report {
    pub(crate) started: Started,
    pub(crate) exec_error: Option<i32>,
    pub(crate) end: Option<End>,
    /// Why nothing could be spawned.
    pub(crate) problem: Option<Problem>,
    pub(crate) survivors_killed: Option<u32>,
    pub(crate) stdout: Counted,
    pub(crate) stderr: Counted,
    pub(crate) setup_ms: u64,
    pub(crate) run_ms: u64,
    pub(crate) settle_ms: u64,
}

/// Why a supervisor started nothing.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) enum Problem {
    /// A path names another file than the one that was prepared, or none.
    Changed(AbsolutePath),
    /// A call of the system failed.
    System(String),
}

/// Bytes of one output.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct Counted {
    pub(crate) seen: u64,
    pub(crate) kept: u64,
}

impl Report {
    /// That nothing was started, for this reason.
    pub(crate) fn not_started(problem: Problem) -> Self {
        Report {
            started: Started::No,
            exec_error: None,
            end: None,
            problem: Some(problem),
            survivors_killed: Some(0),
            stdout: Counted::default(),
            stderr: Counted::default(),
            setup_ms: 0,
            run_ms: 0,
            settle_ms: 0,
        }
    }
}
