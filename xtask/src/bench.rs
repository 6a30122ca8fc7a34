//! `cargo xtask bench NAME`: installs what one benchmark compares us with, then runs it as a release build.
//!
//! The peers stand below `target/bench-peers`, each in its own package manager's layout, and are never part of
//! the workspace. To add a peer: one row in [`PEERS`].

use anyhow::{Result, bail};

use crate::process;

/// What can be measured; each is a bench target of `forecheck-tests` of the same name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bench {
    /// The number corpus of RFC 8785, by its published checkpoints.
    Numbers,
    /// From text to key, beside other canonicalisers.
    Key,
    /// Surfaces of 10,000 and 200 verbs, beside plain parsing and other generators of types.
    Gen,
    /// Schemas that generators of types get wrong.
    Traps,
    /// A call up to its effect, beside what one would write by hand.
    Call,
    /// The ledger in a file, beside SQLite alone.
    Ledger,
}

impl Bench {
    pub(crate) const ALL: [Bench; 6] =
        [Bench::Numbers, Bench::Key, Bench::Gen, Bench::Traps, Bench::Call, Bench::Ledger];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Bench::Numbers => "numbers",
            Bench::Key => "key",
            Bench::Gen => "gen",
            Bench::Traps => "traps",
            Bench::Call => "call",
            Bench::Ledger => "ledger",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Bench> {
        Bench::ALL.into_iter().find(|bench| bench.name() == name)
    }
}

/// Something that a benchmark needs beside this workspace.
struct Peer {
    name: &'static str,
    users: &'static [Bench],
    /// Ends well when the peer is there, in this version.
    probe: &'static [&'static str],
    install: &'static [&'static str],
}

const PYTHON: &str = "target/bench-peers/python/bin/python";

macro_rules! npm {
    ($package:literal, $users:expr) => {
        Peer {
            name: $package,
            users: $users,
            probe: &["npm", "ls", "--prefix", "target/bench-peers/npm", $package],
            install: &[
                "npm",
                "install",
                "--prefix",
                "target/bench-peers/npm",
                "--no-audit",
                "--no-fund",
                "--save-exact",
                $package,
            ],
        }
    };
}

macro_rules! pip {
    ($package:literal, $version:literal, $users:expr) => {
        Peer {
            name: concat!($package, "==", $version),
            users: $users,
            probe: &[
                PYTHON,
                "-c",
                concat!(
                    "import importlib.metadata as m; assert m.version('",
                    $package,
                    "') == '",
                    $version,
                    "'"
                ),
            ],
            install: &[
                PYTHON,
                "-m",
                "pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
                concat!($package, "==", $version),
            ],
        }
    };
}

/// In the order in which they are installed: some need what stands above them.
const PEERS: &[Peer] = &[
    npm!("canonicalize@5.1.0", &[Bench::Key]),
    npm!("quicktype@26.0.0", &[Bench::Gen, Bench::Traps]),
    npm!("json-schema-to-typescript@16.0.0", &[Bench::Gen, Bench::Traps]),
    npm!("typescript@7.0.2", &[Bench::Traps]),
    Peer {
        name: "python",
        users: &[Bench::Key, Bench::Gen, Bench::Traps],
        probe: &[PYTHON, "--version"],
        install: &["python3", "-m", "venv", "target/bench-peers/python"],
    },
    pip!("jcs", "0.2.1", &[Bench::Key]),
    pip!("rfc8785", "0.1.4", &[Bench::Key]),
    pip!("datamodel-code-generator", "0.89.0", &[Bench::Gen, Bench::Traps]),
    Peer {
        name: "botocore==1.44.8",
        users: &[Bench::Gen],
        probe: &["test", "-e", "target/bench-peers/botocore/botocore-1.44.8-py3-none-any.whl"],
        install: &[
            PYTHON,
            "-m",
            "pip",
            "download",
            "--quiet",
            "--disable-pip-version-check",
            "--no-deps",
            "--dest",
            "target/bench-peers/botocore",
            "botocore==1.44.8",
        ],
    },
    Peer {
        name: "the data of botocore",
        users: &[Bench::Gen],
        probe: &["test", "-e", "target/bench-peers/botocore/unpacked"],
        install: &[
            "python3",
            "-m",
            "zipfile",
            "-e",
            "target/bench-peers/botocore/botocore-1.44.8-py3-none-any.whl",
            "target/bench-peers/botocore/unpacked",
        ],
    },
    Peer {
        name: "cargo-typify@0.7.0",
        users: &[Bench::Gen, Bench::Traps],
        probe: &["target/bench-peers/cargo/bin/cargo-typify", "typify", "--version"],
        install: &[
            "cargo",
            "install",
            "--quiet",
            "--locked",
            "--root",
            "target/bench-peers/cargo",
            "cargo-typify@0.7.0",
        ],
    },
];

/// Runs a benchmark; `largest` is the last checkpoint that `numbers` goes to.
pub(crate) fn run(bench: Bench, largest: Option<u64>) -> Result<()> {
    for peer in peers(bench) {
        peer.provide()?;
    }
    let largest = largest.map(|largest| largest.to_string());
    process::run(&bench_line(bench, largest.as_deref()))
}

fn peers(bench: Bench) -> impl Iterator<Item = &'static Peer> {
    PEERS.iter().filter(move |peer| peer.users.contains(&bench))
}

impl Peer {
    /// Installs the peer, unless it is there, and says which of the two.
    fn provide(&self) -> Result<()> {
        if process::succeeds(self.probe)? {
            println!("ok {}", self.name);
            return Ok(());
        }
        println!("installing {}", self.name);
        process::run(self.install)?;
        if !process::succeeds(self.probe)? {
            bail!("installed, and still not usable: {}", self.name);
        }
        Ok(())
    }
}

fn bench_line(bench: Bench, largest: Option<&str>) -> Vec<&str> {
    let mut line = vec!["cargo", "bench", "--quiet", "--package", "forecheck-tests", "--bench", bench.name()];
    if let Some(largest) = largest {
        line.extend(["--", largest]);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_benchmark_has_its_name_and_a_target() {
        let manifest = std::fs::read_to_string(process::root().join("tests/Cargo.toml")).unwrap();
        for bench in Bench::ALL {
            assert_eq!(Bench::named(bench.name()), Some(bench));
            let target = format!("[[bench]]\nname = \"{}\"\n", bench.name());
            assert!(manifest.contains(&target), "{target}");
        }
        assert_eq!(Bench::named("tests"), None);
    }

    #[test]
    fn each_benchmark_installs_its_own_peers() {
        let names = |bench| peers(bench).map(|peer| peer.name).collect::<Vec<_>>();
        assert!(names(Bench::Numbers).is_empty());
        assert_eq!(names(Bench::Key), ["canonicalize@5.1.0", "python", "jcs==0.2.1", "rfc8785==0.1.4"]);
        assert!(names(Bench::Gen).ends_with(&["the data of botocore", "cargo-typify@0.7.0"]));
    }

    #[test]
    fn a_benchmark_is_a_release_run_of_its_target() {
        let line = bench_line(Bench::Numbers, Some("1000"));
        assert_eq!(line.join(" "), "cargo bench --quiet --package forecheck-tests --bench numbers -- 1000");
        assert_eq!(bench_line(Bench::Key, None).last(), Some(&"key"));
    }
}
