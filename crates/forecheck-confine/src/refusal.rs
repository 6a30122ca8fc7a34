//! Why nothing was started.

use std::fmt;

use forecheck_boundary::AbsolutePath;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::facts::LaunchFacts;

/// The code of a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum RefusalCode {
    /// The request contradicts itself: escalation together with grants, or nothing writable.
    BoundaryInvalid,
    /// A sandbox is required and there is none; the reason is the probe's.
    SandboxRequiredUnavailable,
    /// The child could write a program that is to confine it.
    BackendUntrustedPath,
    /// Mounts cannot express a grant or a root.
    BoundaryUnenforceable,
    /// More than 500 mounts.
    BoundaryTooLarge,
    /// The working directory is not there.
    CwdMissing,
    /// The working directory lies in no writable root.
    CwdOutsideBoundary,
    /// A granted path or a root is not there.
    GrantPathMissing,
    /// A path names another file than the one that was approved or prepared.
    GrantTargetChanged,
    /// A grant or root that holds a home directory.
    GrantTooBroad,
    /// The simulated plan gives something else than was asked.
    GrantConflict,
    /// A path that is to be protected is a link in a writable root.
    ProtectedPathCrossesSymlink,
    /// What is to be protected could not be found out.
    ProtectedPathUncoverable,
    /// More than 131,071 bytes in one argument or variable.
    ArgumentTooLong,
    /// A NUL byte in an argument or variable.
    NulInArgument,
    /// The launch was made, and the command was not started.
    LaunchNotStarted,
    /// The same launch failed twice for the same reason, and nothing has changed.
    LaunchFailureUnchanged,
}

impl RefusalCode {
    /// As it is spelled in JSON.
    pub fn name(self) -> &'static str {
        match self {
            RefusalCode::BoundaryInvalid => "BOUNDARY_INVALID",
            RefusalCode::SandboxRequiredUnavailable => "SANDBOX_REQUIRED_UNAVAILABLE",
            RefusalCode::BackendUntrustedPath => "BACKEND_UNTRUSTED_PATH",
            RefusalCode::BoundaryUnenforceable => "BOUNDARY_UNENFORCEABLE",
            RefusalCode::BoundaryTooLarge => "BOUNDARY_TOO_LARGE",
            RefusalCode::CwdMissing => "CWD_MISSING",
            RefusalCode::CwdOutsideBoundary => "CWD_OUTSIDE_BOUNDARY",
            RefusalCode::GrantPathMissing => "GRANT_PATH_MISSING",
            RefusalCode::GrantTargetChanged => "GRANT_TARGET_CHANGED",
            RefusalCode::GrantTooBroad => "GRANT_TOO_BROAD",
            RefusalCode::GrantConflict => "GRANT_CONFLICT",
            RefusalCode::ProtectedPathCrossesSymlink => "PROTECTED_PATH_CROSSES_SYMLINK",
            RefusalCode::ProtectedPathUncoverable => "PROTECTED_PATH_UNCOVERABLE",
            RefusalCode::ArgumentTooLong => "ARGUMENT_TOO_LONG",
            RefusalCode::NulInArgument => "NUL_IN_ARGUMENT",
            RefusalCode::LaunchNotStarted => "LAUNCH_NOT_STARTED",
            RefusalCode::LaunchFailureUnchanged => "LAUNCH_FAILURE_UNCHANGED",
        }
    }
}

/// What was refused, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Refusal {
    /// The contract.
    pub code: RefusalCode,
    /// One line for people.
    pub message: String,
    /// The path that it is about.
    pub path: Option<AbsolutePath>,
}

impl Refusal {
    pub(crate) fn new(code: RefusalCode, message: impl Into<String>) -> Self {
        Refusal { code, message: message.into(), path: None }
    }

    pub(crate) fn at(code: RefusalCode, path: &AbsolutePath, message: impl Into<String>) -> Self {
        Refusal { path: Some(path.clone()), ..Self::new(code, message) }
    }

    /// With facts that say that nothing was started.
    pub(crate) fn with_facts(self) -> Box<Refused> {
        let facts = LaunchFacts::refused().into_refused(self.code.name().to_owned());
        Box::new(Refused { refusal: self, facts })
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code.name(), self.message)?;
        self.path.as_ref().map_or(Ok(()), |path| write!(f, " (`{path}`)"))
    }
}

/// The answer to a request of which nothing was started.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Refused {
    /// Why.
    pub refusal: Refusal,
    /// What happened: nothing.
    pub facts: LaunchFacts,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.refusal.fmt(f)
    }
}

impl std::error::Error for Refused {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_code_is_its_json() {
        for code in [RefusalCode::CwdMissing, RefusalCode::NulInArgument, RefusalCode::LaunchNotStarted] {
            assert_eq!(serde_json::to_value(code).unwrap(), code.name());
        }
    }
}
