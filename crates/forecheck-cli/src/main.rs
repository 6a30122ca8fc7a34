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

use crate::arguments::{Arguments, Command};

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let ended = match &arguments.command {
        Command::Check(check) => command::check::run(check),
        Command::Gen(generate) => command::generate::run(generate),
        Command::Explain(explain) => command::explain::run(explain),
        Command::Key(key) => command::key::run(key),
        Command::Table(table) => command::table::run(table),
    };
    match ended {
        Ok(exit) => exit.into(),
        Err(failure) => {
            terminal::error(&failure.to_string());
            answer::Exit::CouldNotRun.into()
        }
    }
}
