//! What can be typed after `forecheck ledger`.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use clap::{ArgGroup, Args, Subcommand};
use forecheck_contract::json::{self, Limits};
use forecheck_verbs::generated::shared::CallState;
use forecheck_verbs::generated::{forget_calls, list_calls, resolve_call, show_call};
use serde_json::Value;

/// Look after a ledger, the record of calls: which are in doubt, and what became of them
///
/// A call that acts is claimed in a ledger before its effect begins. When its process ends before it says what
/// it did, nobody knows whether the effect took place: the call is in doubt, and is not repeated. `list` names such
/// calls, `show` says all that is known of one, and once somebody has looked, `resolve` records what became of it.
#[derive(Debug, Args)]
#[command(after_help = "\
Which ledger:
  --ledger PATH is that of any program built on Forecheck. Without it, it is the one in which
  `init`, `gen` and `ledger` record their own calls: FORECHECK_LEDGER, else forecheck/ledger.sqlite
  below XDG_STATE_HOME, else below ~/.local/state. FORECHECK_LEDGER=none keeps no record at all.

Examples:
  forecheck ledger list --ledger desk/ledger.sqlite --state in_doubt
  forecheck ledger show 4c6a41c673b1 --ledger desk/ledger.sqlite
  forecheck ledger resolve 4c6a41c673b1 --ledger desk/ledger.sqlite --absent")]
pub(crate) struct LedgerArguments {
    #[command(subcommand)]
    pub(crate) command: LedgerCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum LedgerCommand {
    /// Print the calls of a ledger, a line each, oldest first
    List(LedgerListArguments),
    /// Print everything that a ledger holds of a call
    Show(LedgerShowArguments),
    /// Record what became of a call in doubt
    ///
    /// Look first: at the target of the call, for what its effect would have left there. What is said here is
    /// believed. Of a verb that acts each time, all calls in doubt with that key are resolved alike.
    Resolve(LedgerResolveArguments),
    /// Remove from a ledger what nobody will ask for
    Gc(LedgerGcArguments),
}

impl LedgerCommand {
    /// The verb that is called.
    pub(crate) fn verb(&self) -> &'static str {
        match self {
            LedgerCommand::List(_) => list_calls::VERB,
            LedgerCommand::Show(_) => show_call::VERB,
            LedgerCommand::Resolve(_) => resolve_call::VERB,
            LedgerCommand::Gc(_) => forget_calls::VERB,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct LedgerArgument {
    /// The file of the ledger [default: the ledger of this program]
    #[arg(long, value_name = "PATH")]
    pub(crate) ledger: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct CallArguments {
    /// The idempotency key of the call, or the digits it starts with, at least 8
    pub(crate) key: String,
    /// On whose behalf it acts, where several have that key
    #[arg(long)]
    pub(crate) scope: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct LedgerListArguments {
    #[command(flatten)]
    pub(crate) ledger: LedgerArgument,
    /// Only the calls in this state
    #[arg(long, value_parser = state())]
    pub(crate) state: Option<CallState>,
    /// Print the answer as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct LedgerShowArguments {
    #[command(flatten)]
    pub(crate) call: CallArguments,
    #[command(flatten)]
    pub(crate) ledger: LedgerArgument,
    /// Print the answer as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("became").required(true))]
pub(crate) struct LedgerResolveArguments {
    #[command(flatten)]
    pub(crate) call: CallArguments,
    /// Its effect took place: the call succeeded, and a repeat is skipped. That cannot be taken back
    #[arg(long, group = "became")]
    pub(crate) landed: bool,
    /// The output that a repeat answers, as the verb's output schema has it [default: null]
    #[arg(long, value_name = "JSON", conflicts_with = "absent", value_parser = value)]
    pub(crate) output: Option<Value>,
    /// Its effect did not take place and will not any more: the call may be sent again
    #[arg(long, group = "became")]
    pub(crate) absent: bool,
    #[command(flatten)]
    pub(crate) ledger: LedgerArgument,
    /// Print the answer as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
What goes: successes whose window is over, successes of verbs that act each time, and outputs
that no call names. Calls in doubt and at work stay, and so does every success that a repeat
would be answered from.")]
pub(crate) struct LedgerGcArguments {
    #[command(flatten)]
    pub(crate) ledger: LedgerArgument,
    /// Print the answer as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// The states, as the ledger spells them.
fn state() -> impl clap::builder::TypedValueParser<Value = CallState> {
    let spelled = PossibleValuesParser::new(["in_doubt", "succeeded", "started"]);
    spelled.try_map(|state| serde_json::from_value(Value::String(state)))
}

/// A JSON text, read as strictly as the input of a call.
fn value(text: &str) -> Result<Value, String> {
    let node = json::read(text.as_bytes(), Limits::CALL);
    let node = node
        .map_err(|problems| problems.first().map(|problem| problem.kind.to_string()).unwrap_or_default())?;
    serde_json::to_value(&node).map_err(|error| error.to_string())
}
