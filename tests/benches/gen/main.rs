//! Generation at scale: 10,000 verbs beside plain parsing of the same files, 200 verbs beside other generators.
//!
//! `cargo xtask bench gen`.

#![expect(
    clippy::cast_precision_loss,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark prints figures, and stops where it cannot go on"
)]

mod cpu;
#[path = "../peers.rs"]
mod peers;
mod program;
#[path = "../table.rs"]
mod table;
mod trees;
mod typers;
mod work;

use std::fs;
use std::path::Path;
use std::process::Command;

use cpu::Took;
use program::Program;
use table::Table;
use typers::{TYPERS, input_schemas};
use work::{Measured, Work};

/// How many times the floor's CPU time reading, checking and collapsing may take.
const TIMES_THE_FLOOR: f64 = 2.5;

/// CPU seconds for 200 verbs with all outputs.
const TWO_HUNDRED: f64 = 0.5;

/// How many times the CPU time of `gen` the same run with `--check` may take; 2 % is what two equal runs differ by.
const NO_SLOWER: f64 = 1.02;

const ROUNDS: usize = 3;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.as_slice() {
        [word, work, folder] if word == "work" => println!("{}", Work::run(work, Path::new(folder))),
        _ => measure(),
    }
}

fn measure() {
    let (large, small) = (trees::ten_thousand(), trees::two_hundred());
    let program = Program::build();
    in_one_process(&large);
    // Before the many files of the next step are removed: for a minute, ext4 looks for a place for new files among
    // those that were just deleted.
    beside_other_generators(&program, &small);
    through_the_program(&program, &large);
}

fn in_one_process(spec: &Path) {
    let mut table = Table::new(["10,000 verbs, one process", "CPU s", "times the floor", "peak MB", "made"]);
    let mut row = |work: Work, measured: &Measured, floor: f64| {
        table.row([
            work.name().to_owned(),
            format!("{:.2}", measured.cpu),
            format!("{:.2}", measured.cpu / floor),
            format!("{:.0}", measured.peak as f64 / 1e6),
            measured.note.clone(),
        ]);
    };
    let [floor, ours] = in_turns([Work::Floor, Work::Table], spec);
    row(Work::Floor, &floor, floor.cpu);
    row(Work::Table, &ours, floor.cpu);
    row(Work::Full, &Work::Full.spawn(spec), floor.cpu);
    println!("\n{table}");
    print_aim(ours.cpu / floor.cpu, TIMES_THE_FLOOR, "times the floor's CPU time");
}

/// The best of several rounds; the works take turns.
fn in_turns<const N: usize>(works: [Work; N], spec: &Path) -> [Measured; N] {
    let mut best = works.map(|work| work.spawn(spec));
    for _ in 1..ROUNDS {
        for (work, best) in works.iter().zip(&mut best) {
            let measured = work.spawn(spec);
            if measured.cpu < best.cpu {
                *best = measured;
            }
        }
    }
    best
}

fn through_the_program(program: &Program, spec: &Path) {
    let folder = empty("gen-10000");
    let out = folder.join("generated");
    let mut table = Table::new(["10,000 verbs, the program", "CPU s", "wall s"]);
    let mut row = |name: &str, took: Took| {
        table.row([name.to_owned(), format!("{:.2}", took.cpu), format!("{:.2}", took.wall)]);
        took
    };
    row("gen into an empty folder", cpu::of([program.generate(spec, &out)]));
    let again = || cpu::of([program.generate(spec, &out)]);
    let check = || cpu::of([program.check(spec, &out)]);
    let rounds: Vec<(Took, Took)> = (0..2).map(|_| (again(), check())).collect();
    let again = row("gen, nothing changed", least(rounds.iter().map(|(again, _)| *again)));
    let check = row("gen --check, nothing changed", least(rounds.iter().map(|(_, check)| *check)));
    println!("\n{table}");
    print_aim(check.cpu / again.cpu, NO_SLOWER, "times the CPU time of gen");
    fs::remove_dir_all(folder).unwrap();
}

fn beside_other_generators(program: &Program, spec: &Path) {
    let folder = empty("gen-200");
    let schemas = input_schemas(spec, &folder.join("schemas"));
    let mut table = Table::new(["200 verbs", "CPU s", "wall s", "times ours"]);
    let ours = best_of(&folder.join("forecheck"), |out| vec![program.generate(spec, out)]);
    let mut row = |name: &str, took: Took| {
        let (cpu, wall) = (format!("{:.2}", took.cpu), format!("{:.2}", took.wall));
        table.row([name.to_owned(), cpu, wall, format!("{:.1}", took.cpu / ours.cpu)]);
    };
    row("forecheck gen: all outputs", ours);
    for typer in TYPERS {
        let took = best_of(&folder.join(typer.name), |out| (typer.commands)(&schemas, out));
        row(&format!("{}: types of the inputs", typer.name), took);
    }
    println!("\n{table}");
    print_aim(ours.cpu, TWO_HUNDRED, "CPU seconds");
    fs::remove_dir_all(folder).unwrap();
}

/// The best of several rounds, each into a new folder.
fn best_of(folder: &Path, commands: impl Fn(&Path) -> Vec<Command>) -> Took {
    least((0..ROUNDS).map(|round| {
        let out = folder.join(round.to_string());
        fs::create_dir_all(&out).unwrap();
        cpu::of(commands(&out))
    }))
}

fn least(rounds: impl Iterator<Item = Took>) -> Took {
    rounds.min_by(|a, b| a.cpu.total_cmp(&b.cpu)).unwrap()
}

/// A folder for what is generated, with nothing in it.
fn empty(name: &str) -> std::path::PathBuf {
    let folder = peers::place(name);
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn print_aim(measured: f64, aim: f64, of: &str) {
    let verdict = if measured <= aim { "met" } else { "MISSED" };
    println!("{verdict}: {measured:.2} {of}, aim {aim}");
}
