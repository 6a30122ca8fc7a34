//! Processes that write without a pause: none is left behind.

use std::env;
use std::fmt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use changes::desk_with;

use crate::protocol::Protocol;
use crate::worker::call;

/// What processes got done beside each other.
#[derive(Debug)]
pub(crate) struct Writers {
    calls: Vec<u64>,
    worst: Duration,
    took: Duration,
}

/// Calls without a pause for that long. Prints how often, and the longest time that a call took, in microseconds.
pub(crate) fn write(folder: &Path, name: &str, during: Duration) {
    let host = desk_with(Protocol::Ours.ledger(folder));
    let (started, mut calls, mut worst) = (Instant::now(), 0, Duration::ZERO);
    while started.elapsed() < during {
        let before = Instant::now();
        call(&host, &format!("{name}-{calls}"), || {});
        worst = worst.max(before.elapsed());
        calls += 1;
    }
    println!("{calls} {}", worst.as_micros());
}

/// Lets `writers` processes write into one ledger.
pub(crate) fn compete(writers: usize, took: Duration) -> Writers {
    let folder = tempfile::tempdir().unwrap();
    let spawn = |number: usize| {
        Command::new(env::current_exe().unwrap())
            .arg("write")
            .arg(folder.path())
            .args([format!("w{number}"), took.as_millis().to_string()])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let running: Vec<_> = (0..writers).map(spawn).collect();
    let mut found = Writers { calls: Vec::new(), worst: Duration::ZERO, took };
    for writer in running {
        let output = String::from_utf8(writer.wait_with_output().unwrap().stdout).unwrap();
        let (calls, worst) = output.trim().split_once(' ').unwrap();
        found.calls.push(calls.parse().unwrap());
        found.worst = found.worst.max(Duration::from_micros(worst.parse().unwrap()));
    }
    found
}

impl Writers {
    /// The slowest gets at least half of what the fastest gets done.
    pub(crate) fn are_fair(&self) -> bool {
        let (least, most) = (self.calls.iter().min().unwrap(), self.calls.iter().max().unwrap());
        least * 2 >= *most
    }
}

impl fmt::Display for Writers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Writers { calls, worst, took } = self;
        let calls: Vec<String> = calls.iter().map(u64::to_string).collect();
        write!(f, "{} writers for {} s: ", calls.len(), took.as_secs())?;
        write!(f, "{} calls; the longest took {} ms (aim 250)", calls.join(", "), worst.as_millis())
    }
}
