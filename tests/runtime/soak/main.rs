//! A ledger under fire: processes that call and are killed, and what is left behind then.
//!
//! `cargo xtask soak ledger` runs all of it. Tests run a short form, and single calls in processes of their own.

#![expect(
    clippy::indexing_slicing,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test in a program of its own: what cannot go on ends it, and it prints"
)]

mod campaign;
mod found;
mod protocol;
mod worker;
mod writers;

use std::env;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use campaign::{Campaign, STEPS};
use protocol::Protocol;

/// How much is done.
struct Size {
    kills: usize,
    keys: usize,
}

const LONG: Size = Size { kills: 600, keys: 20_000 };
const SHORT: Size = Size { kills: 40, keys: 1_000 };
/// How long writers compete.
const WRITING: Duration = Duration::from_secs(5);

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match *arguments {
        ["work", protocol, folder, seed, from, step] => {
            let step = STEPS.into_iter().find(|known| *known == step);
            worker::work(named(protocol), Path::new(folder), number(seed), number(from), step);
        }
        ["resend", protocol, folder, keys] => {
            worker::resend(named(protocol), Path::new(folder), number(keys));
        }
        ["call", folder, branch, pause] => worker::call_once(Path::new(folder), branch, number(pause)),
        ["ask", ledger] => worker::ask(Path::new(ledger)),
        ["write", folder, name, millis] => {
            writers::write(Path::new(folder), name, Duration::from_millis(number(millis)));
        }
        ["short"] => return ended(soak(&SHORT)),
        [] | ["long"] => {
            let is_right = soak(&LONG);
            let writers = writers::compete(4, WRITING);
            println!("\n{writers}");
            return ended(is_right && writers.are_fair());
        }
        _ => {
            eprintln!("usage: soak-ledger [long | short]");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

/// Runs every protocol, and says whether it came to what it has to.
fn soak(size: &Size) -> bool {
    println!(
        "| protocol | kills | keys | acted twice | in doubt, acted | in doubt, had not | wrong successes | lost successes | damaged |"
    );
    println!("| --- | ---:| ---:| ---:| ---:| ---:| ---:| ---:| --- |");
    let mut is_right = true;
    for protocol in Protocol::ALL {
        let found = Campaign::new(protocol, size.kills, size.keys).run();
        println!("| {} | {} | {found} |", protocol.describe(), size.kills);
        is_right &= match protocol {
            Protocol::Ours => found.is_sound(size.keys),
            Protocol::CheckThenAct | Protocol::TakeOver => found.acted_twice > 0,
        };
    }
    is_right
}

fn ended(is_right: bool) -> ExitCode {
    if is_right { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn named(protocol: &str) -> Protocol {
    Protocol::ALL.into_iter().find(|known| known.name() == protocol).unwrap()
}

fn number(text: &str) -> u64 {
    text.parse().unwrap()
}
