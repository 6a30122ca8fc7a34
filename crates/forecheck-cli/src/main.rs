//! The program `forecheck`.

mod answer;
mod arguments;
mod command;
mod own_table;
mod problem;
mod progress;
mod skeleton;
mod terminal;
#[cfg(test)]
mod twins;
mod world;

use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;

use crate::answer::{Exit, Failure, could_not_run};
use crate::arguments::{Arguments, Command};

fn main() -> ExitCode {
    let ended = match Arguments::try_parse() {
        Ok(arguments) => run(&arguments.command).or_else(|failure| {
            could_not_run(arguments.command.verb(), &failure.to_string(), asked_for_json())
        }),
        Err(error) => misunderstood(&error),
    };
    match ended {
        Ok(exit) => exit.into(),
        Err(failure) => {
            terminal::error(&failure.to_string());
            Exit::CouldNotRun.into()
        }
    }
}

fn run(command: &Command) -> Result<Exit, Failure> {
    match command {
        Command::Init(init) => command::init::run(init),
        Command::Check(check) => command::check::run(check),
        Command::Gen(generate) => command::generate::run(generate),
        Command::Explain(explain) => command::explain::run(explain),
        Command::Key(key) => command::key::run(key),
        Command::Table(table) => command::table::run(table),
        Command::Ledger(ledger) => command::ledger::run(&ledger.command),
    }
}

/// Help, the version, or words that make no call. Whoever asked for JSON gets JSON.
fn misunderstood(error: &clap::Error) -> Result<Exit, Failure> {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        error.print()?;
        return Ok(Exit::Done);
    }
    if asked_for_json() {
        return could_not_run("", error.to_string().trim_end(), true);
    }
    error.print()?;
    Ok(Exit::CouldNotRun)
}

fn asked_for_json() -> bool {
    std::env::args_os().any(|word| word == "--json")
}
