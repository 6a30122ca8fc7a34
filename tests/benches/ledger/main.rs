//! The ledger beside SQLite alone: a call is a row that is written and on disk before its effect, and written again
//! after it.
//!
//! `cargo xtask bench ledger`. Processes of both take turns; the median of the rounds counts. SQLite alone has a
//! table of such rows, one statement for each write, the same flushes and the same naps while it waits. The look-up before
//! a claim is left out of both.

#![expect(
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark prints figures, and stops where it cannot go on"
)]

mod plain;
#[path = "../table.rs"]
mod table;

use std::env;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use changes::generated::open_change;
use forecheck::ledger::{Claimed, NewClaim, RowId, Settlement};
use forecheck::{Ledger, SqliteLedger};

use table::Table;

/// At least so much of what SQLite alone gets done.
const AIM: f64 = 0.8;
const ROUNDS: usize = 5;
const ROUND: Duration = Duration::from_secs(3);

/// The outputs of the calls, about 1 KB.
fn output() -> String {
    format!("\"{}\"", "x".repeat(1000))
}

/// Makes calls for a round, and says how many.
type Way = fn(&Path, &str) -> u64;

const WAYS: [Way; 2] = [ours, plain::calls];

fn main() {
    let words: Vec<String> = env::args().skip(1).collect();
    if let [mode, way, folder, name] = &words[..]
        && mode == "work"
    {
        println!("{}", WAYS[way.parse::<usize>().unwrap()](Path::new(folder), name));
        return;
    }
    let mut table =
        Table::new(["processes", "forecheck: calls/s", "SQLite alone: calls/s", "of SQLite alone"]);
    let mut verdicts = Vec::new();
    for processes in [1, 4] {
        let [ours, plain] = medians(processes);
        let ratio = ours / plain;
        let figures = [format!("{ours:.0}"), format!("{plain:.0}"), format!("{ratio:.2}")];
        table.row([processes.to_string()].into_iter().chain(figures));
        let verdict = if ratio >= AIM { "met" } else { "MISSED" };
        verdicts.push(format!("{verdict}: {processes} processes, {ratio:.2} of SQLite alone, aim {AIM}"));
    }
    println!("{table}\n{}", verdicts.join("\n"));
}

/// Calls per second of each way, over all processes.
fn medians(processes: usize) -> [f64; 2] {
    let mut rounds: [Vec<f64>; 2] = Default::default();
    for _ in 0..ROUNDS {
        for (way, rounds) in rounds.iter_mut().enumerate() {
            rounds.push(round(way, processes));
        }
    }
    rounds.map(|mut rounds| {
        rounds.sort_by(f64::total_cmp);
        rounds[ROUNDS / 2]
    })
}

fn round(way: usize, processes: usize) -> f64 {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let spawn = |number: usize| {
        let mut command = Command::new(env::current_exe().unwrap());
        command.arg("work").arg(way.to_string()).arg(folder.path()).arg(number.to_string());
        command.stdout(Stdio::piped()).spawn().unwrap()
    };
    let running: Vec<_> = (0..processes).map(spawn).collect();
    let calls = running.into_iter().map(|process| {
        let output = process.wait_with_output().unwrap();
        String::from_utf8(output.stdout).unwrap().trim().parse::<f64>().unwrap()
    });
    calls.sum::<f64>() / ROUND.as_secs_f64()
}

fn ours(folder: &Path, name: &str) -> u64 {
    let ledger = SqliteLedger::at(folder.join("ledger.sqlite"));
    let (mut calls, started) = (0, Instant::now());
    while started.elapsed() < ROUND {
        let input = format!(
            r#"{{"repo": "octo/hello", "branch": "{name}/{calls}", "title": "Fix", "paths": ["a"]}}"#
        );
        let key = open_change::key(input.as_bytes()).unwrap();
        let claim = NewClaim {
            row: RowId { scope: "ada".to_owned(), key },
            verb: "open_change".to_owned(),
            input: key,
            shown: input,
            each_acts: false,
        };
        let Claimed::Yes(id) = ledger.claim(claim).unwrap() else { unreachable!() };
        ledger.settle(&id, &Settlement::Succeeded { output: output(), window: None }).unwrap();
        calls += 1;
    }
    calls
}
