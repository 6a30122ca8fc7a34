//! A ledger that is forgotten with its process: for tests, and where no repeat outlives a process.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use forecheck_contract::key::Key;

use super::{
    ClaimId, Claimed, Doubt, Finding, HoldId, Known, Ledger, LedgerError, NewClaim, Resolving, RowId,
    Settlement, Settling, Success,
};

/// A ledger in memory.
#[derive(Debug, Default)]
pub struct MemoryLedger {
    rows: Mutex<Rows>,
}

#[derive(Debug, Default)]
struct Rows {
    by_id: BTreeMap<RowId, Row>,
    /// The fences of claims that act each time. Such a call is never looked up, so nothing is kept of it.
    each: BTreeSet<u64>,
    /// The fence of the holder of each target.
    held: BTreeMap<String, u64>,
    last_fence: u64,
}

#[derive(Debug)]
struct Row {
    fence: u64,
    input: Key,
    state: State,
}

#[derive(Debug)]
enum State {
    Started,
    InDoubt { since: SystemTime, why: String },
    Succeeded(Success),
}

impl Row {
    fn known(&self, id: &RowId, now: SystemTime) -> Option<Known> {
        match &self.state {
            State::Started => Some(Known::InFlight),
            State::InDoubt { why, .. } => {
                let claim = ClaimId { row: id.clone(), fence: self.fence };
                Some(Known::InDoubt(Doubt { claim, why: why.clone() }))
            }
            State::Succeeded(success) if success.until.is_some_and(|until| until <= now) => None,
            State::Succeeded(success) => Some(Known::Succeeded(success.clone())),
        }
    }

    /// Makes the row what a settlement says, where it can still become that.
    fn settle(&mut self, settlement: &Settlement) -> Settling {
        match (&self.state, settlement) {
            (State::Started | State::InDoubt { .. }, Settlement::Succeeded { output, window }) => {
                Settling::Recorded { until: self.succeed(output, *window) }
            }
            (State::Started, Settlement::InDoubt { why }) => {
                self.state = State::InDoubt { since: SystemTime::now(), why: why.clone() };
                Settling::Recorded { until: None }
            }
            (State::Started, Settlement::NothingHappened) => Settling::Recorded { until: None },
            (State::InDoubt { .. } | State::Succeeded(_), _) => Settling::Lost,
        }
    }

    fn succeed(&mut self, output: &str, window: Option<Duration>) -> Option<SystemTime> {
        let at = SystemTime::now();
        let until = window.and_then(|window| at.checked_add(window));
        self.state =
            State::Succeeded(Success { output: Ok(output.to_owned()), at, until, input: self.input });
        until
    }
}

impl Rows {
    fn next_fence(&mut self) -> u64 {
        self.last_fence += 1;
        self.last_fence
    }
}

impl MemoryLedger {
    /// An empty ledger.
    pub fn new() -> Self {
        MemoryLedger::default()
    }

    /// The rows. A panic elsewhere cannot leave one half-written.
    fn rows(&self) -> MutexGuard<'_, Rows> {
        self.rows.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ledger for MemoryLedger {
    fn look_up(&self, row: &RowId) -> Result<Option<Known>, LedgerError> {
        Ok(self.rows().by_id.get(row).and_then(|found| found.known(row, SystemTime::now())))
    }

    fn claim(&self, claim: NewClaim) -> Result<Claimed, LedgerError> {
        let mut rows = self.rows();
        let fence = rows.next_fence();
        let id = ClaimId { row: claim.row, fence };
        if claim.each_acts {
            rows.each.insert(fence);
        } else if let Some(known) =
            rows.by_id.get(&id.row).and_then(|row| row.known(&id.row, SystemTime::now()))
        {
            return Ok(Claimed::No(known));
        } else {
            let row = Row { fence, input: claim.input, state: State::Started };
            rows.by_id.insert(id.row.clone(), row);
        }
        Ok(Claimed::Yes(id))
    }

    fn settle(&self, claim: &ClaimId, settlement: &Settlement) -> Result<Settling, LedgerError> {
        let mut rows = self.rows();
        if rows.each.contains(&claim.fence) {
            if !matches!(settlement, Settlement::InDoubt { .. }) {
                rows.each.remove(&claim.fence);
            }
            return Ok(Settling::Recorded { until: None });
        }
        let Some(row) = rows.by_id.get_mut(&claim.row).filter(|row| row.fence == claim.fence) else {
            return Ok(Settling::Lost);
        };
        let settling = row.settle(settlement);
        if *settlement == Settlement::NothingHappened && settling != Settling::Lost {
            rows.by_id.remove(&claim.row);
        }
        Ok(settling)
    }

    fn resolve(&self, doubt: &ClaimId, finding: &Finding) -> Result<Resolving, LedgerError> {
        let mut rows = self.rows();
        let row = rows.by_id.get_mut(&doubt.row).filter(|row| row.fence == doubt.fence);
        let Some((row, since)) = row.and_then(|row| match row.state {
            State::InDoubt { since, .. } => Some((row, since)),
            State::Started | State::Succeeded(_) => None,
        }) else {
            return Ok(Resolving::Gone);
        };
        match finding {
            Finding::Landed { output, window } => {
                row.succeed(output, *window);
            }
            Finding::Absent { in_doubt_by } => {
                if in_doubt_by.is_some_and(|by| since > by) {
                    return Ok(Resolving::TooEarly);
                }
                rows.by_id.remove(&doubt.row);
            }
        }
        Ok(Resolving::Resolved)
    }

    fn hold(&self, target: &str) -> Result<Option<HoldId>, LedgerError> {
        let mut rows = self.rows();
        if rows.held.contains_key(target) {
            return Ok(None);
        }
        let fence = rows.next_fence();
        rows.held.insert(target.to_owned(), fence);
        Ok(Some(HoldId { target: target.to_owned(), fence }))
    }

    fn release(&self, hold: &HoldId) -> Result<(), LedgerError> {
        let mut rows = self.rows();
        if rows.held.get(&hold.target) == Some(&hold.fence) {
            rows.held.remove(&hold.target);
        }
        Ok(())
    }
}
