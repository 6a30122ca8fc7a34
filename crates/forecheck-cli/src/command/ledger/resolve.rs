//! `forecheck ledger resolve`: the verb `resolve_call`.

use forecheck::ledger::sqlite::{Record, State};
use forecheck::ledger::{Finding, LedgerError, Resolving};
use forecheck::{Failed, Ledger as _, Reserved, Settled, SqliteLedger};
use forecheck_spec::text::visible;
use forecheck_verbs::generated::checks::Checks as _;
use forecheck_verbs::generated::resolve_call::{
    self, Checks as _, Input, InputBecame, Output, OutputBecame, Refusal,
};
use serde_json::Value;

use super::{Unusable, open};
use crate::answer::{Exit, Failure, deliver};
use crate::arguments::LedgerResolveArguments;
use crate::command::{shown, text};
use crate::terminal::count;
use crate::world::{Disk, Writing, host, published, records};

pub(crate) fn run(arguments: &LedgerResolveArguments) -> Result<Exit, Failure> {
    let input = Input {
        ledger: arguments.ledger.ledger.as_deref().map(text).transpose()?,
        key: arguments.call.key.clone(),
        scope: arguments.call.scope.clone(),
        became: if arguments.landed { InputBecame::Landed } else { InputBecame::Absent },
        output: arguments.output.clone(),
    };
    let outcome = resolve_call::call(&host(), &serde_json::to_vec(&input)?);
    deliver(&outcome, arguments.json, |_| false, |output: &Output| Ok(in_words(&input, output)))
}

impl resolve_call::Effect for Disk {
    fn apply(act: &Writing, call: Reserved<resolve_call::Verb<Disk>>) -> Settled<resolve_call::Verb<Disk>> {
        let input = call.input();
        let ledger = match act.own_ledger.or_named(input.ledger.as_deref()) {
            Ok(ledger) => ledger,
            Err(why) => return call.nothing_happened(why),
        };
        let doubts = match doubts(&ledger, input) {
            Ok(doubts) => doubts,
            Err(NoDoubts::Refused(refusal)) => return call.declined(*refusal),
            Err(NoDoubts::Unread(why)) => return call.nothing_happened(why),
        };
        let Some(first) = doubts.first() else { return call.nothing_happened("no call is in doubt") };
        match resolve(&ledger, &doubts, &finding(input)) {
            (0, Some(error)) => call.in_doubt(error.to_string()),
            (_, Some(error)) => call.partly(error.to_string()),
            (0, None) => match self::doubts(&ledger, input) {
                Err(NoDoubts::Refused(refusal)) => call.declined(*refusal),
                Err(NoDoubts::Unread(why)) => call.nothing_happened(why),
                Ok(_) => call.nothing_happened("the clock of this machine stands before the doubt"),
            },
            (resolved, None) => {
                let output = output(input, &ledger, first, resolved);
                call.succeeded(&output)
            }
        }
    }
}

/// Why there is nothing to resolve after all.
enum NoDoubts {
    Refused(Box<Failed<Refusal>>),
    Unread(String),
}

impl From<Failed<Refusal>> for NoDoubts {
    fn from(refusal: Failed<Refusal>) -> Self {
        NoDoubts::Refused(Box::new(refusal))
    }
}

/// The calls in doubt, after the checks once more, in a ledger that can be written.
fn doubts(ledger: &SqliteLedger, input: &Input) -> Result<Vec<Record>, NoDoubts> {
    let Input { ledger: named, key, scope, .. } = input;
    open(named.as_deref(), ledger).map_err(|unusable| match unusable {
        Unusable::Missing(failed) => failed.map(Refusal::LedgerMissing),
        Unusable::Unreadable(failed) => failed.map(Refusal::LedgerUnreadable),
    })?;
    let records = records(ledger, key, scope.as_deref()).map_err(NoDoubts::Unread)?;
    let calls = records.iter().map(published).collect();
    Disk::call_unknown(key, scope.as_deref(), &calls).map_err(|failed| failed.map(Refusal::CallUnknown))?;
    Disk::call_not_in_doubt(key, scope.as_deref(), &calls)
        .map_err(|failed| failed.map(Refusal::CallNotInDoubt))?;
    Ok(records.into_iter().filter(|record| record.state == State::InDoubt).collect())
}

/// What whoever has looked says. It is remembered for ever: a window would start at no known instant.
fn finding(input: &Input) -> Finding {
    match input.became {
        InputBecame::Landed => {
            let output = input.output.as_ref().unwrap_or(&Value::Null).to_string();
            Finding::Landed { output, window: None }
        }
        InputBecame::Absent => Finding::Absent { in_doubt_by: None },
    }
}

/// Records the finding of each doubt: how many there were, and what it stopped at.
fn resolve(ledger: &SqliteLedger, doubts: &[Record], finding: &Finding) -> (u64, Option<LedgerError>) {
    let mut resolved = 0;
    for doubt in doubts {
        match ledger.resolve(&doubt.claim, finding) {
            Ok(Resolving::Resolved) => resolved += 1,
            Ok(Resolving::TooEarly | Resolving::Gone) => {}
            Err(error) => return (resolved, Some(error)),
        }
    }
    (resolved, None)
}

fn output(input: &Input, ledger: &SqliteLedger, doubt: &Record, resolved: u64) -> Output {
    Output {
        ledger: shown(ledger.path()),
        key: doubt.claim.row.key.to_string(),
        scope: doubt.claim.row.scope.clone(),
        verb: doubt.verb.clone(),
        became: match input.became {
            InputBecame::Landed => OutputBecame::Landed,
            InputBecame::Absent => OutputBecame::Absent,
        },
        resolved,
    }
}

/// What was decided, and what it means for the next such call.
fn in_words(input: &Input, output: &Output) -> String {
    let Output { key, scope, verb, became, resolved, .. } = output;
    let means = match became {
        OutputBecame::Landed => {
            let output = input.output.as_ref().unwrap_or(&Value::Null);
            format!("landed: it succeeded, and a repeat is skipped and answers {output}")
        }
        OutputBecame::Absent => {
            "is absent: nothing is known of it any more, and it may be sent again".to_owned()
        }
    };
    let several = match resolved {
        1 => String::new(),
        several => format!(" ({})", count(*several, "call")),
    };
    visible(&format!("{verb} {key} of {scope}{several} {means}")) + "\n"
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use forecheck::ledger::{Claimed, NewClaim, RowId, Settlement};
    use forecheck::outcome::{Effects, Outcome, Status};

    use super::*;
    use crate::world::{OwnLedger, host_with};

    /// A ledger with a call in doubt.
    fn doubt(path: &Path) -> Record {
        let ledger = SqliteLedger::at(path);
        let row = RowId { scope: "me".to_owned(), key: "d0".repeat(32).parse().unwrap() };
        let (verb, shown) = ("act".to_owned(), "{}".to_owned());
        let claim = NewClaim { input: row.key, row, verb, shown, each_acts: false };
        let Claimed::Yes(id) = ledger.claim(claim).unwrap() else { panic!("it is new") };
        ledger.settle(&id, &Settlement::InDoubt { why: "who knows".to_owned() }).unwrap();
        ledger.records(None).unwrap().remove(0)
    }

    /// A call before whose effect, but after whose checks, `meanwhile` happens to the ledger.
    fn overtaken(meanwhile: impl FnOnce(&SqliteLedger, &Record)) -> Outcome {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger.sqlite");
        let doubt = doubt(&path);
        let input = Input {
            ledger: Some(text(&path).unwrap()),
            key: "d0d0d0d0".to_owned(),
            scope: None,
            became: InputBecame::Absent,
            output: None,
        };
        let effect = |act: &Writing, call| {
            meanwhile(&SqliteLedger::at(&path), &doubt);
            <Disk as resolve_call::Effect>::apply(act, call)
        };
        let host = host_with(OwnLedger::Process);
        forecheck::run::<resolve_call::Verb<Disk>>(&serde_json::to_vec(&input).unwrap(), &host, effect)
    }

    #[test]
    fn what_became_known_since_the_checks_stands() {
        let check = |code: &str, meanwhile: &dyn Fn(&SqliteLedger, &Record)| {
            let outcome = overtaken(meanwhile);
            let told =
                (outcome.status, outcome.effects_of_this_call, outcome.refusal.map(|refusal| refusal.code));
            assert_eq!(told, (Status::Refused, Effects::None, Some(code.to_owned())));
        };
        let landed = Finding::Landed { output: "1".to_owned(), window: None };
        let absent = Finding::Absent { in_doubt_by: None };
        let resolves = |finding| {
            move |ledger: &SqliteLedger, doubt: &Record| {
                assert_eq!(ledger.resolve(&doubt.claim, finding), Ok(Resolving::Resolved));
            }
        };
        check("CALL_NOT_IN_DOUBT", &resolves(&landed));
        check("CALL_UNKNOWN", &resolves(&absent));
        check("LEDGER_MISSING", &|ledger, _| fs::remove_file(ledger.path()).unwrap());
        check("LEDGER_UNREADABLE", &|ledger, _| {
            fs::remove_file(ledger.path()).unwrap();
            fs::create_dir(ledger.path()).unwrap();
        });
        let outcome = overtaken(|_, _| {});
        assert_eq!((outcome.status, outcome.effects_of_this_call), (Status::Succeeded, Effects::Complete));
    }
}
