//! Ours, and two that others use: they have to fail, or the soak shows nothing.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use forecheck::ledger::{
    ClaimId, Claimed, Finding, HoldId, Known, LedgerError, NewClaim, Resolving, RowId, Settlement, Settling,
};
use forecheck::{Ledger, SqliteLedger};

/// How a call is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Protocol {
    /// Claim, act, settle; the claim of a process that died is in doubt.
    Ours,
    /// Look whether it was done, act, record that it was.
    CheckThenAct,
    /// As ours, and whoever finds the claim of a process that died takes it over.
    TakeOver,
}

impl Protocol {
    pub(crate) const ALL: [Protocol; 3] = [Protocol::Ours, Protocol::CheckThenAct, Protocol::TakeOver];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Protocol::Ours => "ours",
            Protocol::CheckThenAct => "check-then-act",
            Protocol::TakeOver => "take-over",
        }
    }

    pub(crate) fn describe(self) -> &'static str {
        match self {
            Protocol::Ours => "claim, act, settle; a dead claim is in doubt",
            Protocol::CheckThenAct => "look, act, record",
            Protocol::TakeOver => "claim, act, settle; a dead claim is taken over",
        }
    }

    pub(crate) fn ledger(self, folder: &Path) -> Arc<dyn Ledger> {
        let ledger = SqliteLedger::at(folder.join("ledger.sqlite"));
        match self {
            Protocol::Ours => Arc::new(ledger),
            Protocol::CheckThenAct => Arc::new(CheckThenAct { ledger, claims: Mutex::default() }),
            Protocol::TakeOver => Arc::new(TakeOver { ledger }),
        }
    }
}

#[derive(Debug)]
struct CheckThenAct {
    ledger: SqliteLedger,
    claims: Mutex<BTreeMap<RowId, NewClaim>>,
}

impl Ledger for CheckThenAct {
    fn look_up(&self, row: &RowId) -> Result<Option<Known>, LedgerError> {
        self.ledger.look_up(row)
    }

    fn claim(&self, claim: NewClaim) -> Result<Claimed, LedgerError> {
        let row = claim.row.clone();
        changes::held(&self.claims).insert(row.clone(), claim);
        Ok(Claimed::Yes(ClaimId { row, fence: 0 }))
    }

    fn settle(&self, claim: &ClaimId, settlement: &Settlement) -> Result<Settling, LedgerError> {
        let claim = changes::held(&self.claims).remove(&claim.row).unwrap();
        match self.ledger.claim(claim)? {
            Claimed::Yes(claim) => self.ledger.settle(&claim, settlement),
            Claimed::No(_) => Ok(Settling::Recorded { until: None }),
        }
    }

    fn resolve(&self, doubt: &ClaimId, finding: &Finding) -> Result<Resolving, LedgerError> {
        self.ledger.resolve(doubt, finding)
    }

    fn hold(&self, target: &str) -> Result<Option<HoldId>, LedgerError> {
        self.ledger.hold(target)
    }

    fn release(&self, hold: &HoldId) -> Result<(), LedgerError> {
        self.ledger.release(hold)
    }
}

#[derive(Debug)]
struct TakeOver {
    ledger: SqliteLedger,
}

impl Ledger for TakeOver {
    fn look_up(&self, row: &RowId) -> Result<Option<Known>, LedgerError> {
        match self.ledger.look_up(row)? {
            Some(Known::InDoubt(doubt)) => {
                self.ledger.resolve(&doubt.claim, &Finding::Absent { in_doubt_by: None })?;
                Ok(None)
            }
            known => Ok(known),
        }
    }

    fn claim(&self, claim: NewClaim) -> Result<Claimed, LedgerError> {
        self.ledger.claim(claim)
    }

    fn settle(&self, claim: &ClaimId, settlement: &Settlement) -> Result<Settling, LedgerError> {
        self.ledger.settle(claim, settlement)
    }

    fn resolve(&self, doubt: &ClaimId, finding: &Finding) -> Result<Resolving, LedgerError> {
        self.ledger.resolve(doubt, finding)
    }

    fn hold(&self, target: &str) -> Result<Option<HoldId>, LedgerError> {
        self.ledger.hold(target)
    }

    fn release(&self, hold: &HoldId) -> Result<(), LedgerError> {
        self.ledger.release(hold)
    }
}
