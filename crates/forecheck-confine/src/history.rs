//! What a launcher remembers of its session: answers of probes, launches that failed, and whether it has said
//! that there is no sandbox. Never a decision about a command.

use std::sync::{Mutex, MutexGuard, PoisonError};

use forecheck_boundary::Network;

use crate::probe::{Available, ProbeReason, Target};
use crate::settings::Settings;

/// So many equal failures end the retries of a caller.
const STUCK_AFTER: u32 = 2;

#[derive(Debug, Default)]
pub(crate) struct History {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    probes: Vec<(Target, Result<Available, ProbeReason>)>,
    failures: Vec<Failure>,
    has_fallen_back: bool,
}

#[derive(Debug)]
struct Failure {
    fingerprint: String,
    reason: String,
    times: u32,
}

impl History {
    fn state(&self) -> MutexGuard<'_, State> {
        // Every change is one assignment: what a panic left is whole.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a probe said for this target, or says now. A timeout is not kept: it says nothing.
    pub(crate) fn probe(
        &self,
        settings: &Settings,
        network: Network,
        retries: bool,
    ) -> Result<Available, ProbeReason> {
        let target = Target::find(settings, network)?;
        let known =
            self.state().probes.iter().find(|(known, _)| *known == target).map(|(_, answer)| answer.clone());
        if let Some(answer) = known {
            return answer;
        }
        let answer = target.probe(settings, retries);
        if answer != Err(ProbeReason::ProbeTimedOut) {
            self.state().probes.push((target, answer.clone()));
        }
        answer
    }

    /// A confined launch did not come to its start: what the probes said is no longer believed.
    pub(crate) fn failed(&self, fingerprint: &str, reason: String) {
        let mut state = self.state();
        state.probes.clear();
        match state.failures.iter_mut().find(|failure| failure.fingerprint == fingerprint) {
            Some(failure) if failure.reason == reason => failure.times += 1,
            Some(failure) => {
                failure.reason = reason;
                failure.times = 1;
            }
            None => {
                let fingerprint = fingerprint.to_owned();
                state.failures.push(Failure { fingerprint, reason, times: 1 });
            }
        }
    }

    /// A confined launch came to its start.
    pub(crate) fn started(&self, fingerprint: &str) {
        self.state().failures.retain(|failure| failure.fingerprint != fingerprint);
    }

    /// Why launching this once more is of no use.
    pub(crate) fn stuck(&self, fingerprint: &str) -> Option<String> {
        let state = self.state();
        let stuck = |failure: &&Failure| failure.fingerprint == fingerprint && failure.times >= STUCK_AFTER;
        state.failures.iter().find(stuck).map(|failure| failure.reason.clone())
    }

    /// Whether this is the first time that a command runs unconfined for want of a sandbox.
    pub(crate) fn is_first_fallback(&self) -> bool {
        !std::mem::replace(&mut self.state().has_fallen_back, true)
    }

    /// The user asks to try everything anew.
    pub(crate) fn forget(&self) {
        let mut state = self.state();
        state.probes.clear();
        state.failures.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_equal_failures_end_the_retries_until_something_changes() {
        let history = History::default();
        history.failed("a", "one".to_owned());
        assert_eq!(history.stuck("a"), None);
        history.failed("a", "another".to_owned());
        assert_eq!(history.stuck("a"), None);
        history.failed("a", "another".to_owned());
        assert_eq!(history.stuck("a"), Some("another".to_owned()));
        assert_eq!(history.stuck("b"), None);
        history.started("a");
        assert_eq!(history.stuck("a"), None);
        history.failed("a", "one".to_owned());
        history.failed("a", "one".to_owned());
        history.forget();
        assert_eq!(history.stuck("a"), None);
    }

    #[test]
    fn the_first_fallback_is_said_once() {
        let history = History::default();
        assert!(history.is_first_fallback());
        assert!(!history.is_first_fallback());
    }
}
