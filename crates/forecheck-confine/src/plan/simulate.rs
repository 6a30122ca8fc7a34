//! What a plan comes to, found before anything is mounted: the last mount that covers a path decides.

use forecheck_boundary::{AbsolutePath, Access, Grant};

use super::{Blueprint, Mount};

/// What the child finds at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Seen {
    /// The host's file, with this access.
    Host(Option<Access>),
    /// Something of the child's own.
    Private,
}

/// A place where a plan gives something else than the coverage relation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Conflict {
    pub(crate) path: AbsolutePath,
    pub(crate) asked: Option<Access>,
}

/// What the child finds at a path once these mounts are made.
pub(super) fn seen(mounts: &[Mount], path: &AbsolutePath) -> Seen {
    let mut found = Seen::Host(Some(Access::Read));
    let mut covering = AbsolutePath::root();
    for mount in mounts {
        let (at, next) = match mount {
            Mount::Bind { at, access } => (at, Seen::Host(Some(*access))),
            Mount::Private { at } => (at, Seen::Private),
            Mount::EmptyFile { at } | Mount::EmptyDirectory { at, .. } => (at, Seen::Host(None)),
            Mount::RemountReadOnly { at } if *at == covering => match found {
                Seen::Host(access) => (at, Seen::Host(access.min(Some(Access::Read)))),
                Seen::Private => (at, Seen::Private),
            },
            Mount::RemountReadOnly { .. }
            | Mount::Root
            | Mount::Devices
            | Mount::Directory { .. }
            | Mount::Symlink { .. }
            | Mount::Processes { .. } => continue,
        };
        if path.is_within(at) {
            found = next;
            covering = at.clone();
        }
    }
    found
}

/// Holds a plan against the coverage relation, at every root, every grant and every protection.
pub(super) fn check(mounts: &[Mount], blueprint: &Blueprint) -> Result<(), Conflict> {
    let grants: Vec<Grant> = blueprint.grants.iter().map(|found| found.grant.clone()).collect();
    for root in &blueprint.coverage.writable_roots {
        let asked = Some(Access::Write);
        if blueprint.coverage.base(root) != asked {
            return Err(Conflict { path: root.clone(), asked });
        }
    }
    for grant in &grants {
        let asked = blueprint.coverage.authority(&grants, &grant.path);
        if seen(mounts, &grant.path) != Seen::Host(asked) {
            return Err(Conflict { path: grant.path.clone(), asked });
        }
    }
    for protection in &blueprint.coverage.protections {
        let asked = blueprint.coverage.authority(&grants, &protection.path);
        match seen(mounts, &protection.path) {
            Seen::Host(access) if access != asked => {
                return Err(Conflict { path: protection.path.clone(), asked });
            }
            Seen::Host(_) | Seen::Private => {}
        }
    }
    Ok(())
}
