//! The coverage relation: what a boundary allows at a path, and which grants cover which.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{AbsolutePath, Access, Extent, Grant, Protection};

/// What holds before any grant: everything can be read, roots can be written, protections take away.
///
/// Access is `None`, `Some(Read)` or `Some(Write)`, in this order.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Coverage {
    /// Trees that may be written.
    pub writable_roots: Vec<AbsolutePath>,
    /// What is protected, in the roots and outside.
    pub protections: Vec<Protection>,
}

impl Coverage {
    /// The access at a path without grants: the least that any protection around it leaves, not that of the
    /// nearest one, so that one more protection never opens anything.
    pub fn base(&self, path: &AbsolutePath) -> Option<Access> {
        let is_writable = self.writable_roots.iter().any(|root| path.is_within(root));
        let open = Some(if is_writable { Access::Write } else { Access::Read });
        let around = self.protections.iter().filter(|protection| path.is_within(&protection.path));
        around.map(|protection| protection.level.leaves()).fold(open, Option::min)
    }

    /// The nearest protected path at or above a path.
    pub fn nearest_protection(&self, path: &AbsolutePath) -> Option<&AbsolutePath> {
        let around = self.protections.iter().map(|protection| &protection.path);
        around.filter(|protected| path.is_within(protected)).max_by_key(|protected| protected.depth())
    }

    /// Whether a grant says anything of a path. A tree stops at every protection below its own path; a grant
    /// at or below a protection crosses it.
    pub fn reaches(&self, grant: &Grant, path: &AbsolutePath) -> bool {
        match grant.extent {
            Extent::Exact => *path == grant.path,
            Extent::Recursive => {
                let nearest = self.nearest_protection(path);
                path.is_within(&grant.path) && nearest.is_none_or(|protected| grant.path.is_within(protected))
            }
        }
    }

    /// The access at a path with these grants.
    pub fn authority(&self, grants: &[Grant], path: &AbsolutePath) -> Option<Access> {
        let granted = grants.iter().filter(|grant| self.reaches(grant, path)).map(|grant| grant.access).max();
        self.base(path).max(granted)
    }

    /// Whether one grant is enough for all that another one asks.
    pub fn covers(&self, grant: &Grant, asked: &Grant) -> bool {
        let is_wide_enough = match asked.extent {
            Extent::Exact => true,
            Extent::Recursive => grant.extent == Extent::Recursive,
        };
        grant.access >= asked.access && is_wide_enough && self.reaches(grant, &asked.path)
    }

    /// Whether what is asked is allowed already: by what holds without grants, or by one of them.
    pub fn is_covered(&self, grants: &[Grant], asked: &Grant) -> bool {
        self.base(&asked.path) >= Some(asked.access) || grants.iter().any(|grant| self.covers(grant, asked))
    }

    /// The grants without those that another kept one covers. The authority at every path stays what it is.
    /// For mounts, not for stores: what is dropped here comes back when the other grant is revoked.
    pub fn without_redundant(&self, grants: &[Grant]) -> Vec<Grant> {
        let mut kept: Vec<Grant> = Vec::with_capacity(grants.len());
        for grant in grants {
            if !kept.iter().any(|other| self.covers(other, grant)) {
                kept.retain(|other| !self.covers(grant, other));
                kept.push(grant.clone());
            }
        }
        kept
    }
}
