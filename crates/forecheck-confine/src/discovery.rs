//! What is to be protected, found afresh before every launch.

mod git;
mod sockets;
mod walk;

use std::time::Duration;

use forecheck_boundary::{AbsolutePath, Level, PathError, Protection};

use crate::identity::{Kind, Unresolved, resolve};
use crate::refusal::{Refusal, RefusalCode};

/// A rule of the policy: what is protected, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    pub(crate) pattern: Pattern,
    pub(crate) level: Level,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Pattern {
    /// Everything of this name below a writable root.
    Named(Vec<u8>),
    /// This path and all below it.
    At(AbsolutePath),
}

impl Rule {
    /// Protects whatever has this name, anywhere in the writable roots, with all that it holds.
    pub fn named(name: &[u8], level: Level) -> Self {
        Rule { pattern: Pattern::Named(name.to_vec()), level }
    }

    /// Protects a path with all that it holds.
    pub fn at(path: AbsolutePath, level: Level) -> Self {
        Rule { pattern: Pattern::At(path), level }
    }

    /// Git's metadata is read-only, and the places where credentials are kept are inaccessible.
    ///
    /// # Errors
    /// None for a home that is a path already.
    pub fn defaults(home: Option<&AbsolutePath>) -> Result<Vec<Self>, PathError> {
        const SECRETS: [&str; 6] = [".ssh", ".gnupg", ".aws", ".azure", ".config/gcloud", ".kube"];
        let mut rules = vec![Rule::named(b".git", Level::ReadOnly)];
        for secret in SECRETS {
            if let Some(home) = home {
                rules.push(Rule::at(home.join(secret)?, Level::Inaccessible));
            }
        }
        Ok(rules)
    }
}

/// How much a search may look at.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) time: Duration,
    pub(crate) entries: usize,
}

/// What was found.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) protections: Vec<Protection>,
    /// Those of the protected paths that are no directories.
    pub(crate) files: Vec<AbsolutePath>,
    /// What linked worktrees share with others.
    pub(crate) common_directories: Vec<AbsolutePath>,
    /// Protected paths in writable roots that are not there.
    pub(crate) missing: Vec<AbsolutePath>,
}

impl Found {
    fn add(&mut self, path: AbsolutePath, level: Level, kind: Kind) {
        if kind == Kind::File && !self.files.contains(&path) {
            self.files.push(path.clone());
        }
        let protection = Protection { path, level };
        if !self.protections.contains(&protection) {
            self.protections.push(protection);
        }
    }
}

/// Looks for everything that the rules protect, and for sockets of the host. `searched` are the roots that are walked, `roots` all that
/// can be written.
pub(crate) fn discover(
    rules: &[Rule],
    roots: &[AbsolutePath],
    searched: &[AbsolutePath],
    limits: Limits,
) -> Result<Found, Refusal> {
    let mut found = Found::default();
    let mut names = Vec::new();
    for rule in rules {
        match &rule.pattern {
            Pattern::Named(name) => names.push((name.as_slice(), rule.level)),
            Pattern::At(path) => literal(&mut found, path, rule.level, roots)?,
        }
    }
    walk::search(&mut found, &names, searched, limits)?;
    sockets::hide(&mut found, roots);
    for (name, _) in &names {
        let candidates = searched.iter().filter_map(|root| root.join(name).ok());
        let missing = candidates.filter(|path| rustix::fs::lstat(crate::identity::as_path(path)).is_err());
        found.missing.extend(missing);
    }
    Ok(found)
}

fn literal(
    found: &mut Found,
    path: &AbsolutePath,
    level: Level,
    roots: &[AbsolutePath],
) -> Result<(), Refusal> {
    let is_writable = |at: &AbsolutePath| roots.iter().any(|root| at.is_within(root) && at != root);
    match resolve(path) {
        Ok(resolved) => {
            if let Some(hop) = resolved.hops.iter().find(|hop| is_writable(&hop.at)) {
                let message = "a protected path crosses a link in a writable root";
                return Err(Refusal::at(RefusalCode::ProtectedPathCrossesSymlink, &hop.at, message));
            }
            found.add(resolved.path, level, resolved.kind);
            Ok(())
        }
        Err(Unresolved::System(rustix::io::Errno::NOENT | rustix::io::Errno::NOTDIR)) => {
            if is_writable(path) {
                found.missing.push(path.clone());
            }
            Ok(())
        }
        // What we cannot reach, the child cannot either.
        Err(Unresolved::System(rustix::io::Errno::ACCESS)) if !is_writable(path) => Ok(()),
        Err(why) => Err(Refusal::at(RefusalCode::ProtectedPathUncoverable, path, why.to_string())),
    }
}

#[cfg(test)]
mod tests;
