//! `forecheck ledger show`: the verb `show_call`.

use forecheck::ledger::sqlite::Record;
use forecheck::{Cleared, Settled};
use forecheck_spec::text::visible;
use forecheck_verbs::generated::shared::{CallState, RecordedCall};
use forecheck_verbs::generated::show_call::{self, Input, Output, OutputCallsItem as Shown};
use serde_json::Value;

use super::spelled;
use crate::answer::{Exit, Failure, deliver};
use crate::arguments::LedgerShowArguments;
use crate::command::text;
use crate::world::{Disk, Reading, host, published};

pub(crate) fn run(arguments: &LedgerShowArguments) -> Result<Exit, Failure> {
    let ledger = arguments.ledger.ledger.as_deref().map(text).transpose()?;
    let input = Input { ledger, key: arguments.call.key.clone(), scope: arguments.call.scope.clone() };
    let outcome = show_call::call(&host(), &serde_json::to_vec(&input)?);
    deliver(&outcome, arguments.json, |_| false, |output: &Output| Ok(in_words(output)))
}

impl show_call::Answer for Disk {
    fn answer(read: &Reading, call: Cleared<show_call::Verb<Disk>>) -> Settled<show_call::Verb<Disk>> {
        let Input { ledger, key, scope } = call.input();
        let calls = match read.records(ledger.as_deref(), key, scope.as_deref()) {
            Ok(records) => records.iter().map(shown).collect(),
            Err(why) => return call.failed(why),
        };
        let ledger = call.facts().ledger_file.as_ref().map(|file| file.path.clone()).unwrap_or_default();
        call.answered(&Output { ledger, calls })
    }
}

fn shown(record: &Record) -> Shown {
    let (output, output_lost) = match &record.output {
        Some(Ok(output)) => (Some(json(output)), None),
        Some(Err(why)) => (None, Some(why.to_string())),
        None => (None, None),
    };
    Shown { call: published(record), input: json(&record.input), output, output_lost }
}

/// What a text of a ledger says; the text itself where it is no JSON.
fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| text.into())
}

fn in_words(output: &Output) -> String {
    let calls: Vec<String> = output.calls.iter().map(call_in_words).collect();
    calls.join("\n")
}

fn call_in_words(shown: &Shown) -> String {
    let Shown { call, input, output, output_lost } = shown;
    let RecordedCall { key, scope, verb, state, why, started, ended, until } = call;
    let mut lines = vec![
        key.clone(),
        format!("  Verb: {verb}"),
        format!("  On behalf of: {scope}"),
        format!("  State: {}", spelled(*state)),
    ];
    lines.extend(why.as_ref().map(|why| format!("  Why: {why}")));
    lines.push(format!("  Claimed: {started}"));
    if *state == CallState::Succeeded {
        lines.extend(ended.as_ref().map(|ended| format!("  Succeeded: {ended}")));
        let until = until.as_ref().map_or_else(|| "for ever".to_owned(), |until| format!("until {until}"));
        lines.push(format!("  Remembered: {until}"));
    } else {
        lines.extend(ended.as_ref().map(|ended| format!("  In doubt since: {ended}")));
    }
    lines.push(format!("  Input: {input}"));
    lines.extend(output.as_ref().map(|output| format!("  Output: {output}")));
    lines.extend(output_lost.as_ref().map(|why| format!("  Output: lost: {why}")));
    lines.iter().map(|line| visible(line) + "\n").collect()
}
