//! `keeper serve`: many calls in one process.

use std::io::{self, BufRead as _};
use std::path::Path;

use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

use super::{DONE, VERBS, host, ledger, print};
use crate::generated::call;

/// A line. The input stays text, so that it is read as strictly as that of any call.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line<'l> {
    verb: String,
    #[serde(rename = "as")]
    caller: String,
    #[serde(borrow)]
    input: &'l RawValue,
}

/// Answers line by line. A line that is no call is answered with an `error`, and the next one is read.
pub(super) fn run(desk: &Path) -> io::Result<u8> {
    let ledger = ledger(desk);
    for line in io::stdin().lock().split(b'\n') {
        let line = line?;
        match serde_json::from_slice::<Line<'_>>(&line) {
            Ok(Line { verb, caller, input }) => {
                match call(&host(desk, &caller, &ledger), &verb, input.get().as_bytes()) {
                    Some(outcome) => print(&outcome)?,
                    None => print(&json!({ "error": format!("there is no verb `{verb}`"), "verbs": VERBS }))?,
                }
            }
            Err(error) => print(&json!({ "error": error.to_string() }))?,
        }
    }
    Ok(DONE)
}
