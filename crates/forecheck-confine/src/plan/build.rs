//! From a boundary to mounts. The order is the contract: what the child always gets, roots, then grants and
//! protections from shallow to deep, then what has to become read-only at the end.

use std::collections::BTreeSet;

use forecheck_boundary::{AbsolutePath, Access, Coverage, Extent, Grant, Level, Protection};

use super::simulate::{Seen, seen};
use super::{Blueprint, FoundGrant, Mount};
use crate::identity::Kind;

pub(super) fn mounts(blueprint: &Blueprint) -> Vec<Mount> {
    let mut mounts = vec![Mount::Root, Mount::Devices];
    mounts.extend(blueprint.private.iter().map(|at| Mount::Private { at: at.clone() }));
    // A root in what is protected is none; the simulation says so.
    let is_root = |root: &AbsolutePath| blueprint.coverage.base(root) == Some(Access::Write);
    mounts.extend(outermost(&blueprint.coverage.writable_roots).into_iter().filter(is_root).map(writable));
    let grants = mounted_grants(blueprint);
    let protections = protections(&blueprint.coverage);
    for item in items(&protections, &grants) {
        match item {
            Item::Protection(protection) => protect(&mut mounts, protection, blueprint, &grants),
            Item::Grant(found) => grant(&mut mounts, found),
        }
    }
    mounts.extend(remounts(blueprint, &protections, &mounts, &grants));
    mounts.push(Mount::Processes { proc: blueprint.proc });
    mounts
}

fn writable(at: AbsolutePath) -> Mount {
    Mount::Bind { at, access: Access::Write }
}

/// Sorted, without those inside of another one.
fn outermost(roots: &[AbsolutePath]) -> BTreeSet<AbsolutePath> {
    let is_inner = |root: &AbsolutePath| roots.iter().any(|other| other != root && root.is_within(other));
    roots.iter().filter(|root| !is_inner(root)).cloned().collect()
}

/// Grants that need a mount: they open what roots and other grants do not, or what is private.
fn mounted_grants(blueprint: &Blueprint) -> Vec<FoundGrant> {
    let coverage = &blueprint.coverage;
    let asked: Vec<Grant> = blueprint.grants.iter().map(|found| found.grant.clone()).collect();
    let kept = coverage.without_redundant(&asked);
    let needs_mount = |found: &FoundGrant| {
        let path = &found.grant.path;
        kept.contains(&found.grant)
            && (coverage.base(path) < Some(found.grant.access) || is_private(blueprint, path))
    };
    let mut seen = BTreeSet::new();
    let grants = blueprint.grants.iter().filter(|found| needs_mount(found));
    grants.filter(|found| seen.insert(found.grant.clone())).cloned().collect()
}

fn is_private(blueprint: &Blueprint, path: &AbsolutePath) -> bool {
    blueprint.private.iter().any(|private| path.is_within(private))
        && !blueprint.coverage.writable_roots.iter().any(|root| path.is_within(root))
}

enum Item<'a> {
    Protection(&'a Protection),
    Grant(&'a FoundGrant),
}

/// One protection for each path, with all that it comes to: inaccessible beats read-only, and so does what lies
/// around it.
fn protections(coverage: &Coverage) -> Vec<Protection> {
    let paths: BTreeSet<&AbsolutePath> = coverage.protections.iter().map(|one| &one.path).collect();
    let level = |path: &AbsolutePath| match coverage.base(path) {
        Some(_) => Level::ReadOnly,
        None => Level::Inaccessible,
    };
    paths.into_iter().map(|path| Protection { path: path.clone(), level: level(path) }).collect()
}

/// Protections and grants in one list, shallow to deep, so that of nested ones the innermost is made last.
fn items<'a>(protections: &'a [Protection], grants: &'a [FoundGrant]) -> Vec<Item<'a>> {
    let protections = protections.iter().map(|one| (&one.path, Item::Protection(one)));
    let grants = grants.iter().map(|found| (&found.grant.path, Item::Grant(found)));
    let mut items: Vec<(&AbsolutePath, Item<'a>)> = protections.chain(grants).collect();
    items.sort_by(|(path, _), (other, _)| (path.depth(), path).cmp(&(other.depth(), other)));
    items.into_iter().map(|(_, item)| item).collect()
}

fn protect(mounts: &mut Vec<Mount>, protection: &Protection, blueprint: &Blueprint, grants: &[FoundGrant]) {
    let Protection { path, level } = protection;
    let holds_already = match seen(mounts, path) {
        Seen::Private => true,
        Seen::Host(access) => access <= level.leaves(),
    };
    let opened =
        |access| grants.iter().any(|found| found.grant.path == *path && found.grant.access >= access);
    let is_opened = match level {
        Level::ReadOnly => opened(Access::Write),
        Level::Inaccessible => opened(Access::Read),
    };
    let is_replaced = is_opened && !needs_more_than_its_grant(blueprint, protection, grants);
    if holds_already || is_replaced && opened(Access::Write) {
        return;
    }
    // Also where a read grant takes the mask's place: what stays closed to writing must not be renamed either.
    pin_ancestors(mounts, path);
    if is_replaced {
        return;
    }
    mounts.push(match level {
        Level::ReadOnly => Mount::Bind { at: path.clone(), access: Access::Read },
        Level::Inaccessible if blueprint.protected_files.contains(path) => {
            Mount::EmptyFile { at: path.clone() }
        }
        Level::Inaccessible => {
            let is_below = |at: &AbsolutePath| at != path && at.is_within(path);
            let passable = grants
                .iter()
                .any(|found| is_below(&found.grant.path) || found.hops.iter().any(|hop| is_below(&hop.at)));
            Mount::EmptyDirectory { at: path.clone(), passable }
        }
    });
}

/// An exact grant opens the protected path and nothing below: the protection stays.
fn needs_more_than_its_grant(blueprint: &Blueprint, protection: &Protection, grants: &[FoundGrant]) -> bool {
    let is_file = blueprint.protected_files.contains(&protection.path);
    let is_tree =
        |found: &FoundGrant| found.grant.path == protection.path && found.grant.extent == Extent::Recursive;
    !is_file && !grants.iter().any(is_tree)
}

/// Binds each writable directory between a protected path and the mount around it onto itself: a directory
/// that is a mount point cannot be renamed, and with it what it protects.
fn pin_ancestors(mounts: &mut Vec<Mount>, path: &AbsolutePath) {
    // A later mount around a mount covers it, as a grant around a root does.
    let is_mounted = |at: &AbsolutePath| {
        let binds = mounts.iter().rev().filter_map(|mount| match mount {
            Mount::Bind { at: bound, .. } if at.is_within(bound) => Some(bound),
            _ => None,
        });
        binds.take(1).any(|innermost| innermost == at)
    };
    let is_writable = |at: &AbsolutePath| seen(mounts, at) == Seen::Host(Some(Access::Write));
    let mut pins: Vec<AbsolutePath> =
        path.ancestors().take_while(|at| is_writable(at) && !is_mounted(at)).collect();
    pins.reverse();
    mounts.extend(pins.into_iter().map(writable));
}

fn grant(mounts: &mut Vec<Mount>, found: &FoundGrant) {
    for hop in &found.hops {
        if let Some(mask) = mask_around(mounts, &hop.at) {
            let link = Mount::Symlink { at: hop.at.clone(), target: hop.target.clone().into() };
            make_way(mounts, &mask, &hop.at);
            if !mounts.contains(&link) {
                mounts.push(link);
            }
        }
    }
    if let Some(mask) = mask_around(mounts, &found.grant.path) {
        make_way(mounts, &mask, &found.grant.path);
    }
    mounts.push(Mount::Bind { at: found.grant.path.clone(), access: found.grant.access });
}

/// The empty directory in which a path lies, if that is what the child sees around it.
fn mask_around(mounts: &[Mount], path: &AbsolutePath) -> Option<AbsolutePath> {
    let covering = mounts.iter().rev().find_map(|mount| match mount {
        Mount::Bind { at, .. } if path.is_within(at) => Some(None),
        Mount::EmptyDirectory { at, .. } if at != path && path.is_within(at) => Some(Some(at.clone())),
        _ => None,
    });
    covering.flatten()
}

/// Directories between an empty directory and a path in it, the shortest first.
fn make_way(mounts: &mut Vec<Mount>, mask: &AbsolutePath, path: &AbsolutePath) {
    let mut between: Vec<AbsolutePath> = path.ancestors().take_while(|at| at != mask).collect();
    between.reverse();
    for at in between {
        let directory = Mount::Directory { at };
        if !mounts.contains(&directory) {
            mounts.push(directory);
        }
    }
}

/// Inaccessible directories without a write grant become read-only once everything in them is mounted, so
/// that their owner cannot change their mode.
fn remounts(
    blueprint: &Blueprint,
    protections: &[Protection],
    mounts: &[Mount],
    grants: &[FoundGrant],
) -> Vec<Mount> {
    let has_write_grant = |path: &AbsolutePath| {
        grants.iter().any(|found| found.grant.path == *path && found.grant.access == Access::Write)
    };
    let is_mounted = |path: &AbsolutePath| {
        mounts.iter().any(|mount| match mount {
            Mount::EmptyDirectory { at, .. } => at == path,
            Mount::Bind { at, access } => at == path && *access == Access::Read,
            _ => false,
        })
    };
    let inaccessible = protections.iter().filter(|protection| protection.level == Level::Inaccessible);
    let paths = inaccessible.map(|protection| &protection.path);
    let directories = paths.filter(|path| !blueprint.protected_files.contains(path));
    directories
        .filter(|path| is_mounted(path) && !has_write_grant(path))
        .map(|at| Mount::RemountReadOnly { at: at.clone() })
        .collect()
}

impl FoundGrant {
    /// Whether mounts can express it: an exact directory cannot be opened without what lies in it.
    pub(crate) fn is_representable(&self, coverage: &Coverage) -> bool {
        let is_exact_directory = self.kind == Kind::Directory && self.grant.extent == Extent::Exact;
        !is_exact_directory || self.grant.access == Access::Read && coverage.base(&self.grant.path).is_some()
    }
}
