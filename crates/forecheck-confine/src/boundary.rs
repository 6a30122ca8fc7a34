//! Whether a command is confined: decided once, before anything is prepared.

use forecheck_boundary::{Effective, effective_sandbox};

use crate::facts::Sandbox;
use crate::probe::{Available, ProbeReason};
use crate::request::{Escalation, Request};

/// A request, and whether it is confined. Neither kind can be made into the other one.
#[derive(Debug)]
pub enum Boundary {
    /// In a boundary that a backend holds.
    Confined(Confined),
    /// Without one, as was chosen, or as nothing else is to be had.
    Unconfined(Unconfined),
}

/// A request that is confined or not started.
#[derive(Debug)]
pub struct Confined {
    pub(crate) request: Request,
    pub(crate) available: Available,
}

/// A request that was unconfined from the start.
#[derive(Debug)]
pub struct Unconfined {
    pub(crate) request: Request,
    pub(crate) why: Direct,
}

/// Why a command is unconfined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direct {
    Off,
    Escalated,
    Unavailable(ProbeReason),
}

/// What the request says of the sandbox before anything is probed.
pub(crate) enum Wish {
    Direct(Direct),
    Sandbox(Effective),
}

/// `off` wins over escalation, and both do without a probe.
pub(crate) fn wish(request: &Request) -> Wish {
    match effective_sandbox(request.mode, request.preference) {
        Effective::Off => Wish::Direct(Direct::Off),
        Effective::BestEffort | Effective::Required if request.escalation == Escalation::Full => {
            Wish::Direct(Direct::Escalated)
        }
        effective @ (Effective::BestEffort | Effective::Required) => Wish::Sandbox(effective),
    }
}

impl Direct {
    pub(crate) fn sandbox(self) -> Sandbox {
        match self {
            Direct::Off => Sandbox::Off,
            Direct::Escalated => Sandbox::Escalated,
            Direct::Unavailable(_) => Sandbox::Unavailable,
        }
    }
}
