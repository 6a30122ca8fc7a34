//! Makers of keys in other languages, a process for each language.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::inputs::Input;
use crate::makers::{TARGET, VERB};
use crate::peers::place;

/// What a program measured.
pub(crate) struct Measured {
    pub(crate) maker: String,
    /// The input's place in the list.
    pub(crate) input: usize,
    pub(crate) best: Duration,
    pub(crate) key: String,
}

/// Runs both programs over all inputs.
pub(crate) fn measure(inputs: &[Input]) -> Vec<Measured> {
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/key");
    let mut node = Command::new("node");
    node.arg(scripts.join("node.mjs")).arg(place("npm/node_modules/canonicalize"));
    let mut python = Command::new(place("python/bin/python"));
    python.arg("-B").arg(scripts.join("python.py"));
    let paths: Vec<PathBuf> = inputs.iter().map(Input::write).collect();
    [node, python].into_iter().flat_map(|program| run(program, inputs, &paths)).collect()
}

/// A program gets the verb and the target, then path, rounds and keys per round of each input. It answers with
/// a line for each of its makers and inputs: maker, number of the input, nanoseconds, key.
fn run(mut program: Command, inputs: &[Input], paths: &[PathBuf]) -> Vec<Measured> {
    program.args([VERB, TARGET]);
    for (input, path) in inputs.iter().zip(paths) {
        let (rounds, times) = (input.rounds.div_ceil(4), input.times.div_ceil(10));
        program.arg(path).args([rounds.to_string(), times.to_string()]);
    }
    let output = program.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(measured).collect()
}

fn measured(line: &str) -> Measured {
    let [maker, input, nanoseconds, key] = line.split('\t').collect::<Vec<_>>().try_into().unwrap();
    Measured {
        maker: maker.to_owned(),
        input: input.parse().unwrap(),
        best: Duration::from_nanos(nanoseconds.parse().unwrap()),
        key: key.to_owned(),
    }
}
