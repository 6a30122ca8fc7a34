//! `forecheck ledger`: looking after a ledger, this program's own or that of another one.

pub(crate) mod gc;
pub(crate) mod list;
pub(crate) mod resolve;
pub(crate) mod show;

use forecheck::{Failed, SqliteLedger};
use forecheck_verbs::generated::checks::Checks as _;
use forecheck_verbs::generated::details::{LedgerMissing, LedgerUnreadable};
use forecheck_verbs::generated::shared::CallState;

use crate::answer::{Exit, Failure};
use crate::arguments::LedgerCommand;
use crate::world::{Disk, look_at};

pub(crate) fn run(command: &LedgerCommand) -> Result<Exit, Failure> {
    match command {
        LedgerCommand::List(arguments) => list::run(arguments),
        LedgerCommand::Show(arguments) => show::run(arguments),
        LedgerCommand::Resolve(arguments) => resolve::run(arguments),
        LedgerCommand::Gc(arguments) => gc::run(arguments),
    }
}

/// Why the ledger of a call cannot be written after all.
enum Unusable {
    Missing(Failed<LedgerMissing>),
    Unreadable(Failed<LedgerUnreadable>),
}

/// Opens the ledger of a call that writes to it, after the checks of its file once more. Nothing else is done yet.
fn open(named: Option<&str>, ledger: &SqliteLedger) -> Result<(), Unusable> {
    let mut file = look_at(ledger);
    Disk::ledger_missing(named, &file).map_err(Unusable::Missing)?;
    if file.unreadable.is_none() {
        file.unreadable = ledger.open().err().map(|error| error.to_string());
    }
    Disk::ledger_unreadable(named, &file).map_err(Unusable::Unreadable)
}

/// A state as the ledger spells it.
fn spelled(state: CallState) -> &'static str {
    match state {
        CallState::Started => "started",
        CallState::Succeeded => "succeeded",
        CallState::InDoubt => "in_doubt",
    }
}
