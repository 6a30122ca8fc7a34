//! The program `forecheck`.

mod answer;
mod arguments;
mod command;
mod own_table;
mod problem;
mod progress;
mod terminal;

use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;

use crate::answer::{Call, Exit, Failure};
use crate::arguments::{Arguments, Command};

fn main() -> ExitCode {
    let ended = match Arguments::try_parse() {
        Ok(arguments) => run(&arguments.command),
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
        Command::Check(check) => command::check::run(check),
        Command::Gen(generate) => command::generate::run(generate),
        Command::Explain(explain) => command::explain::run(explain),
        Command::Key(key) => command::key::run(key),
        Command::Table(table) => command::table::run(table),
    }
}

/// Help, the version, or words that make no call. Whoever asked for JSON gets JSON.
fn misunderstood(error: &clap::Error) -> Result<Exit, Failure> {
    let asked_for_json = std::env::args_os().any(|word| word == "--json");
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        error.print()?;
        return Ok(Exit::Done);
    }
    if asked_for_json {
        return Call { verb: "", json: true }.could_not_run(error.to_string().trim_end());
    }
    error.print()?;
    Ok(Exit::CouldNotRun)
}
