//! The number corpus of RFC 8785 through our canonical writer, by its published checkpoints.
//!
//! `cargo xtask bench numbers [LARGEST]`; a wrong checkpoint is a failure.

#![expect(
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark prints, and stops where it cannot go on"
)]

use std::fs;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use forecheck_contract::canonical;
use forecheck_contract::json::{Node, Number, Value};
use sha2::{Digest, Sha256};

const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/corpora/jcs/");

/// A prefix of the corpus.
struct Checkpoint {
    lines: u64,
    sha256: String,
}

fn main() -> ExitCode {
    let largest = std::env::args().find_map(|word| word.parse().ok()).unwrap_or(u64::MAX);
    let checkpoints = checkpoints().into_iter().filter(|checkpoint| checkpoint.lines <= largest);
    let mut corpus = Corpus::new(patterns());
    let mut failed = 0;
    for checkpoint in checkpoints {
        let start = Instant::now();
        let from = corpus.lines;
        corpus.advance_to(checkpoint.lines);
        failed += usize::from(!report(&checkpoint, &corpus, corpus.lines - from, start.elapsed()));
    }
    println!("{failed} of the checkpoints wrong");
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Prints one checkpoint, and says whether it is right.
fn report(
    checkpoint: &Checkpoint,
    corpus: &Corpus<impl Iterator<Item = u64>>,
    lines: u64,
    took: Duration,
) -> bool {
    let right = corpus.sha256() == checkpoint.sha256;
    let word = if right { "ok    " } else { "FAILED" };
    let millions = |lines: u64| f64::from(u32::try_from(lines).unwrap()) / 1e6;
    let speed = millions(lines) / took.as_secs_f64();
    println!("{word} {:>11} lines  {speed:6.2} million lines/s  {}", checkpoint.lines, corpus.sha256());
    right
}

/// The table of the corpus's README.
fn checkpoints() -> Vec<Checkpoint> {
    let readme = fs::read_to_string(format!("{CORPUS}README.md")).unwrap();
    let rows = readme.lines().filter_map(|line| {
        let mut cells = line.strip_prefix("| ")?.split(" | ");
        let lines = cells.next()?.replace(',', "").parse().ok()?;
        Some(Checkpoint { lines, sha256: cells.next()?.to_owned() })
    });
    let checkpoints: Vec<Checkpoint> = rows.collect();
    assert_eq!(checkpoints.last().map(|last| last.lines), Some(100_000_000));
    checkpoints
}

/// The lines of the corpus, hashed as far as they were made.
struct Corpus<P> {
    patterns: P,
    lines: u64,
    digest: Sha256,
    chunk: Vec<u8>,
}

impl<P: Iterator<Item = u64>> Corpus<P> {
    const CHUNK: usize = 32 * 1024;

    fn new(patterns: P) -> Self {
        Corpus { patterns, lines: 0, digest: Sha256::new(), chunk: Vec::with_capacity(2 * Self::CHUNK) }
    }

    fn advance_to(&mut self, lines: u64) {
        while self.lines < lines {
            self.line();
            self.lines += 1;
            if self.chunk.len() >= Self::CHUNK || self.lines == lines {
                self.digest.update(&self.chunk);
                self.chunk.clear();
            }
        }
    }

    fn line(&mut self) {
        let bits = self.patterns.next().unwrap();
        push_hex(bits, &mut self.chunk);
        self.chunk.push(b',');
        let number = Value::Number(Number::Float(f64::from_bits(bits)));
        canonical::write(&Node::synthetic(number), &mut self.chunk);
        self.chunk.push(b'\n');
    }

    fn sha256(&self) -> String {
        hex::encode(self.digest.clone().finalize())
    }
}

/// Appends `bits` in hexadecimal without leading zeros.
fn push_hex(bits: u64, line: &mut Vec<u8>) {
    let mut digits = [0; 16];
    hex::encode_to_slice(bits.to_be_bytes(), &mut digits).unwrap();
    let zeros = bits.leading_zeros().min(63) / 4;
    line.extend_from_slice(&digits[zeros as usize..]);
}

/// The doubles of the corpus, as its README describes them.
fn patterns() -> impl Iterator<Item = u64> {
    let listed: Vec<u64> = fs::read_to_string(format!("{CORPUS}static_doubles.txt"))
        .unwrap()
        .lines()
        .map(|line| u64::from_str_radix(line.trim(), 16).unwrap())
        .collect();
    let smallest_normal = 0x0010_0000_0000_0000;
    let blocks = std::iter::successors(Some([0_u8; 32]), |block| Some(Sha256::digest(block).into())).skip(1);
    let random = blocks
        .flat_map(|block| <[[u8; 8]; 4]>::try_from(block.as_chunks::<8>().0).unwrap())
        .map(u64::from_le_bytes)
        .filter(|&bits| f64::from_bits(bits).is_finite() && f64::from_bits(bits) != 0.0);
    listed.into_iter().chain(smallest_normal..smallest_normal + 2000).chain(random)
}
