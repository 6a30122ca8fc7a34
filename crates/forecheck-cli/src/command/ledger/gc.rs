//! `forecheck ledger gc`: the verb `forget_calls`.

use forecheck::ledger::sqlite::Forgotten;
use forecheck::{Reserved, Settled};
use forecheck_spec::text::visible;
use forecheck_verbs::generated::forget_calls::{self, Input, Output, Refusal};

use super::{Unusable, open};
use crate::answer::{Exit, Failure, deliver};
use crate::arguments::LedgerGcArguments;
use crate::command::{shown, text};
use crate::terminal::count;
use crate::world::{Disk, Writing, host};

pub(crate) fn run(arguments: &LedgerGcArguments) -> Result<Exit, Failure> {
    let ledger = arguments.ledger.ledger.as_deref().map(text).transpose()?;
    let outcome = forget_calls::call(&host(), &serde_json::to_vec(&Input { ledger })?);
    deliver(&outcome, arguments.json, |_| false, |output: &Output| Ok(in_words(output)))
}

impl forget_calls::Effect for Disk {
    fn apply(act: &Writing, call: Reserved<forget_calls::Verb<Disk>>) -> Settled<forget_calls::Verb<Disk>> {
        let named = call.input().ledger.as_deref();
        let ledger = match act.own_ledger.or_named(named) {
            Ok(ledger) => ledger,
            Err(why) => return call.nothing_happened(why),
        };
        match open(named, &ledger) {
            Ok(()) => {}
            Err(Unusable::Missing(failed)) => return call.declined(failed.map(Refusal::LedgerMissing)),
            Err(Unusable::Unreadable(failed)) => return call.declined(failed.map(Refusal::LedgerUnreadable)),
        }
        match ledger.forget() {
            Ok(Forgotten { calls, outputs }) => {
                call.succeeded(&Output { ledger: shown(ledger.path()), calls, outputs })
            }
            Err(error) => call.in_doubt(error.to_string()),
        }
    }
}

fn in_words(output: &Output) -> String {
    let Output { ledger, calls, outputs } = output;
    let outputs = count(*outputs, "file");
    format!("{}: {} forgotten, {outputs} of outputs removed\n", visible(ledger), count(*calls, "call"))
}
