//! The mount plan: what a boundary becomes, as data. It is built, held against the coverage relation and
//! printed without looking at the system.

pub(crate) mod arguments;
mod build;
mod simulate;

use forecheck_boundary::{AbsolutePath, Access, Coverage, Grant, Network};
use schemars::JsonSchema;
use serde::Serialize;

use crate::facts::Proc;
use crate::identity::{Hop, Kind};

pub(crate) use simulate::Conflict;

/// Plans above this are refused: a bind costs 0.35 ms at 50 and 1.2 ms at 500.
pub(crate) const MAX_BINDS: usize = 500;

/// A grant whose path was resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FoundGrant {
    pub(crate) grant: Grant,
    pub(crate) kind: Kind,
    pub(crate) hops: Vec<Hop>,
}

/// All that a plan is made from.
#[derive(Debug, Clone)]
pub(crate) struct Blueprint {
    /// Roots and protections; every path exists and has no links.
    pub(crate) coverage: Coverage,
    /// Those of the protected paths that are no directories.
    pub(crate) protected_files: Vec<AbsolutePath>,
    pub(crate) grants: Vec<FoundGrant>,
    /// Directories of the host that the child has empty ones of: `/tmp` and `/run`, where they exist.
    pub(crate) private: Vec<AbsolutePath>,
    pub(crate) proc: Proc,
    pub(crate) network: Network,
    pub(crate) workdir: AbsolutePath,
}

/// One mount, or one entry in a directory of ours. Later ones cover earlier ones.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case", tag = "mount")]
#[non_exhaustive]
pub enum Mount {
    /// Everything of the host, read-only.
    Root,
    /// A small `/dev`.
    Devices,
    /// An empty directory of the child's own, which it may write.
    Private {
        /// Where.
        at: AbsolutePath,
    },
    /// A part of the host.
    Bind {
        /// Where it is on the host, and where it appears.
        at: AbsolutePath,
        /// With which access.
        access: Access,
    },
    /// An empty file with mode 000.
    EmptyFile {
        /// Over what.
        at: AbsolutePath,
    },
    /// An empty directory.
    EmptyDirectory {
        /// Over what.
        at: AbsolutePath,
        /// Whether granted paths lie below, so that it can be passed through.
        passable: bool,
    },
    /// A directory inside an empty one, on the way to what is granted there.
    Directory {
        /// Where.
        at: AbsolutePath,
    },
    /// A link inside an empty directory, on the way to what is granted.
    Symlink {
        /// Where.
        at: AbsolutePath,
        /// What it says.
        target: forecheck_boundary::ByteText,
    },
    /// The mount at this place becomes read-only.
    RemountReadOnly {
        /// At which place.
        at: AbsolutePath,
    },
    /// The processes of the child.
    Processes {
        /// Its own, or the host's where there can be no own.
        proc: Proc,
    },
}

/// A plan whose simulation grants and protects what was asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Plan {
    /// In the order in which they are made.
    pub(crate) mounts: Vec<Mount>,
    pub(crate) network: Network,
    pub(crate) workdir: AbsolutePath,
}

impl Plan {
    /// The mounts, in the order in which they are made.
    pub fn mounts(&self) -> &[Mount] {
        &self.mounts
    }

    /// Builds the plan of a boundary and simulates it.
    pub(crate) fn of(blueprint: &Blueprint) -> Result<Self, Conflict> {
        let mounts = build::mounts(blueprint);
        simulate::check(&mounts, blueprint)?;
        let Blueprint { network, workdir, .. } = blueprint;
        Ok(Plan { mounts, network: *network, workdir: workdir.clone() })
    }

    /// What a probe is made of: no roots, grants or protections.
    pub(crate) fn bare(private: Vec<AbsolutePath>, proc: Proc, network: Network) -> Self {
        let blueprint = Blueprint {
            coverage: Coverage::default(),
            protected_files: Vec::new(),
            grants: Vec::new(),
            private,
            proc,
            network,
            workdir: AbsolutePath::root(),
        };
        Plan { mounts: build::mounts(&blueprint), network, workdir: AbsolutePath::root() }
    }

    /// Where something of the host is bound.
    pub(crate) fn binds(&self) -> impl Iterator<Item = &AbsolutePath> {
        self.mounts.iter().filter_map(|mount| match mount {
            Mount::Bind { at, .. } => Some(at),
            _ => None,
        })
    }

    /// How many mounts cost as much as a bind.
    pub(crate) fn cost(&self) -> usize {
        let is_dear = |mount: &&Mount| {
            matches!(mount, Mount::Bind { .. } | Mount::EmptyFile { .. } | Mount::RemountReadOnly { .. })
        };
        self.mounts.iter().filter(is_dear).count()
    }
}

#[cfg(test)]
mod tests;
