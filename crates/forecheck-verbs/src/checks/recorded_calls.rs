//! `CALL_UNKNOWN` and `CALL_NOT_IN_DOUBT`.

use std::collections::BTreeSet;

use forecheck::Failed;

use crate::generated::details::{CallNotInDoubt, CallUnknown};
use crate::generated::facts::RecordedCalls;
use crate::generated::shared::{CallName, CallState};

/// The most calls that a message names.
const SHOWN: usize = 10;

pub(super) fn unknown(
    key: &str,
    scope: Option<&str>,
    calls: &RecordedCalls,
) -> Result<(), Failed<CallUnknown>> {
    let names: BTreeSet<(&str, &str)> = calls.iter().map(|call| (&*call.key, &*call.scope)).collect();
    let of = scope.map_or_else(String::new, |scope| format!(" of `{scope}`"));
    let (message, fitting) = match names.len() {
        1 => return Ok(()),
        0 => (format!("the ledger holds no call `{key}`{of}"), BTreeSet::new()),
        count => (format!("the ledger holds {count} calls `{key}`{of}:{}", in_lines(&names)), names),
    };
    let fitting =
        fitting.into_iter().map(|(key, scope)| CallName { key: key.to_owned(), scope: scope.to_owned() });
    Err(Failed::from(CallUnknown { fitting: fitting.collect() }).because(message))
}

/// Names from a ledger that anybody may have written stay in one line each.
fn in_lines(names: &BTreeSet<(&str, &str)>) -> String {
    let line = |(key, scope): &(&str, &str)| format!("\n  {key} of `{}`", scope.escape_debug());
    let shown: String = names.iter().take(SHOWN).map(line).collect();
    match names.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown}\n  and {more} more"),
    }
}

pub(super) fn not_in_doubt(key: &str, calls: &RecordedCalls) -> Result<(), Failed<CallNotInDoubt>> {
    let Some(last) = calls.last() else { return Ok(()) };
    if calls.iter().any(|call| call.state == CallState::InDoubt) {
        return Ok(());
    }
    let state = match last.state {
        CallState::Started => "is at work",
        CallState::Succeeded => "succeeded",
        CallState::InDoubt => "is in doubt",
    };
    let message = format!("the call `{key}` {state}, so there is nothing to resolve");
    Err(Failed::from(CallNotInDoubt { state: last.state }).because(message))
}
