//! From text to key: strict reading, canonical JSON and SHA-256, beside other ways to the same key.
//!
//! `cargo xtask bench key`. Makers in Rust run in this process in turns, and the best of several rounds counts.

#![expect(
    clippy::cast_precision_loss,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark prints figures, and stops where it cannot go on"
)]

mod foreign;
mod inputs;
mod makers;
#[path = "../peers.rs"]
mod peers;
#[path = "../table.rs"]
mod table;

use std::time::Duration;

use forecheck_contract::canonical;
use forecheck_contract::json::{self, Limits};

use foreign::Measured;
use inputs::Input;
use makers::{FLOOR, MAKERS, OURS};
use table::Table;

/// How many times as fast as the best crate that is right.
const TIMES_AS_FAST: [(&str, f64); 3] = [("300 B", 4.0), ("10 KB", 4.0), ("10 MB", 3.5)];

/// How many times the floor's time, at most.
const TIMES_THE_FLOOR: f64 = 1.1;

/// The best time of one maker on one input.
struct Result {
    maker: String,
    /// Another crate whose keys are right.
    is_rival: bool,
    best: Duration,
}

fn main() {
    let inputs = Input::all();
    let foreign = foreign::measure(&inputs);
    for (index, input) in inputs.iter().enumerate() {
        let results = results(input, foreign.iter().filter(|measured| measured.input == index));
        println!("{} ({} bytes)\n\n{}", input.name, input.text.len(), table(input, &results));
        print_aims(input, &results);
    }
}

/// Asserts every key, then measures.
fn results<'m>(input: &Input, foreign: impl Iterator<Item = &'m Measured>) -> Vec<Result> {
    let text = input.text.as_bytes();
    let key = (MAKERS[0].key)(text);
    for maker in MAKERS.iter().filter(|maker| maker.is_right) {
        assert_eq!((maker.key)(text), key, "{} of {}", maker.name, input.name);
    }
    let rust = MAKERS.iter().zip(best_times(input)).map(|(maker, best)| Result {
        maker: maker.name.to_owned(),
        is_rival: maker.is_right && maker.name != OURS,
        best,
    });
    let foreign = foreign.map(|measured| {
        assert_eq!(measured.key, key, "{} of {}", measured.maker, input.name);
        Result { maker: measured.maker.clone(), is_rival: false, best: measured.best }
    });
    rust.chain(foreign).collect()
}

/// The makers take turns, so that what else the machine does hits all of them.
fn best_times(input: &Input) -> Vec<Duration> {
    let canonical = canonical::to_string(&json::read(input.text.as_bytes(), Limits::SPEC).unwrap());
    let mut best = vec![Duration::MAX; MAKERS.len()];
    for _ in 0..input.rounds {
        for (maker, best) in MAKERS.iter().zip(&mut best) {
            let text = if maker.name == "sha2 alone" { &canonical } else { &input.text };
            *best = (*best).min(maker.time(text.as_bytes(), input.times));
        }
    }
    best
}

fn table(input: &Input, results: &[Result]) -> Table {
    let mut table = Table::new(["", "µs", "MB/s", "times ours"]);
    let ours = of(results, OURS);
    for result in results {
        let seconds = result.best.as_secs_f64();
        table.row([
            result.maker.clone(),
            format!("{:.2}", seconds * 1e6),
            format!("{:.0}", input.text.len() as f64 / seconds / 1e6),
            format!("{:.2}", seconds / ours),
        ]);
    }
    table
}

fn print_aims(input: &Input, results: &[Result]) {
    let (ours, floor) = (of(results, OURS), of(results, FLOOR));
    let rivals = results.iter().filter(|result| result.is_rival);
    let best = rivals.map(|result| result.best.as_secs_f64()).fold(f64::INFINITY, f64::min);
    let verdict = |met: bool| if met { "met" } else { "MISSED" };
    if let Some((_, aim)) = TIMES_AS_FAST.iter().find(|(name, _)| *name == input.name) {
        let times = best / ours;
        println!(
            "{}: {times:.2} times as fast as the best crate that is right, aim {aim}",
            verdict(times >= *aim)
        );
    }
    let times = ours / floor;
    println!(
        "{}: {times:.2} times the floor's time, aim {TIMES_THE_FLOOR}\n",
        verdict(times <= TIMES_THE_FLOOR)
    );
}

fn of(results: &[Result], maker: &str) -> f64 {
    results.iter().find(|result| result.maker == maker).unwrap().best.as_secs_f64()
}
