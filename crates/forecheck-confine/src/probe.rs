//! Whether a boundary can be held here: tried with a command that does nothing, never read from prose.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::time::{Duration, Instant};

use forecheck_boundary::{AbsolutePath, Network};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::facts::{End, Proc, Started};
use crate::identity::{Identity, as_path, resolve};
use crate::launch::Conversation;
use crate::plan::Plan;
use crate::plan::arguments::Namespaces;
use crate::settings::Settings;
use crate::supervisor::NOTHING;
use crate::wire::{Confinement, Order, Report, Stage};

/// All stages together, on this host.
const BUDGET: Duration = Duration::from_secs(2);
/// The second try of a probe that timed out, where a sandbox is not required.
const SECOND_BUDGET: Duration = Duration::from_secs(5);
/// Where systems install bubblewrap; only their administrators write there.
const PLACES: [&str; 3] = ["/usr/bin/bwrap", "/bin/bwrap", "/usr/local/bin/bwrap"];
const SET_USER_ID: u32 = 0o4000;

/// Why a boundary cannot be held here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum ProbeReason {
    /// bubblewrap or the supervisor is not there.
    BackendNotFound,
    /// bubblewrap runs as another user than ours.
    BackendSetuid,
    /// The kernel has no user namespaces.
    KernelNoUserns,
    /// There may be no more user namespaces.
    UsernsLimitReached,
    /// User namespaces, or mounts in them, are not permitted.
    UsernsDenied,
    /// Process namespaces are not permitted.
    PidnsDenied,
    /// No network namespace can be set up.
    NetnsLoopbackDenied,
    /// The probe took too long, which says nothing: another one may work.
    ProbeTimedOut,
}

impl ProbeReason {
    /// As it is spelled in JSON.
    pub fn name(self) -> &'static str {
        match self {
            ProbeReason::BackendNotFound => "BACKEND_NOT_FOUND",
            ProbeReason::BackendSetuid => "BACKEND_SETUID",
            ProbeReason::KernelNoUserns => "KERNEL_NO_USERNS",
            ProbeReason::UsernsLimitReached => "USERNS_LIMIT_REACHED",
            ProbeReason::UsernsDenied => "USERNS_DENIED",
            ProbeReason::PidnsDenied => "PIDNS_DENIED",
            ProbeReason::NetnsLoopbackDenied => "NETNS_LOOPBACK_DENIED",
            ProbeReason::ProbeTimedOut => "PROBE_TIMED_OUT",
        }
    }
}

/// A backend that held a boundary when it was tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Available {
    pub(crate) program: AbsolutePath,
    pub(crate) identity: Identity,
    pub(crate) proc: Proc,
}

/// What an answer holds for: another binary, boot, user or set of flags is probed anew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Target {
    program: AbsolutePath,
    identity: Identity,
    changed: i64,
    boot: String,
    user: u32,
    network: Network,
}

impl Target {
    /// Finds the backend.
    pub(crate) fn find(settings: &Settings, network: Network) -> Result<Self, ProbeReason> {
        let missing = ProbeReason::BackendNotFound;
        resolve(&settings.supervisor).map_err(|_| missing)?;
        let places = PLACES.iter().filter_map(|place| AbsolutePath::parse(place).ok());
        let found = match &settings.bubblewrap {
            Some(path) => resolve(path).ok(),
            None => places.into_iter().find_map(|path| resolve(&path).ok()),
        };
        let found = found.ok_or(missing)?;
        let metadata = fs::metadata(as_path(&found.path)).map_err(|_| missing)?;
        if metadata.mode() & SET_USER_ID != 0 {
            return Err(ProbeReason::BackendSetuid);
        }
        Ok(Target {
            program: found.path,
            identity: found.identity,
            changed: metadata.mtime(),
            boot: fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default(),
            user: rustix::process::geteuid().as_raw(),
            network,
        })
    }

    /// Tries the backend; a second time, and longer, after a timeout.
    pub(crate) fn probe(&self, settings: &Settings, retries: bool) -> Result<Available, ProbeReason> {
        match self.stages(settings, BUDGET) {
            Err(ProbeReason::ProbeTimedOut) if retries => self.stages(settings, SECOND_BUDGET),
            answer => answer,
        }
    }

    /// All at once, as in a launch; where that fails, one more thing at a time, to know what is missing.
    fn stages(&self, settings: &Settings, budget: Duration) -> Result<Available, ProbeReason> {
        let until = Instant::now() + budget;
        let isolated = self.network == Network::Isolated;
        let attempt =
            |processes, network, proc| self.attempt(settings, Namespaces { processes, network }, proc, until);
        let available = |proc| Available { program: self.program.clone(), identity: self.identity, proc };
        if attempt(true, isolated, Proc::Fresh)? {
            return Ok(available(Proc::Fresh));
        }
        if !attempt(false, false, Proc::Host)? {
            return Err(why_no_user_namespace());
        }
        if !attempt(true, false, Proc::Host)? {
            return Err(ProbeReason::PidnsDenied);
        }
        if isolated && !attempt(true, true, Proc::Host)? {
            return Err(ProbeReason::NetnsLoopbackDenied);
        }
        Ok(available(Proc::Host))
    }

    fn attempt(
        &self,
        settings: &Settings,
        namespaces: Namespaces,
        proc: Proc,
        until: Instant,
    ) -> Result<bool, ProbeReason> {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(ProbeReason::ProbeTimedOut);
        }
        let plan = Plan::bare(crate::prepare::private_directories(), proc, self.network);
        let confinement = Confinement {
            program: self.program.clone(),
            identity: self.identity,
            arguments: plan.arguments_in(namespaces),
            expected: Vec::new(),
        };
        let report = ask(settings, confinement, left).ok_or(ProbeReason::BackendNotFound)?;
        match (report.end, report.started) {
            (Some(End::SetupTimedOut | End::TimedOut), _) => Err(ProbeReason::ProbeTimedOut),
            (Some(End::Exited { code: 0 }), Started::Yes) if report.exec_error.is_none() => Ok(true),
            _ => Ok(false),
        }
    }
}

fn ask(settings: &Settings, confinement: Confinement, left: Duration) -> Option<Report> {
    let milliseconds = u64::try_from(left.as_millis()).unwrap_or(u64::MAX);
    let stage = Stage {
        // The supervisor itself, whose path need not be visible inside.
        command: vec!["/proc/self/exe".into(), NOTHING.into()],
        environment: Vec::new(),
        workdir: AbsolutePath::root(),
    };
    let order = |stdout, stderr| Order {
        confined: Some(confinement),
        stage,
        setup_ms: milliseconds,
        run_ms: Some(milliseconds),
        grace_ms: 0,
        output_limit: 65_536,
        stdout,
        stderr,
    };
    Conversation::begin(settings, order).ok()?.end()
}

fn why_no_user_namespace() -> ProbeReason {
    if !fs::exists("/proc/self/ns/user").unwrap_or(true) {
        return ProbeReason::KernelNoUserns;
    }
    let most = fs::read_to_string("/proc/sys/user/max_user_namespaces");
    if most.is_ok_and(|most| most.trim() == "0") {
        return ProbeReason::UsernsLimitReached;
    }
    ProbeReason::UsernsDenied
}
