//! `cargo xtask soak agent`. Soaks that need processes of their own are programs, as that in `tests/runtime/soak` is.

#![expect(
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a soak prints figures, and stops where it cannot go on"
)]

mod agent;
#[path = "../benches/table.rs"]
mod table;

use std::process::ExitCode;

use agent::Settings;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.first().map(String::as_str) {
        Some("agent") => soak_agent(&words),
        _ => {
            println!("name one: agent");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

fn soak_agent(words: &[String]) {
    let usual = Settings::USUAL;
    let settings = Settings {
        seed: number(words, "--seed").unwrap_or(usual.seed),
        tasks: number(words, "--tasks").unwrap_or(usual.tasks),
    };
    println!("{} tasks for each kind of caller, seed {}\n", settings.tasks, settings.seed);
    print!("{}", agent::table(&agent::soak(settings)));
}

/// The number after an option.
fn number(words: &[String], option: &str) -> Option<u64> {
    let at = words.iter().position(|word| word == option)?;
    Some(words[at + 1].parse().unwrap())
}
