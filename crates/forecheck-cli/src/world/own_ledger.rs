//! The ledger of this program's own calls: where it lies, and what stands in for it where it lies nowhere.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use forecheck::ledger::{
    ClaimId, Claimed, Finding, HoldId, Known, LedgerError, NewClaim, Resolving, RowId, Settlement, Settling,
};
use forecheck::{Ledger, MemoryLedger, SqliteLedger};

/// The variable that names it.
const VARIABLE: &str = "FORECHECK_LEDGER";
/// Its value where nothing is to outlive the process.
const NONE: &str = "none";
/// Where it lies below a folder for state.
const BELOW_STATE: &str = "forecheck/ledger.sqlite";

/// Where the calls of this program are recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum OwnLedger {
    /// In a file.
    File(PathBuf),
    /// In memory, for as long as the process lasts.
    Process,
    /// Nothing says where.
    Nowhere,
}

impl OwnLedger {
    /// What the environment of this process says.
    pub(crate) fn of_environment() -> Self {
        OwnLedger::of(|name| std::env::var_os(name))
    }

    /// What variables say: `FORECHECK_LEDGER`, else `XDG_STATE_HOME`, else `HOME`. The last two count only as
    /// absolute paths, so that the folder in which a call is made decides nothing.
    fn of(variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let named = |name| variable(name).filter(|value| !value.is_empty());
        let folder = |name| named(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let state =
            || folder("XDG_STATE_HOME").or_else(|| folder("HOME").map(|home| home.join(".local/state")));
        match named(VARIABLE) {
            Some(value) if value == NONE => OwnLedger::Process,
            Some(path) => OwnLedger::File(path.into()),
            None => state().map_or(OwnLedger::Nowhere, |state| OwnLedger::File(state.join(BELOW_STATE))),
        }
    }

    /// The ledger for a call; a file is not opened, let alone made, before the call is claimed.
    pub(super) fn ledger(&self) -> Arc<dyn Ledger> {
        match self {
            OwnLedger::File(path) => Arc::new(SqliteLedger::at(path)),
            OwnLedger::Process => Arc::new(MemoryLedger::new()),
            OwnLedger::Nowhere => Arc::new(Unplaced),
        }
    }

    /// Its file, or in words why it has none.
    pub(super) fn path(&self) -> Result<&Path, String> {
        match self {
            OwnLedger::File(path) => Ok(path),
            OwnLedger::Process => {
                Err(format!("{VARIABLE} is `{NONE}`, so that no record outlives its process"))
            }
            OwnLedger::Nowhere => Err(unplaced()),
        }
    }
}

fn unplaced() -> String {
    format!(
        "no place for it is known: set {VARIABLE} to a path, or to `{NONE}` to keep no record beyond the process, \
         or set XDG_STATE_HOME or HOME to an absolute path"
    )
}

/// Refuses every call that acts: without a record, a repeat would act again.
#[derive(Debug)]
struct Unplaced;

impl Unplaced {
    fn refuse<T>() -> Result<T, LedgerError> {
        Err(LedgerError::new(unplaced()))
    }
}

impl Ledger for Unplaced {
    fn look_up(&self, _: &RowId) -> Result<Option<Known>, LedgerError> {
        Unplaced::refuse()
    }

    fn claim(&self, _: NewClaim) -> Result<Claimed, LedgerError> {
        Unplaced::refuse()
    }

    fn settle(&self, _: &ClaimId, _: &Settlement) -> Result<Settling, LedgerError> {
        Unplaced::refuse()
    }

    fn resolve(&self, _: &ClaimId, _: &Finding) -> Result<Resolving, LedgerError> {
        Unplaced::refuse()
    }

    fn hold(&self, _: &str) -> Result<Option<HoldId>, LedgerError> {
        Unplaced::refuse()
    }

    fn release(&self, _: &HoldId) -> Result<(), LedgerError> {
        Unplaced::refuse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variable_that_says_where_decides() {
        let check = |variables: &[(&str, &str)], expected| {
            let value = |name: &str| variables.iter().find(|(named, _)| *named == name);
            assert_eq!(OwnLedger::of(|name| Some(value(name)?.1.into())), expected, "{variables:?}");
        };
        let file = |path: &str| OwnLedger::File(path.into());
        let (state, home) = (("XDG_STATE_HOME", "/s"), ("HOME", "/h"));
        check(&[("FORECHECK_LEDGER", "l"), state, home], file("l"));
        check(&[("FORECHECK_LEDGER", "none"), state, home], OwnLedger::Process);
        check(&[("FORECHECK_LEDGER", "./none"), state, home], file("./none"));
        check(&[("FORECHECK_LEDGER", ""), state, home], file("/s/forecheck/ledger.sqlite"));
        check(&[("XDG_STATE_HOME", "s"), home], file("/h/.local/state/forecheck/ledger.sqlite"));
        check(&[("XDG_STATE_HOME", ""), ("HOME", "")], OwnLedger::Nowhere);
        check(&[("HOME", "h")], OwnLedger::Nowhere);
        check(&[], OwnLedger::Nowhere);
    }
}
