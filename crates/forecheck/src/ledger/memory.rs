//! A ledger that is forgotten with its process: for tests, and where no repeat outlives a process.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use forecheck_contract::key::Key;

use super::{ClaimId, Claimed, Ledger, LedgerError, NewClaim, Record, RowId, Settlement, Success};

/// A ledger in memory.
#[derive(Debug, Default)]
pub struct MemoryLedger {
    rows: Mutex<Rows>,
}

#[derive(Debug, Default)]
struct Rows {
    by_slot: BTreeMap<Slot, Row>,
    held: BTreeSet<String>,
    last_fence: u64,
}

/// A call that acts once has the first slot of its row. One that acts each time has the slot of its
/// own fence, so that none stands in the way of another.
type Slot = (RowId, u64);

const ONCE: u64 = 0;

#[derive(Debug)]
struct Row {
    fence: u64,
    input: Key,
    state: State,
}

#[derive(Debug)]
enum State {
    Started,
    InDoubt,
    Succeeded(Success),
}

impl Row {
    fn record(&self, now: SystemTime) -> Record {
        match &self.state {
            State::Started => Record::InFlight,
            State::InDoubt => Record::InDoubt,
            State::Succeeded(success) if success.until.is_some_and(|until| until <= now) => Record::Absent,
            State::Succeeded(success) => Record::Succeeded(success.clone()),
        }
    }
}

impl Rows {
    fn settle(&mut self, slot: &Slot, state: impl FnOnce(&Row) -> State) {
        if let Some(row) = self.by_slot.get_mut(slot) {
            row.state = state(row);
        }
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
    fn look_up(&self, row: &RowId) -> Result<Record, LedgerError> {
        let known = self.rows().by_slot.get(&(row.clone(), ONCE)).map(|row| row.record(SystemTime::now()));
        Ok(known.unwrap_or(Record::Absent))
    }

    fn claim(&self, claim: NewClaim) -> Result<Claimed, LedgerError> {
        let mut rows = self.rows();
        let fence = rows.last_fence + 1;
        let slot = (claim.row, if claim.each_acts { fence } else { ONCE });
        let known = rows.by_slot.get(&slot).map_or(Record::Absent, |row| row.record(SystemTime::now()));
        if known != Record::Absent {
            return Ok(Claimed::No(known));
        }
        rows.last_fence = fence;
        let id = ClaimId { row: slot.0.clone(), fence };
        rows.by_slot.insert(slot, Row { fence, input: claim.input, state: State::Started });
        Ok(Claimed::Yes(id))
    }

    fn settle(&self, claim: &ClaimId, settlement: Settlement) -> Result<(), LedgerError> {
        let mut rows = self.rows();
        let slots = [claim.fence, ONCE].map(|slot| (claim.row.clone(), slot));
        let open = |row: &Row| row.fence == claim.fence && !matches!(row.state, State::Succeeded(_));
        let Some(slot) = slots.into_iter().find(|slot| rows.by_slot.get(slot).is_some_and(open)) else {
            return Ok(());
        };
        match settlement {
            Settlement::NothingHappened => {
                rows.by_slot.remove(&slot);
            }
            Settlement::InDoubt => rows.settle(&slot, |_| State::InDoubt),
            Settlement::Succeeded { output, window } => {
                let at = SystemTime::now();
                let until = window.and_then(|window| at.checked_add(window));
                rows.settle(&slot, |row| State::Succeeded(Success { output, at, until, input: row.input }));
            }
        }
        Ok(())
    }

    fn hold(&self, target: &str) -> Result<bool, LedgerError> {
        Ok(self.rows().held.insert(target.to_owned()))
    }

    fn release(&self, target: &str) -> Result<(), LedgerError> {
        self.rows().held.remove(target);
        Ok(())
    }
}
