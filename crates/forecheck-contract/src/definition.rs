//! What a runtime has to know of a verb, without the spec folder.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::recipe::Recipe;
use crate::resend::Meaning;

/// A verb as its runtime knows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VerbDefinition {
    /// The name.
    pub verb: String,
    /// Whether the verb declares that it changes nothing: no ledger, no key.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub read_only: bool,
    /// What a repeat of a call that succeeded does.
    #[serde(default, skip_serializing_if = "Repeat::is_default")]
    pub repeat: Repeat,
    /// Whether calls on one target are serialised.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub exclusive: bool,
    /// How long a success is remembered, as a [window](crate::window); for ever where it is absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<String>,
    /// How long a call has to be in doubt before a probe that finds no trace of its effect is believed, as a
    /// [window](crate::window); absent for a verb without a probe.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settle_after: Option<String>,
    /// How an input is spelled, which of its fields have defaults, and how a key sees it.
    pub recipe: Recipe,
    /// The JSON Schema of the input, in one document.
    pub input: Value,
    /// The preconditions, in the order in which they are evaluated.
    pub constraints: Vec<ConstraintDefinition>,
}

/// A precondition as its runtime knows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConstraintDefinition {
    /// The bare name.
    pub code: String,
    /// The condition in one line.
    pub description: String,
    /// Pointers into the input that a refusal is about, unless its check says more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub subject: Vec<String>,
    /// What a refusal means for a resend of this verb.
    pub meaning: Meaning,
}

/// What a repeat of a call that succeeded does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Repeat {
    /// It answers `skipped_idempotent`.
    #[default]
    Skip,
    /// It acts again: the last call must win.
    Run,
    /// It answers `skipped_idempotent` unless its required field `intent` differs.
    Intent,
}

impl Repeat {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Repeat::Skip => "skip",
            Repeat::Run => "run",
            Repeat::Intent => "intent",
        }
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
    fn is_default(&self) -> bool {
        *self == Repeat::default()
    }
}
