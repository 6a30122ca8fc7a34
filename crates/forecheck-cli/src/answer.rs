//! The one way in which a call ends: an outcome, printed for people or as JSON, and an exit code.

use std::process::ExitCode;

use forecheck_contract::outcome::{Effects, Outcome, Refusal, Status};
use forecheck_contract::resend::Meaning;
use forecheck_contract::table::{ErrorTable, Row};
use forecheck_verbs::generated::SPEC_SHA256;
use forecheck_verbs::generated::codes::Code;
use serde::Serialize;
use serde_json::Value;

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

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// Something that went wrong in the program itself.
pub(crate) type Failure = Box<dyn std::error::Error>;

/// Why a verb did not answer.
pub(crate) enum Stop {
    Refused(Box<Raised>),
    Broken(Failure),
}

impl<E: Into<Failure>> From<E> for Stop {
    fn from(error: E) -> Stop {
        Stop::Broken(error.into())
    }
}

/// A verb's typed refusal with its sentence, ready to be published.
pub(crate) struct Raised {
    pub(crate) code: Code,
    pub(crate) details: Option<Value>,
    /// What is wrong, in a sentence.
    pub(crate) message: String,
    /// Pointers into the input, all of which were sent.
    pub(crate) at: Vec<&'static str>,
}

/// A call under way: which verb, and how it wants its answer.
pub(crate) struct Call {
    pub(crate) verb: &'static str,
    pub(crate) json: bool,
}

impl Call {
    /// Ends a call that answered.
    pub(crate) fn answered(
        &self,
        effects: Effects,
        output: &impl Serialize,
        human: &str,
    ) -> Result<(), Failure> {
        if self.json {
            let output = Some(serde_json::to_value(output)?);
            print(&Outcome { output, ..self.outcome(Status::Succeeded, effects) })
        } else {
            terminal::print(human)
        }
    }

    /// Ends a call that did not answer.
    pub(crate) fn stopped(&self, stop: Stop) -> Result<Exit, Failure> {
        match stop {
            Stop::Refused(raised) => self.refused(*raised),
            Stop::Broken(failure) => self.could_not_run(&failure.to_string()),
        }
    }

    /// Ends a call that could not be understood, or in which the program itself failed.
    pub(crate) fn could_not_run(&self, message: &str) -> Result<Exit, Failure> {
        self.broken(Status::Failed, Effects::None, message)?;
        Ok(Exit::CouldNotRun)
    }

    /// Ends a call whose effect did not go through.
    pub(crate) fn broken(&self, status: Status, effects: Effects, message: &str) -> Result<(), Failure> {
        if self.json {
            print(&Outcome { message: Some(message.to_owned()), ..self.outcome(status, effects) })
        } else {
            terminal::error(message);
            Ok(())
        }
    }

    fn refused(&self, raised: Raised) -> Result<Exit, Failure> {
        let table = own_table::own_table()?;
        let refusal = refusal(&table, self.verb, raised);
        if self.json {
            print(&Outcome { refusal: Some(refusal), ..self.outcome(Status::Refused, Effects::None) })?;
        } else {
            terminal::note(&in_words(&table, &refusal));
        }
        Ok(Exit::Refused)
    }

    fn outcome(&self, status: Status, effects: Effects) -> Outcome {
        Outcome {
            status,
            verb: self.verb.to_owned(),
            key: None,
            output: None,
            refusal: None,
            message: None,
            effects_of_this_call: effects,
            first_succeeded_at: None,
            remembered_until: None,
            input_differs: false,
            next: None,
            spec_sha256: SPEC_SHA256.to_owned(),
        }
    }
}

fn print(outcome: &Outcome) -> Result<(), Failure> {
    terminal::print(&terminal::json(outcome)?)
}

/// The refusal of `verb` with what the table says about it.
fn refusal(table: &ErrorTable, verb: &str, raised: Raised) -> Refusal {
    let row = own_table::row(table, raised.code.as_str());
    let meaning = row.map_or_else(|| Meaning::derive(None, None), |row| meaning_for(row, verb));
    Refusal {
        code: raised.code.as_str().to_owned(),
        message: raised.message,
        at: raised.at.into_iter().map(str::to_owned).collect(),
        details: raised.details,
        also: Vec::new(),
        resend: meaning.resend,
        change: meaning.change,
        page: row.map(|row| row.page.clone()),
    }
}

/// What a row says for one verb: its own group, where verbs differ.
fn meaning_for(row: &Row, verb: &str) -> Meaning {
    match row.by_verb.iter().find(|group| group.verbs.contains(verb)) {
        Some(group) => Meaning { resend: group.resend, change: group.change.clone(), basis: group.basis },
        None => Meaning { resend: row.resend, change: row.change.clone(), basis: row.basis },
    }
}

fn in_words(table: &ErrorTable, refusal: &Refusal) -> String {
    let message = terminal::lines_visible(&refusal.message);
    let help = own_table::row(table, &refusal.code).and_then(|row| row.help.as_deref());
    let help = help.map_or_else(String::new, |help| format!("\n  help: {help}"));
    format!("refused[{}]: {message}{help}\n  more: forecheck explain {}", refusal.code, refusal.code)
}
