//! `cargo xtask fuzz NAME [SECONDS]`: the long forms of tests, and random bytes for a bounded time.
//!
//! Random bytes come from libFuzzer through `cargo fuzz`; the programs are in `fuzz/`, and bytes that reach
//! new code are collected below `target/fuzz-corpus`. No sanitizer is asked for, since that needs a nightly
//! compiler; overflows and failed debug assertions count.

use std::fs;

use anyhow::{Context, Result};

use crate::process;

/// What can be run for longer than a test may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fuzz {
    /// Bytes as JSON.
    Reader,
    /// Bytes as the files of a surface.
    Loader,
    /// Bytes as the files of a surface that is generated, where it is sound.
    Generator,
    /// Random documents beside canonicalisers in other languages.
    Differential,
    /// Reader, canonical text and key under four sets of features of `serde_json`.
    Features,
}

/// How long random bytes are tried unless the caller says.
const SECONDS: u32 = 60;

/// How many documents the differential compares.
const DOCUMENTS: &str = "FORECHECK_DOCUMENTS=60000";

const CARGO_FUZZ: &str = "cargo-fuzz@0.13.2";

const FEATURE_SETS: &[&str] =
    &["", "arbitrary_precision", "preserve_order", "arbitrary_precision,preserve_order"];

impl Fuzz {
    pub(crate) const ALL: [Fuzz; 5] =
        [Fuzz::Reader, Fuzz::Loader, Fuzz::Generator, Fuzz::Differential, Fuzz::Features];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Fuzz::Reader => "reader",
            Fuzz::Loader => "loader",
            Fuzz::Generator => "generator",
            Fuzz::Differential => "differential",
            Fuzz::Features => "features",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Fuzz> {
        Fuzz::ALL.into_iter().find(|fuzz| fuzz.name() == name)
    }

    /// Whether it runs for as long as the caller says.
    pub(crate) fn is_timed(self) -> bool {
        !self.seeds().is_empty()
    }

    /// The folders whose files random bytes start from; none for what is not random bytes.
    fn seeds(self) -> &'static [&'static str] {
        match self {
            Fuzz::Reader => &["tests/corpora/fuzz/reader", "tests/corpora/jcs/input", "tests/corpora/traps"],
            Fuzz::Loader | Fuzz::Generator => {
                &["tests/corpora/fuzz/folder", "tests/corpora/samples/codecommit"]
            }
            Fuzz::Differential | Fuzz::Features => &[],
        }
    }
}

pub(crate) fn run(fuzz: Fuzz, seconds: Option<u32>) -> Result<()> {
    match fuzz {
        Fuzz::Reader | Fuzz::Loader | Fuzz::Generator => random_bytes(fuzz, seconds.unwrap_or(SECONDS)),
        Fuzz::Differential => process::run(DIFFERENTIAL),
        Fuzz::Features => FEATURE_SETS.iter().try_for_each(|set| {
            println!("serde_json with [{set}]");
            process::run(&features_line(set))
        }),
    }
}

const DIFFERENTIAL: &[&str] = &[
    "env",
    DOCUMENTS,
    "cargo",
    "test",
    "--quiet",
    "--package",
    "forecheck-tests",
    "oracles::other_languages_write_the_same_canonical_text",
    "--",
    "--exact",
    "--nocapture",
];

fn features_line(set: &'static str) -> [&'static str; 13] {
    [
        "env",
        DOCUMENTS,
        "cargo",
        "test",
        "--quiet",
        "--manifest-path",
        "tests/oracles/feature_sets/Cargo.toml",
        "--target-dir",
        "target/feature-sets",
        "--features",
        set,
        "--",
        "--nocapture",
    ]
}

fn random_bytes(fuzz: Fuzz, seconds: u32) -> Result<()> {
    if !process::succeeds(&["cargo", "fuzz", "--version"])? {
        println!("installing {CARGO_FUZZ}");
        process::run(&["cargo", "install", "--locked", "--debug", CARGO_FUZZ])?;
    }
    let found = format!("target/fuzz-corpus/{}", fuzz.name());
    fs::create_dir_all(process::root().join(&found)).with_context(|| format!("cannot make `{found}`"))?;
    let time = format!("-max_total_time={seconds}");
    process::run(&random_line(fuzz, &found, &time))
}

fn random_line<'a>(fuzz: Fuzz, found: &'a str, time: &'a str) -> Vec<&'a str> {
    let mut line = vec!["cargo", "fuzz", "run", "--sanitizer", "none", "--fuzz-dir", "fuzz", "--target-dir"];
    line.extend(["target/fuzz", fuzz.name(), found]);
    line.extend(fuzz.seeds());
    line.extend([
        "--",
        time,
        "-timeout=10",
        "-max_len=8192",
        "-dict=fuzz/words.dict",
        "-print_final_stats=1",
    ]);
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exists(path: &str) -> bool {
        process::root().join(path).exists()
    }

    #[test]
    fn everything_has_its_name() {
        for fuzz in Fuzz::ALL {
            assert_eq!(Fuzz::named(fuzz.name()), Some(fuzz));
        }
        assert_eq!(Fuzz::named("tests"), None);
    }

    #[test]
    fn every_program_and_folder_is_there() {
        for fuzz in Fuzz::ALL.into_iter().filter(|fuzz| fuzz.is_timed()) {
            assert!(exists(&format!("fuzz/fuzz_targets/{}.rs", fuzz.name())), "{fuzz:?}");
            assert!(fuzz.seeds().iter().all(|seeds| exists(seeds)), "{fuzz:?}");
        }
        assert!(exists("fuzz/words.dict"));
        assert!(features_line("").iter().any(|word| word.ends_with("Cargo.toml") && exists(word)));
    }

    #[test]
    fn random_bytes_are_bounded() {
        let line = random_line(Fuzz::Reader, "target/found", "-max_total_time=5");
        let words =
            ["reader", "target/found", "tests/corpora/fuzz/reader", "-max_total_time=5", "-timeout=10"];
        assert!(words.iter().all(|word| line.contains(word)), "{line:?}");
    }

    #[test]
    fn feature_sets_are_those_of_the_crate() {
        let manifest = process::root().join("tests/oracles/feature_sets/Cargo.toml");
        let manifest = fs::read_to_string(manifest).unwrap();
        for feature in FEATURE_SETS.iter().flat_map(|set| set.split_terminator(',')) {
            assert!(manifest.contains(&format!("\n{feature} = ")), "{feature}");
        }
    }
}
