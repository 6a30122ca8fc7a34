//! The order of a request: what is decided when, and what comes next.

use std::sync::Arc;

use forecheck_boundary::Effective;

use crate::boundary::{Boundary, Confined, Direct, Unconfined, Wish, wish};
use crate::history::History;
use crate::launch::Settled;
use crate::prepare::{self, Prepared};
use crate::refusal::{Refusal, RefusalCode, Refused};
use crate::request::Request;
use crate::settings::Settings;

/// Launches the commands of one session, and remembers what it must not learn twice.
#[derive(Debug)]
pub struct Launcher {
    settings: Settings,
    history: Arc<History>,
}

impl Launcher {
    /// For a session that begins.
    pub fn new(settings: Settings) -> Self {
        Launcher { settings, history: Arc::new(History::default()) }
    }

    /// Runs a command to its end, or to its timeout: prepared once, launched once, answered once.
    ///
    /// # Errors
    /// What refused it; then nothing was started. A launch that was made is never an error here: what became of
    /// it is what [`Settled::answer`] says.
    pub fn run(&self, request: Request) -> Result<Settled, Box<Refused>> {
        Ok(self.prepare(self.boundary(request)?)?.launch().settle())
    }

    /// Decides whether a request is confined. What is decided holds for everything after.
    ///
    /// # Errors
    /// `BOUNDARY_INVALID`, `NUL_IN_ARGUMENT`, `ARGUMENT_TOO_LONG`; `SANDBOX_REQUIRED_UNAVAILABLE`.
    pub fn boundary(&self, request: Request) -> Result<Boundary, Box<Refused>> {
        request.check().map_err(Refusal::with_facts)?;
        let effective = match wish(&request) {
            Wish::Direct(why) => return Ok(Boundary::Unconfined(Unconfined { request, why })),
            Wish::Sandbox(effective) => effective,
        };
        let retries = effective == Effective::BestEffort;
        match self.history.probe(&self.settings, request.network, retries) {
            Ok(available) => Ok(Boundary::Confined(Confined { request, available })),
            Err(reason) if effective == Effective::BestEffort => {
                Ok(Boundary::Unconfined(Unconfined { request, why: Direct::Unavailable(reason) }))
            }
            Err(reason) => {
                let message = format!("a sandbox is required, and there is none: {}", reason.name());
                let mut refused = Refusal::new(RefusalCode::SandboxRequiredUnavailable, message).with_facts();
                refused.facts.reason = Some(reason.name().to_owned());
                Err(refused)
            }
        }
    }

    /// Prepares either kind of request.
    ///
    /// # Errors
    /// As [`confine`](Self::confine) and [`direct`](Self::direct).
    pub fn prepare(&self, boundary: Boundary) -> Result<Prepared, Box<Refused>> {
        match boundary {
            Boundary::Confined(confined) => self.confine(confined),
            Boundary::Unconfined(unconfined) => self.direct(unconfined),
        }
    }

    /// Prepares a confined launch: finds the files, and what protects what, and plans the mounts.
    ///
    /// # Errors
    /// Every code about grants, roots, protections and their plan; `LAUNCH_FAILURE_UNCHANGED`. None of them
    /// leads to another kind of launch.
    pub fn confine(&self, confined: Confined) -> Result<Prepared, Box<Refused>> {
        prepare::confined(&self.settings, &self.history, confined).map_err(Refusal::with_facts)
    }

    /// Prepares a launch without a boundary, of a request that was so from the start.
    ///
    /// # Errors
    /// `CWD_MISSING`.
    pub fn direct(&self, unconfined: Unconfined) -> Result<Prepared, Box<Refused>> {
        prepare::unconfined(&self.settings, &self.history, unconfined).map_err(Refusal::with_facts)
    }

    /// Forgets what probes said and which launches failed, as a user asks.
    pub fn reprobe(&self) {
        self.history.forget();
    }
}
