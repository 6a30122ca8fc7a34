//! The record of calls: who claims a key acts, and a success is remembered.
//!
//! A row is absent, started, succeeded or in doubt. A call claims its row before its effect begins and
//! settles it afterwards. Nobody ever takes over the claim of somebody who died: that call is in doubt.

pub mod memory;

use std::fmt;
use std::time::{Duration, SystemTime};

use forecheck_contract::key::Key;

/// What names a row: the acting principal and the key.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RowId {
    /// On whose behalf the call acts.
    pub scope: String,
    /// The idempotency key.
    pub key: Key,
}

/// A call that wants to act.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewClaim {
    /// Its row.
    pub row: RowId,
    /// The verb, for people who read the ledger.
    pub verb: String,
    /// The digest of the whole input, of which the key leaves fields out.
    pub input: Key,
    /// Whether each call acts: then every claim has a row of its own, and none stands in the way of
    /// another.
    pub each_acts: bool,
}

/// A row that its owner settles. It names one claim, never a later one of the same key.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClaimId {
    /// The row.
    pub row: RowId,
    /// Which claim of it, counted by the ledger.
    pub fence: u64,
}

/// What the ledger knows of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Record {
    /// Nothing: it may be claimed.
    Absent,
    /// Its owner is at work.
    InFlight,
    /// Nobody knows whether its effect took place.
    InDoubt,
    /// It succeeded, and that is remembered.
    Succeeded(Success),
}

/// A success that is remembered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Success {
    /// The output as JSON text.
    pub output: String,
    /// When it was recorded.
    pub at: SystemTime,
    /// Until when it is remembered; `None` is for ever.
    pub until: Option<SystemTime>,
    /// The digest of the whole input.
    pub input: Key,
}

/// The answer to a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claimed {
    /// The row is the caller's, and durably so.
    Yes(ClaimId),
    /// It is not: this is known of it.
    No(Record),
}

/// How a claim ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Settlement {
    /// The effect took place.
    Succeeded {
        /// The output as JSON text.
        output: String,
        /// How long that is remembered; `None` is for ever.
        window: Option<Duration>,
    },
    /// It is proven that nothing happened: the key is free again.
    NothingHappened,
    /// It is not known whether the effect took place.
    InDoubt,
}

/// A ledger that could not be read or written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerError(pub String);

impl fmt::Display for LedgerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for LedgerError {}

/// A store of rows. Every method is atomic against all other users of the store.
pub trait Ledger: fmt::Debug + Send + Sync {
    /// What is known of a call. A success whose window is over is absent.
    ///
    /// # Errors
    /// [`LedgerError`]: the call is then refused.
    fn look_up(&self, row: &RowId) -> Result<Record, LedgerError>;

    /// Claims a row, if it is absent. The claim is durable before this returns.
    ///
    /// # Errors
    /// [`LedgerError`]: nothing was claimed, and the call is refused.
    fn claim(&self, claim: NewClaim) -> Result<Claimed, LedgerError>;

    /// Settles a claim. One that is settled already, or was never made, stays as it is.
    ///
    /// # Errors
    /// [`LedgerError`]: the claim then ends in doubt.
    fn settle(&self, claim: &ClaimId, settlement: Settlement) -> Result<(), LedgerError>;

    /// Takes a target, in its one spelling, for one exclusive call on anybody's behalf; false where another
    /// one has it.
    ///
    /// # Errors
    /// [`LedgerError`]: the call is then refused.
    fn hold(&self, target: &str) -> Result<bool, LedgerError>;

    /// Gives a target back.
    ///
    /// # Errors
    /// [`LedgerError`]: the target is then free once its holder is gone.
    fn release(&self, target: &str) -> Result<(), LedgerError>;
}
