//! The one answer to a call, in one shape for the CLI, MCP and the library.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::resend::{Change, Resend};

/// How a call ended.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The effect took place, or the question was answered.
    Succeeded,
    /// The same call had succeeded before; nothing was done.
    SkippedIdempotent,
    /// A precondition failed; nothing was done.
    Refused,
    /// The effect was tried and provably did nothing.
    Failed,
    /// The same call is under way, or another one on an exclusive target; nothing was started.
    InFlight,
    /// It is not known whether the effect took place.
    InDoubt,
    /// A preflight found every precondition true.
    Cleared,
}

impl Status {
    /// All of them.
    pub const ALL: [Status; 7] = [
        Status::Succeeded,
        Status::SkippedIdempotent,
        Status::Refused,
        Status::Failed,
        Status::InFlight,
        Status::InDoubt,
        Status::Cleared,
    ];

    /// The status as JSON spells it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Status::Succeeded => "succeeded",
            Status::SkippedIdempotent => "skipped_idempotent",
            Status::Refused => "refused",
            Status::Failed => "failed",
            Status::InFlight => "in_flight",
            Status::InDoubt => "in_doubt",
            Status::Cleared => "cleared",
        }
    }

    /// What the status says, as `errors.json` publishes it.
    pub const fn description(self) -> &'static str {
        match self {
            Status::Succeeded => "The effect took place, or the question was answered.",
            Status::SkippedIdempotent => {
                "The same call had succeeded before; nothing was done, its output is repeated."
            }
            Status::Refused => "A precondition failed before any effect; nothing was done.",
            Status::Failed => "The effect was tried and provably did nothing; the key is free again.",
            Status::InFlight => {
                "The same call is under way, or another one that has its target to itself; nothing was started. \
                 Wait, then send it again."
            }
            Status::InDoubt => "It is not known whether the effect took place.",
            Status::Cleared => "A preflight found every precondition true; nothing was done.",
        }
    }
}

/// What this call did to the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Effects {
    /// Nothing.
    None,
    /// All of the effect.
    Complete,
    /// A part of the effect.
    Partial,
    /// It is not known.
    Unknown,
}

/// What to do about a call that is under way or in doubt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Next {
    /// Ask for the call's key again: the verb can look whether the effect landed.
    Probe,
    /// Wait until the call that is under way ends.
    Wait,
    /// Ask whoever runs the environment: nothing that an agent may do tells.
    AskOperator,
}

/// The answer when a check fails.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Refusal {
    /// The bare name of the constraint that failed, or of a runtime code.
    pub code: String,
    /// What is wrong, in a sentence. The code is the contract, the wording is not.
    pub message: String,
    /// Pointers into the input that the refusal is about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub at: Vec<String>,
    /// The typed values that the constraint declares as its `details`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<Value>,
    /// Further refusals that are known at the same time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<Refusal>,
    /// What resending this verb can do.
    pub resend: Resend,
    /// What has to change first; absent where it is not declared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change: Option<Change>,
    /// The page about the code, relative to the surface's site; absent for runtime codes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<String>,
}

/// The envelope of every answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// How the call ended.
    pub status: Status,
    /// The verb that was called.
    pub verb: String,
    /// The idempotency key of the call; absent for a read-only verb and for an input without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// What the verb answered, where it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Value>,
    /// Why nothing was done, where it was refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refusal: Option<Refusal>,
    /// What went wrong, where the verb neither answered nor was refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// What this call did to the world.
    pub effects_of_this_call: Effects,
    /// When the same call first succeeded, as an RFC 3339 instant; where nothing was done because it had.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_succeeded_at: Option<String>,
    /// Until when a success is remembered, as an RFC 3339 instant; absent where that is for ever.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remembered_until: Option<String>,
    /// Whether the call that first succeeded differs in fields that the key leaves out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub input_differs: bool,
    /// What to do about a call that is under way or in doubt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<Next>,
    /// The digest of the surface that the verb belongs to, in hexadecimal.
    pub spec_sha256: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_are_spelled_as_json_spells_them() {
        for status in Status::ALL {
            assert_eq!(serde_json::to_value(status).unwrap(), Value::from(status.as_str()));
        }
    }
}
