//! CPU seconds, user and system, as the kernel counts them.

use std::fs;
use std::process::Command;
use std::time::Instant;

/// Ticks a second; the kernel shows every program on every machine this number.
const TICKS: f64 = 100.0;

/// Of this process so far.
pub(crate) fn own() -> f64 {
    ticks(0)
}

/// Of all programs that this process has started and seen the end of.
fn children() -> f64 {
    ticks(2)
}

/// Two fields of `/proc/self/stat` from `utime` on, after the name in parentheses.
fn ticks(skip: usize) -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap();
    let (_, fields) = stat.rsplit_once(") ").unwrap();
    let fields = fields.split(' ').skip(11 + skip).take(2);
    fields.map(|field| field.parse::<f64>().unwrap()).sum::<f64>() / TICKS
}

/// What programs took.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Took {
    pub(crate) cpu: f64,
    pub(crate) wall: f64,
}

/// Runs programs one after the other, each of which has to succeed.
pub(crate) fn of(commands: impl IntoIterator<Item = Command>) -> Took {
    let (before, start) = (children(), Instant::now());
    for mut command in commands {
        let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
        assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    Took { cpu: children() - before, wall: start.elapsed().as_secs_f64() }
}
