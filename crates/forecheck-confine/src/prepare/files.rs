//! The files of a request: found, compared with what was approved, and refused where no boundary can hold.

use std::time::Duration;

use forecheck_boundary::{AbsolutePath, Access, Extent, Grant};

use super::{Files, found, is_directory};
use crate::discovery::Limits;
use crate::identity::{Resolved, as_path, resolve};
use crate::plan::FoundGrant;
use crate::probe::Available;
use crate::refusal::{Refusal, RefusalCode};
use crate::request::{AskedGrant, Request, Writable};
use crate::settings::Settings;

/// What a search for protected paths may look at, in all roots together.
pub(super) const SEARCH: Limits = Limits { time: Duration::from_secs(5), entries: 1_000_000 };

/// What the kernel shows there is not for mounts to grant.
const OF_THE_KERNEL: [&str; 3] = ["/proc", "/sys", "/dev"];
/// Directories that the child has of its own.
const PRIVATE: [&str; 2] = ["/tmp", "/run"];

pub(super) fn find(settings: &Settings, request: &Request) -> Result<Files, Refusal> {
    let workdir = workdir(request)?;
    let asked: &[AbsolutePath] = match &request.writable {
        Writable::Roots(roots) => roots,
        Writable::Nothing => &[],
    };
    let mut roots = Vec::new();
    for root in asked {
        let root = found(root, RefusalCode::GrantPathMissing)?;
        check_breadth(settings, &root)?;
        if !is_directory(&root) {
            let message = "a writable root is a directory";
            return Err(Refusal::at(RefusalCode::BoundaryInvalid, &root.path, message));
        }
        roots.push(root);
    }
    if !roots.is_empty() && !roots.iter().any(|root| workdir.path.is_within(&root.path)) {
        let message = "the working directory lies in no writable root";
        return Err(Refusal::at(RefusalCode::CwdOutsideBoundary, &workdir.path, message));
    }
    let is_nothing = |asked: &&AskedGrant| asked.grant.path.as_bytes() == b"/dev/null";
    let grants = request.grants.iter().filter(|asked| !is_nothing(asked));
    let grants = grants.map(|asked| grant(settings, asked)).collect::<Result<_, _>>()?;
    Ok(Files { roots, grants, workdir })
}

pub(super) fn workdir(request: &Request) -> Result<Resolved, Refusal> {
    let workdir = found(&request.workdir, RefusalCode::CwdMissing)?;
    if !is_directory(&workdir) {
        let message = "the working directory is no directory";
        return Err(Refusal::at(RefusalCode::CwdMissing, &workdir.path, message));
    }
    Ok(workdir)
}

fn grant(settings: &Settings, asked: &AskedGrant) -> Result<(Resolved, FoundGrant), Refusal> {
    let resolved = found(&asked.grant.path, RefusalCode::GrantPathMissing)?;
    if asked.approved.is_some_and(|approved| approved != resolved.identity) {
        let message = "the path names another file than the one that was approved";
        return Err(Refusal::at(RefusalCode::GrantTargetChanged, &asked.grant.path, message));
    }
    check_breadth(settings, &resolved)?;
    let grant = Grant { path: resolved.path.clone(), ..asked.grant.clone() };
    let found = FoundGrant { grant, kind: resolved.kind, hops: resolved.hops.clone() };
    Ok((resolved, found))
}

fn check_breadth(settings: &Settings, resolved: &Resolved) -> Result<(), Refusal> {
    let path = &resolved.path;
    let home = settings.home.as_ref().and_then(|home| resolve(home).ok()).map(|home| home.path);
    if home.is_some_and(|home| home.is_within(path)) || *path == AbsolutePath::root() {
        let message = "it holds the root, a home directory or more";
        return Err(Refusal::at(RefusalCode::GrantTooBroad, path, message));
    }
    let is_of_kernel = |place: &&str| AbsolutePath::parse(place).is_ok_and(|place| path.is_within(&place));
    if let Some(place) = OF_THE_KERNEL.iter().find(|place| is_of_kernel(place)) {
        let message = format!("what lies in `{place}` cannot be granted");
        return Err(Refusal::at(RefusalCode::BoundaryUnenforceable, path, message));
    }
    Ok(())
}

/// Programs and files of ours must not be the child's to write.
pub(super) fn check_ours(settings: &Settings, available: &Available, files: &Files) -> Result<(), Refusal> {
    let granted = files.grants.iter().map(|(_, found)| &found.grant);
    let written = granted.filter(|grant| grant.access == Access::Write).map(|grant| grant.path.clone());
    let writable: Vec<AbsolutePath> = files.root_paths().into_iter().chain(written).collect();
    let is_exposed = |path: &AbsolutePath| writable.iter().any(|tree| path.is_within(tree));
    let supervisor = resolve(&settings.supervisor).map(|resolved| resolved.path);
    for program in [&available.program, supervisor.as_ref().unwrap_or(&settings.supervisor)] {
        if is_exposed(program) {
            let message = "the child could replace the program that confines it";
            return Err(Refusal::at(RefusalCode::BackendUntrustedPath, program, message));
        }
    }
    let spool = found(&settings.spool, RefusalCode::BoundaryInvalid)?;
    if is_exposed(&spool.path) {
        let message = "the child could write where its output is kept";
        return Err(Refusal::at(RefusalCode::BoundaryInvalid, &spool.path, message));
    }
    Ok(())
}

/// Directories of the host that the child has empty ones of.
pub(crate) fn private_directories() -> Vec<AbsolutePath> {
    let paths = PRIVATE.iter().filter_map(|path| AbsolutePath::parse(path).ok());
    let is_plain = |path: &AbsolutePath| {
        resolve(path).is_ok_and(|resolved| resolved.hops.is_empty() && is_directory(&resolved))
    };
    paths.filter(is_plain).collect()
}

/// Where names are looked up is often a link into `/run`, of which the child has none.
pub(super) fn resolver_configuration() -> Option<FoundGrant> {
    let path = std::fs::canonicalize(as_path(&AbsolutePath::parse("/etc/resolv.conf").ok()?)).ok()?;
    let resolved = resolve(&crate::identity::from_path(&path)?).ok()?;
    let grant = Grant { path: resolved.path, access: Access::Read, extent: Extent::Exact };
    Some(FoundGrant { grant, kind: resolved.kind, hops: Vec::new() })
}
