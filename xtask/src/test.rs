//! `cargo xtask test`: setup, every check, every test; the last line is the count of the tests.

use std::fmt;
use std::process::{ExitCode, ExitStatus};
use std::time::Instant;

use anyhow::{Context, Result};

use crate::{codegen, mutate, process, setup, tidy};

struct Step {
    name: &'static str,
    action: Action,
}

enum Action {
    Program(&'static [&'static str]),
    Own(fn() -> Result<()>),
}

/// In the order in which a failure is cheapest to learn; the first failure ends the run.
const CHECKS: &[Step] = &[
    Step { name: "setup", action: Action::Own(setup::run) },
    Step { name: "format", action: Action::Program(&["cargo", "fmt", "--all", "--check"]) },
    Step {
        name: "format of fuzz",
        action: Action::Program(&["cargo", "fmt", "--check", "--manifest-path", "fuzz/Cargo.toml"]),
    },
    Step {
        name: "format of feature sets",
        action: Action::Program(&[
            "cargo",
            "fmt",
            "--check",
            "--manifest-path",
            "tests/oracles/feature_sets/Cargo.toml",
        ]),
    },
    Step {
        name: "clippy",
        action: Action::Program(&["cargo", "clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]),
    },
    // What is looked at is not run, so it does without libFuzzer, which a compiler for C++ would have to build.
    Step {
        name: "clippy of fuzz",
        action: Action::Program(&[
            "cargo",
            "clippy",
            "--manifest-path",
            "fuzz/Cargo.toml",
            "--target-dir",
            "target",
            "--no-default-features",
            "--all-targets",
            "--",
            "-D",
            "warnings",
        ]),
    },
    Step {
        name: "clippy of feature sets",
        action: Action::Program(&[
            "cargo",
            "clippy",
            "--manifest-path",
            "tests/oracles/feature_sets/Cargo.toml",
            "--target-dir",
            "target",
            "--all-targets",
            "--",
            "-D",
            "warnings",
        ]),
    },
    Step {
        name: "dependencies",
        action: Action::Program(&["cargo", "deny", "check", "bans", "licenses", "sources"]),
    },
    Step { name: "tidy", action: Action::Own(tidy::run) },
    Step { name: "codegen", action: Action::Own(|| codegen::run(true)) },
    Step { name: "mutants", action: Action::Own(mutate::checks) },
];

const TESTS: &[&str] = &["cargo", "test", "--workspace", "--no-fail-fast"];

pub(crate) fn run() -> Result<ExitCode> {
    for step in CHECKS {
        timed(step.name, || step.action.run())?;
    }
    let (status, tally) = timed("tests", run_tests)?;
    let problem = tally.problem(status);
    if let Some(problem) = &problem {
        eprintln!("error: {problem}");
    }
    println!("{tally}");
    Ok(problem.map_or(ExitCode::SUCCESS, |_| ExitCode::FAILURE))
}

impl Action {
    fn run(&self) -> Result<()> {
        match self {
            Self::Program(line) => process::run(line),
            Self::Own(function) => function(),
        }
    }
}

fn timed<T>(name: &'static str, action: impl FnOnce() -> Result<T>) -> Result<T> {
    println!("== {name}");
    let start = Instant::now();
    let result = action();
    println!("== {name}: {:.1} s", start.elapsed().as_secs_f64());
    result.with_context(|| format!("step `{name}`"))
}

fn run_tests() -> Result<(ExitStatus, Tally)> {
    let mut tally = Tally::default();
    let status = process::each_line(TESTS, |line| {
        println!("{line}");
        tally.add(line);
    })?;
    Ok((status, tally))
}

/// The sum over the `test result:` lines of all test programs.
#[derive(Debug, Default, PartialEq, Eq)]
struct Tally {
    passed: u64,
    failed: u64,
    skipped: u64,
}

impl Tally {
    fn add(&mut self, line: &str) {
        let Some(counts) = line.strip_prefix("test result: ") else {
            return;
        };
        for part in counts.split(['.', ';']) {
            let Some((number, word)) = part.trim().split_once(' ') else {
                continue;
            };
            let count = number.parse().unwrap_or(0);
            match word {
                "passed" => self.passed += count,
                "failed" => self.failed += count,
                "ignored" => self.skipped += count,
                _ => {}
            }
        }
    }

    /// Why this run is no success. A test program that dies leaves no line to count, so the status counts too.
    fn problem(&self, status: ExitStatus) -> Option<String> {
        if !status.success() || self.failed > 0 {
            Some(format!("the tests ended with {status}"))
        } else if self.passed == 0 {
            Some("no test ran".to_owned())
        } else {
            None
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)?;
        if self.skipped > 0 {
            write!(f, ", {} skipped", self.skipped)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt;

    use super::*;

    fn tally(output: &str) -> Tally {
        let mut tally = Tally::default();
        output.lines().for_each(|line| tally.add(line));
        tally
    }

    #[test]
    fn the_last_line_adds_up_all_programs() {
        let rows = [
            ("", "0 passed, 0 failed"),
            (
                "test a ... ok\ntest result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 7 filtered out; finished in 0.02s",
                "3 passed, 0 failed",
            ),
            (
                "test result: FAILED. 10 passed; 2 failed; 1 ignored; 0 measured; 0 filtered out; finished in 12.30s\n\
                 \ntest result: ok. 5 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s",
                "15 passed, 2 failed, 1 skipped",
            ),
            ("test result of mine: 4 passed", "0 passed, 0 failed"),
        ];
        for (output, expected) in rows {
            assert_eq!(tally(output).to_string(), expected, "{output}");
        }
    }

    /// `--workspace` and `--all` end at the workspace, and each manifest that starts one of its own is a line more.
    #[test]
    fn every_workspace_is_formatted_and_linted() {
        let manifests = process::output(&["git", "ls-files", "*Cargo.toml"]).unwrap();
        let starts_a_workspace = |path: &&str| {
            let manifest = std::fs::read_to_string(process::root().join(path)).unwrap();
            manifest.lines().any(|line| line == "[workspace]")
        };
        let own: Vec<&str> =
            manifests.lines().filter(starts_a_workspace).filter(|path| *path != "Cargo.toml").collect();
        assert_eq!(own, ["fuzz/Cargo.toml", "tests/oracles/feature_sets/Cargo.toml"]);
        for path in own {
            for tool in ["fmt", "clippy"] {
                let looks = |step: &&Step| matches!(step.action, Action::Program(line) if line.contains(&tool) && line.contains(&path));
                assert_eq!(CHECKS.iter().filter(looks).count(), 1, "{tool} {path}");
            }
        }
    }

    #[test]
    fn success_needs_a_clean_end_and_a_test() {
        let clean = ExitStatus::from_raw(0);
        let dirty = ExitStatus::from_raw(101 << 8);
        let one = tally("test result: ok. 1 passed; 0 failed");
        assert_eq!(one.problem(clean), None);
        let ended = "the tests ended with exit status: 101";
        assert_eq!(one.problem(dirty).as_deref(), Some(ended));
        assert_eq!(Tally::default().problem(clean).as_deref(), Some("no test ran"));
    }
}
