//! From a boundary to a launch that can be made: nothing has been started, and nothing of it can be changed.

mod environment;
mod files;

use std::sync::Arc;
use std::time::Instant;

use forecheck_boundary::{AbsolutePath, Access, ByteText, Coverage, Extent, Grant, Network};

use crate::boundary::{Confined, Direct, Unconfined};
use crate::discovery::{Found, discover};
use crate::facts::{Backend, Enforcement, Filesystem, LaunchFacts, NetworkFact, Sandbox, Timings};
use crate::history::History;
use crate::identity::{Kind, Resolved, open_unlinked, resolve};
use crate::plan::{Blueprint, FoundGrant, MAX_BINDS, Plan};
use crate::probe::Available;
use crate::refusal::{Refusal, RefusalCode};
use crate::request::{Request, Writable};
use crate::settings::Settings;
use crate::wire::{Confinement, Stage};

pub(crate) use files::private_directories;

/// A launch that can be made once.
///
/// It is neither cloned nor built from anything but a boundary: what was refused, what has settled and what is
/// only known about a launch cannot become one.
#[derive(Debug)]
pub struct Prepared {
    pub(crate) settings: Settings,
    pub(crate) history: Arc<History>,
    pub(crate) confined: Option<PreparedConfinement>,
    pub(crate) stage: Stage,
    pub(crate) timeout: Option<std::time::Duration>,
    /// What is known before the launch.
    pub(crate) facts: LaunchFacts,
}

/// What a confined launch has beyond a direct one.
#[derive(Debug)]
pub(crate) struct PreparedConfinement {
    pub(crate) plan: Plan,
    pub(crate) confinement: Confinement,
    pub(crate) fingerprint: String,
    /// Protected paths that are not there yet.
    pub(crate) missing: Vec<AbsolutePath>,
    /// Held until the launch, so that no other file gets the identity of one of these.
    #[expect(dead_code, reason = "held, not read")]
    held: Vec<Resolved>,
}

impl Prepared {
    /// What is known of the launch now, as a preview.
    pub fn facts(&self) -> &LaunchFacts {
        &self.facts
    }

    /// The mounts of a confined launch; `None` without a boundary.
    pub fn plan(&self) -> Option<&Plan> {
        self.confined.as_ref().map(|confined| &confined.plan)
    }
}

/// Files of a request, found once.
struct Files {
    roots: Vec<Resolved>,
    grants: Vec<(Resolved, FoundGrant)>,
    workdir: Resolved,
}

impl Files {
    fn root_paths(&self) -> Vec<AbsolutePath> {
        self.roots.iter().map(|root| root.path.clone()).collect()
    }

    /// Trees that can be written: roots, and grants.
    fn writable_trees(&self) -> Vec<AbsolutePath> {
        let is_tree = |grant: &Grant| grant.access == Access::Write && grant.extent == Extent::Recursive;
        let granted = self.grants.iter().map(|(_, found)| &found.grant).filter(|grant| is_tree(grant));
        self.root_paths().into_iter().chain(granted.map(|grant| grant.path.clone())).collect()
    }
}

pub(crate) fn confined(
    settings: &Settings,
    history: &Arc<History>,
    Confined { request, available }: Confined,
) -> Result<Prepared, Refusal> {
    let began = Instant::now();
    let files = files::find(settings, &request)?;
    files::check_ours(settings, &available, &files)?;
    let found = protections(settings, &files)?;
    let blueprint = blueprint(&request, &available, &files, &found)?;
    let plan = Plan::of(&blueprint).map_err(|conflict| {
        let message = format!("the plan would not give {:?} there", conflict.asked);
        Refusal::at(RefusalCode::GrantConflict, &conflict.path, message)
    })?;
    check_size(&plan)?;
    let expected = expected(&plan, &files)?;
    let fingerprint = fingerprint(&plan, &available);
    if let Some(reason) = history.stuck(&fingerprint) {
        let message = format!("the same launch failed before, and nothing has changed: {reason}");
        return Err(Refusal::new(RefusalCode::LaunchFailureUnchanged, message));
    }
    let facts = facts_of_confined(&request, &available, &blueprint, &plan, &found, began);
    let Available { program, identity, .. } = available;
    let confinement = Confinement { program, identity, arguments: plan.arguments(), expected };
    let stage = stage(&request, files.workdir.path.clone(), &environment::confined(request.network));
    let Files { roots, grants, workdir } = files;
    let held = roots.into_iter().chain(grants.into_iter().map(|(held, _)| held)).chain([workdir]).collect();
    let missing = found.missing;
    Ok(Prepared {
        settings: settings.clone(),
        history: Arc::clone(history),
        confined: Some(PreparedConfinement { plan, confinement, fingerprint, missing, held }),
        stage,
        timeout: request.timeout,
        facts,
    })
}

pub(crate) fn unconfined(
    settings: &Settings,
    history: &Arc<History>,
    Unconfined { request, why }: Unconfined,
) -> Result<Prepared, Refusal> {
    let began = Instant::now();
    let workdir = files::workdir(&request)?;
    let (reason, first_direct_fallback) = match why {
        Direct::Unavailable(reason) => (Some(reason.name().to_owned()), history.is_first_fallback()),
        Direct::Off | Direct::Escalated => (None, false),
    };
    let facts = LaunchFacts {
        sandbox: why.sandbox(),
        enforcement: Enforcement::None,
        filesystem: Filesystem::Unrestricted,
        network: NetworkFact::Unrestricted,
        reason,
        first_direct_fallback,
        timings: Timings { prepare: elapsed(began), ..Timings::default() },
        ..LaunchFacts::refused()
    };
    let environment = environment::direct(&settings.temporary);
    Ok(Prepared {
        settings: settings.clone(),
        history: Arc::clone(history),
        confined: None,
        stage: stage(&request, workdir.path, &environment),
        timeout: request.timeout,
        facts,
    })
}

fn protections(settings: &Settings, files: &Files) -> Result<Found, Refusal> {
    let trees = files.writable_trees();
    let is_searched = |tree: &&AbsolutePath| {
        **tree != settings.temporary
            && !trees
                .iter()
                .any(|other| other != *tree && tree.is_within(other) && *other != settings.temporary)
    };
    let searched: Vec<AbsolutePath> = trees.iter().filter(is_searched).cloned().collect();
    discover(&settings.policy, &trees, &searched, files::SEARCH)
}

fn blueprint(
    request: &Request,
    available: &Available,
    files: &Files,
    found: &Found,
) -> Result<Blueprint, Refusal> {
    let coverage = Coverage { writable_roots: files.root_paths(), protections: found.protections.clone() };
    let mut grants: Vec<FoundGrant> = files.grants.iter().map(|(_, found)| found.clone()).collect();
    if let Some(grant) = grants.iter().find(|grant| !grant.is_representable(&coverage)) {
        let message = "a directory can only be granted with what lies in it";
        return Err(Refusal::at(RefusalCode::BoundaryUnenforceable, &grant.grant.path, message));
    }
    if request.network == Network::Unrestricted {
        grants.extend(files::resolver_configuration());
    }
    Ok(Blueprint {
        coverage,
        protected_files: found.files.clone(),
        grants,
        private: private_directories(),
        proc: available.proc,
        network: request.network,
        workdir: files.workdir.path.clone(),
    })
}

fn check_size(plan: &Plan) -> Result<(), Refusal> {
    let cost = plan.cost();
    if cost > MAX_BINDS {
        let message = format!("{cost} mounts, {MAX_BINDS} are the most");
        return Err(Refusal::new(RefusalCode::BoundaryTooLarge, message));
    }
    Ok(())
}

/// Which file each mount has to be when it is made.
fn expected(plan: &Plan, files: &Files) -> Result<Vec<(AbsolutePath, crate::identity::Identity)>, Refusal> {
    let held = || files.roots.iter().chain(files.grants.iter().map(|(held, _)| held));
    let mut expected = Vec::new();
    for path in plan.binds() {
        let changed = || {
            let message = "it is no longer what it was when the launch was prepared";
            Refusal::at(RefusalCode::GrantTargetChanged, path, message)
        };
        let (_, identity, _) = open_unlinked(path).map_err(|_| changed())?;
        if held().any(|held| held.path == *path && held.identity != identity) {
            return Err(changed());
        }
        expected.push((path.clone(), identity));
    }
    Ok(expected)
}

/// What a failure to launch depends on: boundary and backend, not the command, its output or the time.
fn fingerprint(plan: &Plan, available: &Available) -> String {
    format!("{plan:?} {available:?}")
}

fn stage(request: &Request, workdir: AbsolutePath, own: &[(ByteText, ByteText)]) -> Stage {
    let is_replaced = |name: &ByteText| own.iter().any(|(own, _)| own == name);
    let kept = request.environment.iter().filter(|(name, _)| !is_replaced(name)).cloned();
    let environment = kept.chain(own.iter().cloned()).collect();
    Stage { command: request.command.clone(), environment, workdir }
}

fn facts_of_confined(
    request: &Request,
    available: &Available,
    blueprint: &Blueprint,
    plan: &Plan,
    found: &Found,
    began: Instant,
) -> LaunchFacts {
    let count = |access| request.grants.iter().filter(|asked| asked.grant.access == access).count();
    LaunchFacts {
        sandbox: Sandbox::Bubblewrap,
        enforcement: Enforcement::Full,
        filesystem: Filesystem::WorkspaceWrite,
        network: match request.network {
            Network::Isolated => NetworkFact::Isolated,
            Network::Unrestricted => NetworkFact::Unrestricted,
        },
        proc: Some(available.proc),
        writable_roots: match &request.writable {
            Writable::Roots(_) => blueprint.coverage.writable_roots.len(),
            Writable::Nothing => 0,
        },
        protected_paths: found.protections.len(),
        additional_reads: count(Access::Read),
        additional_writes: count(Access::Write),
        binds: plan.cost(),
        git_common_directories: found.common_directories.clone(),
        backend: Some(Backend {
            name: "bubblewrap".to_owned(),
            path: available.program.clone(),
            identity: available.identity,
        }),
        timings: Timings { prepare: elapsed(began), ..Timings::default() },
        ..LaunchFacts::refused()
    }
}

fn elapsed(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX)
}

/// Resolves a path, or says with this code why it cannot be.
fn found(path: &AbsolutePath, code: RefusalCode) -> Result<Resolved, Refusal> {
    resolve(path).map_err(|why| Refusal::at(code, path, why.to_string()))
}

fn is_directory(resolved: &Resolved) -> bool {
    resolved.kind == Kind::Directory
}
