//! Makers of keys from text in Rust, all in this process.

use std::hint::black_box;
use std::time::{Duration, Instant};

use forecheck_contract::json::{self, Limits};
use forecheck_contract::key::{Key, Keyed};
use serde_json::Value;
use sha2::digest::Output;
use sha2::{Digest, Sha256};

pub(crate) const VERB: &str = "bench";
pub(crate) const TARGET: &str = "octo/hello-world";

/// Ours, whose keys all others are held against.
pub(crate) const OURS: &str = "forecheck";

/// The floor: it reads, writes and hashes as `serde_json` does, which is not canonical.
pub(crate) const FLOOR: &str = "serde_json + sha2 (not canonical)";

/// A way from text to key.
pub(crate) struct Maker {
    pub(crate) name: &'static str,
    /// Whether its keys are right; those of the others only cost time.
    pub(crate) is_right: bool,
    pub(crate) key: fn(&[u8]) -> String,
    time: fn(&[u8], u32) -> Duration,
}

impl Maker {
    /// The time of one key, as the mean of so many.
    pub(crate) fn time(&self, text: &[u8], times: u32) -> Duration {
        (self.time)(text, times) / times
    }
}

pub(crate) const MAKERS: &[Maker] = &[
    Maker {
        name: OURS,
        is_right: true,
        key: |text| ours(text).to_string(),
        time: |text, times| timed(ours, text, times),
    },
    Maker {
        name: "serde_json_canonicalizer",
        is_right: true,
        key: |text| hex::encode(serde_json_canonicalizer(text)),
        time: |text, times| timed(serde_json_canonicalizer, text, times),
    },
    Maker {
        name: "serde_jcs",
        is_right: true,
        key: |text| hex::encode(serde_jcs(text)),
        time: |text, times| timed(serde_jcs, text, times),
    },
    Maker {
        name: FLOOR,
        is_right: false,
        key: |text| hex::encode(serde_json(text)),
        time: |text, times| timed(serde_json, text, times),
    },
    Maker {
        name: "sha2 alone",
        is_right: false,
        key: |text| hex::encode(hash(text)),
        time: |text, times| timed(hash, text, times),
    },
];

fn timed<T>(make: impl Fn(&[u8]) -> T, text: &[u8], times: u32) -> Duration {
    let start = Instant::now();
    for _ in 0..times {
        black_box(make(black_box(text)));
    }
    start.elapsed()
}

fn ours(text: &[u8]) -> Key {
    let limits = Limits { bytes: 64 << 20, ..Limits::CALL };
    let input = json::read(text, limits).unwrap();
    Keyed::plain(VERB, TARGET, &input).unwrap().key()
}

fn serde_json_canonicalizer(text: &[u8]) -> Output<Sha256> {
    let input: Value = ::serde_json::from_slice(text).unwrap();
    hash(&::serde_json_canonicalizer::to_vec(&input).unwrap())
}

fn serde_jcs(text: &[u8]) -> Output<Sha256> {
    let input: Value = ::serde_json::from_slice(text).unwrap();
    hash(&::serde_jcs::to_vec(&input).unwrap())
}

fn serde_json(text: &[u8]) -> Output<Sha256> {
    let input: Value = ::serde_json::from_slice(text).unwrap();
    hash(&::serde_json::to_vec(&input).unwrap())
}

fn hash(canonical: &[u8]) -> Output<Sha256> {
    let mut digest = Sha256::new();
    for part in [VERB, "|", TARGET, "|"] {
        digest.update(part);
    }
    digest.update(canonical);
    digest.finalize()
}
