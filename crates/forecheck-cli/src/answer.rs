//! The one way in which a call ends: its outcome, printed for people or as JSON, and an exit code.

use std::process::ExitCode;

use forecheck::outcome::{Effects, Outcome, Refusal, Status};
use forecheck_verbs::generated::SPEC_SHA256;
use serde::de::DeserializeOwned;

use crate::own_table;
use crate::terminal;

/// How the program ends (runtime, "Outcome envelope").
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// The call succeeded.
    Done = 0,
    /// A read-only call found problems or drift.
    Found = 1,
    /// The call could not be understood or the program itself failed.
    CouldNotRun = 2,
    /// A precondition failed.
    Refused = 3,
    /// The effect did nothing.
    Failed = 4,
    /// It is not known what the effect did.
    InDoubt = 5,
}

impl Exit {
    /// How the program ends for a call that ended like that.
    fn of(status: Status) -> Exit {
        match status {
            Status::Succeeded | Status::SkippedIdempotent | Status::Cleared => Exit::Done,
            Status::Refused => Exit::Refused,
            Status::Failed => Exit::Failed,
            Status::InFlight | Status::InDoubt => Exit::InDoubt,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// Something that went wrong in the program itself.
pub(crate) type Failure = Box<dyn std::error::Error>;

/// Prints an outcome: as JSON, or with its output `in_words`. Whether a read-only verb has `found`
/// what it looks for tells its output.
pub(crate) fn deliver<O: DeserializeOwned>(
    outcome: &Outcome,
    json: bool,
    found: impl FnOnce(&O) -> bool,
    in_words: impl FnOnce(&O) -> Result<String, Failure>,
) -> Result<Exit, Failure> {
    let output = outcome.output.as_ref().map(O::deserialize).transpose()?;
    if json {
        terminal::print(&terminal::json(outcome)?)?;
    } else {
        if let Some(output) = &output {
            terminal::print(&in_words(output)?)?;
        }
        explain(outcome)?;
    }
    match (Exit::of(outcome.status), output) {
        (Exit::Done, Some(output)) if found(&output) => Ok(Exit::Found),
        (exit, _) => Ok(exit),
    }
}

/// Says on stderr why a call did not go through.
fn explain(outcome: &Outcome) -> Result<(), Failure> {
    if let Some(refusal) = &outcome.refusal {
        terminal::note(&in_words(refusal)?);
    }
    match (&outcome.message, outcome.status) {
        (Some(message), _) => terminal::error(message),
        (None, Status::InFlight | Status::InDoubt) => terminal::error(outcome.status.description()),
        (None, _) => {}
    }
    Ok(())
}

fn in_words(refusal: &Refusal) -> Result<String, Failure> {
    let table = own_table::own_table()?;
    let code = &refusal.code;
    let message = terminal::lines_visible(&refusal.message);
    let also = refusal.also.iter().map(|also| {
        let message = terminal::lines_visible(&also.message);
        if also.code == *code { format!("\n  {message}") } else { format!("\n  {}: {message}", also.code) }
    });
    let also: String = also.collect();
    let help = own_table::help(&table, code).map_or_else(String::new, |help| format!("\n  help: {help}"));
    Ok(format!("refused[{code}]: {message}{also}{help}\n  more: forecheck explain {code}"))
}

/// Ends a call that could not be made, or in which the program itself failed.
pub(crate) fn could_not_run(verb: &str, message: &str, json: bool) -> Result<Exit, Failure> {
    if json {
        let outcome = Outcome {
            status: Status::Failed,
            verb: verb.to_owned(),
            key: None,
            output: None,
            refusal: None,
            message: Some(message.to_owned()),
            effects_of_this_call: Effects::None,
            first_succeeded_at: None,
            remembered_until: None,
            input_differs: false,
            next: None,
            spec_sha256: SPEC_SHA256.to_owned(),
        };
        terminal::print(&terminal::json(&outcome)?)?;
    } else {
        terminal::error(message);
    }
    Ok(Exit::CouldNotRun)
}
