//! The rows of the published table, `errors.json`: every code once, collapsed across verbs.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::outcome::Status;
use crate::predicate::Predicate;
use crate::resend::{Basis, Change, Resend};

/// The version of the layout of `errors.json`.
pub const ERRORS_FORMAT: u32 = 1;

/// `errors.json`, whole.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ErrorTable {
    /// The schema of this file, beside it.
    #[serde(rename = "$schema")]
    pub schema: String,
    /// The version of this layout.
    pub format: u32,
    /// Whose codes these are.
    pub surface: SurfaceId,
    /// What holds of every refusal, and what the values of `resend` mean.
    pub retry: RetryStatement,
    /// The codes of the surface's constraints, sorted.
    pub codes: Vec<Row>,
    /// The codes that every verb can answer with, in the order in which they are raised.
    pub runtime_codes: Vec<RuntimeRow>,
    /// The statuses of an outcome.
    pub statuses: Vec<StatusRow>,
    /// Codes and verbs that are gone.
    pub retired: Vec<Retired>,
}

/// The surface that a file was generated from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SurfaceId {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Where its site is published; pages are relative to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    /// SHA-256 over the canonical texts of its files, in hexadecimal.
    pub spec_sha256: String,
}

/// Retry semantics, stated once for all codes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RetryStatement {
    /// The three rules in a sentence.
    pub statement: String,
    /// What follows from preconditions, from the key, and from the ledger.
    pub rules: Vec<String>,
    /// What each value of `resend` means.
    pub resend: ResendStatements,
}

/// The meaning of each value of `resend`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ResendStatements {
    /// See [`Resend::ChangeInput`].
    pub change_input: String,
    /// See [`Resend::SameInput`].
    pub same_input: String,
    /// See [`Resend::Either`].
    pub either: String,
}

/// One code, with everything that an agent needs to decide what to do next.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// The bare name of the constraint, as emitted.
    pub code: String,
    /// The condition; where verbs word it differently, the longest text.
    pub description: String,
    /// All texts, where verbs word the condition differently.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variants: Vec<Variant>,
    /// The remedy, where all verbs state the same one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// The verbs that the code can arrive from, sorted.
    pub verbs: BTreeSet<String>,
    /// What resending can do; `either` where verbs differ.
    pub resend: Resend,
    /// What has to change first; absent where it is not declared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change: Option<Change>,
    /// How strong the two statements before this one are.
    pub basis: Basis,
    /// The condition itself, where all verbs state the same one: true refuses. A reader that does not
    /// know one of its operators cannot tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refuse_when: Option<Predicate>,
    /// What holds for which verb, where verbs differ.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by_verb: Vec<VerbRow>,
    /// Whether the check runs even for a repeat, before the ledger is asked.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub policy: bool,
    /// The JSON Schema of the values that the refusal carries.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<Value>,
    /// The version of the surface that introduced it, where all verbs state the same one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// That the code is going away, where all verbs say so alike.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<Deprecated>,
    /// Related codes.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub see: BTreeSet<String>,
    /// The page about the code, relative to the surface's site.
    pub page: String,
}

/// A text of a code, and the verbs that use it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Variant {
    /// The text.
    pub description: String,
    /// The verbs, sorted.
    pub verbs: BTreeSet<String>,
}

/// What a code means for some of its verbs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VerbRow {
    /// The verbs, sorted.
    pub verbs: BTreeSet<String>,
    /// What resending can do.
    pub resend: Resend,
    /// What has to change first; absent where it is not declared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change: Option<Change>,
    /// How strong that is.
    pub basis: Basis,
    /// The condition itself: true refuses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refuse_when: Option<Predicate>,
    /// The remedy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// The version of the surface that introduced it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// That it is going away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<Deprecated>,
}

/// That something is going away.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Deprecated {
    /// The version of the surface from which on it is deprecated.
    pub since: String,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// What to use instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaced_by: Option<String>,
}

/// A code that every verb can answer with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RuntimeRow {
    /// The code.
    pub code: String,
    /// The condition.
    pub description: String,
    /// The remedy.
    pub help: String,
    /// What resending can do.
    pub resend: Resend,
}

/// A status of an outcome.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StatusRow {
    /// The status.
    pub status: Status,
    /// What it says.
    pub description: String,
}

/// A code or a verb that is gone. It stays explainable and is never used again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Retired {
    /// The code, if it was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The verb, if it was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verb: Option<String>,
    /// The version of the surface from which on it is gone.
    pub since: String,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// What to use instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaced_by: Option<String>,
}
