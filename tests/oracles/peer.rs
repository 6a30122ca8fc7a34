//! Programs in other languages that answer line by line. `cargo xtask setup` installs what they use.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A language, and thereby an interpreter with its packages.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Peer {
    /// With the packages of npm.
    Node,
    /// With the packages of PyPI.
    Python,
}

impl Peer {
    /// What the script `name`, which stands beside this file, answers to each of `lines`.
    pub(crate) fn answers(self, name: &str, lines: &[String]) -> Vec<String> {
        self.run(name, lines).split_terminator('\n').map(str::to_owned).collect()
    }

    fn run(self, name: &str, lines: &[String]) -> String {
        let mut command = Command::new(self.interpreter());
        command.arg(scripts().join(format!("{name}.{}", self.extension())));
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("cannot start {self:?} ({error}): run `cargo xtask setup`"));
        let mut input = child.stdin.take().unwrap();
        let text = lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect::<String>();
        // A program that ends early leaves its input; its answers are then too few.
        let writer = std::thread::spawn(move || drop(input.write_all(text.as_bytes())));
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        assert!(output.status.success(), "{self:?} ended with {}: run `cargo xtask setup`", output.status);
        String::from_utf8(output.stdout).unwrap()
    }

    fn interpreter(self) -> PathBuf {
        match self {
            Peer::Node => PathBuf::from("node"),
            Peer::Python => repository().join("target/oracles/python/bin/python"),
        }
    }

    fn extension(self) -> &'static str {
        match self {
            Peer::Node => "mjs",
            Peer::Python => "py",
        }
    }
}

fn scripts() -> PathBuf {
    repository().join("tests/oracles")
}

/// The root of the repository, for a test of any of its crates.
fn repository() -> &'static Path {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.ancestors().find(|folder| folder.join("xtask").is_dir()).unwrap()
}
