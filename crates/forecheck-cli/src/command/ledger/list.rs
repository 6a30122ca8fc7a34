//! `forecheck ledger list`: the verb `list_calls`.

use forecheck::{Cleared, Settled};
use forecheck_spec::text::visible;
use forecheck_verbs::generated::list_calls::{self, Input, Output};
use forecheck_verbs::generated::shared::{CallState, RecordedCall};

use super::spelled;
use crate::answer::{Exit, Failure, deliver};
use crate::arguments::LedgerListArguments;
use crate::command::text;
use crate::terminal::count;
use crate::world::{Disk, Reading, host, published};

/// How many digits of a key people are shown.
const DIGITS: usize = 12;

pub(crate) fn run(arguments: &LedgerListArguments) -> Result<Exit, Failure> {
    let ledger = arguments.ledger.ledger.as_deref().map(text).transpose()?;
    let input = Input { ledger, state: arguments.state };
    let outcome = list_calls::call(&host(), &serde_json::to_vec(&input)?);
    deliver(&outcome, arguments.json, |_| false, |output: &Output| Ok(in_words(output)))
}

impl list_calls::Answer for Disk {
    fn answer(read: &Reading, call: Cleared<list_calls::Verb<Disk>>) -> Settled<list_calls::Verb<Disk>> {
        let Input { ledger, state } = call.input();
        let records = match read.records(ledger.as_deref(), "", None) {
            Ok(records) => records,
            Err(why) => return call.failed(why),
        };
        let calls =
            records.iter().map(published).filter(|call| state.is_none_or(|state| call.state == state));
        let calls = calls.collect();
        let ledger = call.facts().ledger_file.as_ref().map(|file| file.path.clone()).unwrap_or_default();
        call.answered(&Output { ledger, calls })
    }
}

/// A line a call, then how many there are, and what there is to do about those in doubt.
fn in_words(output: &Output) -> String {
    let width = output.calls.iter().map(|call| call.verb.chars().count()).max().unwrap_or(0);
    let lines: String = output.calls.iter().map(|call| line(call, width)).collect();
    let doubts = output.calls.iter().filter(|call| call.state == CallState::InDoubt).count();
    let counts = format!("{}, {doubts} in doubt", count(output.calls.len() as u64, "call"));
    let hint = match doubts {
        0 => String::new(),
        _ => format!(
            "\nwhoever has found out about one says so: forecheck ledger resolve KEY --ledger {} --landed, or --absent",
            visible(&output.ledger)
        ),
    };
    format!("{lines}{}: {counts}{hint}\n", visible(&output.ledger))
}

fn line(call: &RecordedCall, width: usize) -> String {
    let RecordedCall { key, scope, verb, state, why, started, .. } = call;
    let key: String = key.chars().take(DIGITS).collect();
    let why = why.as_ref().map_or_else(String::new, |why| format!(": {why}"));
    let line = format!("{started}  {:9}  {verb:width$}  {key}  {scope}{why}", spelled(*state));
    visible(&line) + "\n"
}
