//! Grants and protections.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::AbsolutePath;

/// What may be done; writing includes reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Access {
    /// Reading.
    Read,
    /// Reading and writing.
    Write,
}

/// How far a grant reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Extent {
    /// The path itself and nothing below it.
    Exact,
    /// The path and what lies below, up to what is protected there.
    Recursive,
}

/// Access to a canonical path that a boundary has beyond its writable roots.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Grant {
    /// To what.
    pub path: AbsolutePath,
    /// Which access.
    pub access: Access,
    /// How far.
    pub extent: Extent,
}

/// How much a protection takes away. The later level takes more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// It can be read, and not written.
    ReadOnly,
    /// It can neither be read nor written.
    Inaccessible,
}

impl Level {
    /// The most that it leaves.
    pub fn leaves(self) -> Option<Access> {
        match self {
            Level::ReadOnly => Some(Access::Read),
            Level::Inaccessible => None,
        }
    }
}

/// A path with all below it that roots and trees around it do not open.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Protection {
    /// What is protected.
    pub path: AbsolutePath,
    /// From what.
    pub level: Level,
}

/// What of the network is there.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Network {
    /// A loopback device of its own, and nothing else.
    #[default]
    Isolated,
    /// That of the host.
    Unrestricted,
}
