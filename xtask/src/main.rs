//! `cargo xtask`: the repository's own commands. This file is dispatch and exit code; each command is a file.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for the terminal speaks through its streams"
)]

mod bench;
mod codegen;
mod fuzz;
mod mutate;
mod process;
mod request;
mod setup;
mod soak;
mod test;
mod tidy;

use std::process::ExitCode;

use request::{Request, USAGE};

fn main() -> ExitCode {
    let words: Vec<String> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    match Request::parse(&words) {
        Ok(request) => run(request).unwrap_or_else(|error| {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }),
        Err(problem) => {
            eprintln!("error: {problem}\n\n{USAGE}");
            ExitCode::from(2)
        }
    }
}

fn run(request: Request) -> anyhow::Result<ExitCode> {
    match request {
        Request::Help => println!("{USAGE}"),
        Request::Bench { bench, largest } => bench::run(bench, largest)?,
        Request::Codegen { check } => codegen::run(check)?,
        Request::Fuzz { fuzz, seconds } => fuzz::run(fuzz, seconds)?,
        Request::Mutate => mutate::checks()?,
        Request::Tidy => tidy::run()?,
        Request::Setup => setup::run()?,
        Request::Soak { soak, settings } => soak::run(soak, &settings)?,
        Request::Test => return test::run(),
    }
    Ok(ExitCode::SUCCESS)
}
