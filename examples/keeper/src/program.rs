//! The program: arguments to calls, outcomes to JSON and exit codes.

mod arguments;
mod serve;

use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser as _;
use clap::error::ErrorKind;
use forecheck::outcome::{Outcome, Status};
use forecheck::{Host, Ledger, SqliteLedger};
use serde_json::json;

use crate::Keeper;
use crate::desk::{Bench, Desk};
use crate::generated::{
    abandon_change, call, install_playbook, land_change, list_changes, open_change, preflight, register_repo,
    retire_repo,
};

use arguments::{Arguments, Command, OneCall};

const VERBS: [&str; 7] = [
    register_repo::VERB,
    install_playbook::VERB,
    open_change::VERB,
    land_change::VERB,
    abandon_change::VERB,
    retire_repo::VERB,
    list_changes::VERB,
];

const DONE: u8 = 0;
const COULD_NOT_RUN: u8 = 2;
const REFUSED: u8 = 3;
const FAILED: u8 = 4;
const NOT_KNOWN: u8 = 5;

/// Runs the program.
pub fn run() -> ExitCode {
    let ended = match Arguments::try_parse() {
        Ok(arguments) => arguments.command.run(),
        Err(error) => {
            let asked = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
            error.print().map(|()| if asked { DONE } else { COULD_NOT_RUN })
        }
    };
    ExitCode::from(ended.unwrap_or_else(|error| {
        // Where nothing can be written to, the exit code is all there is.
        drop(writeln!(io::stderr(), "error: {error}"));
        COULD_NOT_RUN
    }))
}

impl Command {
    fn run(&self) -> io::Result<u8> {
        match self {
            Command::Call(one) => one.run(call),
            Command::Preflight(one) => one.run(preflight),
            Command::Verbs => print(&json!({ "verbs": VERBS })).map(|()| DONE),
            Command::Serve(desk) => serve::run(&desk.desk),
        }
    }
}

impl OneCall {
    fn run(&self, judge: fn(&Host<Keeper>, &str, &[u8]) -> Option<Outcome>) -> io::Result<u8> {
        let input = read_input(&self.input)?;
        let ledger = ledger(&self.desk.desk);
        match judge(&host(&self.desk.desk, &self.caller, &ledger), &self.verb, &input) {
            Some(outcome) => {
                print(&outcome)?;
                Ok(exit_code(outcome.status))
            }
            None => {
                print(&json!({ "error": format!("there is no verb `{}`", self.verb), "verbs": VERBS }))?;
                Ok(COULD_NOT_RUN)
            }
        }
    }
}

/// The record of the calls at a desk, which outlives this process.
fn ledger(desk: &Path) -> Arc<dyn Ledger> {
    Arc::new(SqliteLedger::at(desk.join(".keeper/ledger.sqlite")))
}

/// Where calls of one person run.
fn host(desk: &Path, caller: &str, ledger: &Arc<dyn Ledger>) -> Host<Keeper> {
    let desk = Desk::new(desk, caller);
    let (act, scope) = (Bench::new(desk.clone()), caller.to_owned());
    Host { read: desk, act, ledger: Arc::clone(ledger), scope }
}

fn read_input(input: &Path) -> io::Result<Vec<u8>> {
    if input == Path::new("-") {
        let mut text = Vec::new();
        return io::stdin().read_to_end(&mut text).map(|_| text);
    }
    fs::read(input).map_err(|error| io::Error::new(error.kind(), format!("`{}`: {error}", input.display())))
}

/// Prints a value as one line of JSON.
fn print(value: &impl serde::Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    let mut stdout = io::stdout().lock();
    stdout.write_all(&line)?;
    stdout.flush()
}

const fn exit_code(status: Status) -> u8 {
    match status {
        Status::Succeeded | Status::SkippedIdempotent | Status::Cleared => DONE,
        Status::Refused => REFUSED,
        Status::Failed => FAILED,
        Status::InFlight | Status::InDoubt => NOT_KNOWN,
    }
}
