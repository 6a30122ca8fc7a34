//! The record of calls: who claims a key acts, and a success is remembered.
//!
//! A row is absent, started, succeeded or in doubt. A call claims its row before its effect begins and
//! settles it afterwards. Nobody ever takes over the claim of somebody who died: that call is in doubt.

pub mod memory;
#[cfg(feature = "sqlite")]
pub mod sqlite;

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
    /// The input as people may read it in the ledger, as JSON text: fields that its schema marks `writeOnly`
    /// are left out.
    pub shown: String,
    /// Whether each call acts: then every claim has a row of its own, and none stands in the way of
    /// another.
    pub each_acts: bool,
}

/// A row that its owner settles. It names one claim, never a later one of the same key.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClaimId {
    /// The row.
    pub row: RowId,
    /// Which claim of it: no other one of the ledger has this number.
    pub fence: u64,
}

/// What the ledger knows of a call that may not be claimed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Known {
    /// Its owner is at work.
    InFlight,
    /// Nobody knows whether its effect took place.
    InDoubt(Doubt),
    /// It succeeded, and that is remembered.
    Succeeded(Success),
}

/// A call of which nobody knows whether its effect took place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doubt {
    /// The claim, for [`Ledger::resolve`].
    pub claim: ClaimId,
    /// Why nobody knows.
    pub why: String,
}

/// A success that is remembered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Success {
    /// The output as JSON text, or why the ledger does not have it any more.
    pub output: Result<String, LedgerError>,
    /// When it was recorded, by the ledger's clock: of a call that was in doubt, when it was resolved.
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
    No(Known),
}

/// The answer to a settlement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Settling {
    /// It is recorded: for a success, until then, or for ever.
    Recorded {
        /// Until when a success is remembered.
        until: Option<SystemTime>,
    },
    /// The claim is not the caller's to settle like that: somebody else has settled it, or it is gone. The
    /// row stays as it is.
    Lost,
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
    InDoubt {
        /// Why not.
        why: String,
    },
}

/// What was found out about a call in doubt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finding {
    /// Its effect took place.
    Landed {
        /// The output as JSON text.
        output: String,
        /// How long that is remembered; `None` is for ever.
        window: Option<Duration>,
    },
    /// Its effect did not take place, and will not if the call was in doubt by that instant.
    Absent {
        /// The instant: that of a look, less the time that an effect may be on its way. `None` where it will not
        /// whenever the call came into doubt.
        in_doubt_by: Option<SystemTime>,
    },
}

/// The answer to a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resolving {
    /// The call is in doubt no more: it succeeded, or nothing is known of it.
    Resolved,
    /// The effect could still take place: the call has not been in doubt for long enough.
    TooEarly,
    /// The claim is not in doubt: somebody else has resolved it.
    Gone,
}

/// A target that an exclusive call has to itself. It names one holder, never a later one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HoldId {
    /// The target in its one spelling.
    pub target: String,
    /// Which holder: no other one of the ledger has this number.
    pub fence: u64,
}

/// A ledger that could not be read or written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerError {
    reason: String,
}

impl LedgerError {
    /// `reason` says why not, in one line.
    pub fn new(reason: impl Into<String>) -> Self {
        LedgerError { reason: reason.into() }
    }
}

impl fmt::Display for LedgerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for LedgerError {}

/// A store of rows. Every method is atomic against all other users of the store.
///
/// A row goes from absent to started by a claim, and from started to succeeded, to in doubt, or back to
/// absent by its settlement. A row whose owner died before it settled is in doubt. From in doubt its owner
/// may still make it succeeded, and nothing else; whoever finds out may resolve it.
pub trait Ledger: fmt::Debug + Send + Sync {
    /// What is known of a call; `None` where it may be claimed. A success whose window is over is not
    /// known.
    ///
    /// # Errors
    /// [`LedgerError`]: the call is then refused.
    fn look_up(&self, row: &RowId) -> Result<Option<Known>, LedgerError>;

    /// Claims a row of which nothing is known. The claim is durable before this returns.
    ///
    /// # Errors
    /// [`LedgerError`]: the call is then refused. The caller does not know of a claim, so one that was made
    /// all the same is under way until the caller's process ends, and in doubt then.
    fn claim(&self, claim: NewClaim) -> Result<Claimed, LedgerError>;

    /// Settles a claim.
    ///
    /// # Errors
    /// [`LedgerError`]: it is not known whether that was recorded. It may be tried again.
    fn settle(&self, claim: &ClaimId, settlement: &Settlement) -> Result<Settling, LedgerError>;

    /// Records what was found out about a call in doubt.
    ///
    /// # Errors
    /// [`LedgerError`]: the call stays in doubt, or it is not known whether it does.
    fn resolve(&self, doubt: &ClaimId, finding: &Finding) -> Result<Resolving, LedgerError>;

    /// Takes a target, in its one spelling, for one exclusive call on anybody's behalf; `None` where
    /// another one has it. One whose holder died is free.
    ///
    /// # Errors
    /// [`LedgerError`]: the call is then refused.
    fn hold(&self, target: &str) -> Result<Option<HoldId>, LedgerError>;

    /// Gives a target back. One that somebody else holds by now stays theirs.
    ///
    /// # Errors
    /// [`LedgerError`]: the target is then free once its holder is gone.
    fn release(&self, hold: &HoldId) -> Result<(), LedgerError>;
}
