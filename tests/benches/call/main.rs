//! A call up to its effect: read, validate, key, ledger, every check, beside its parts and what one would write
//! by hand; and the time that `cargo check` takes for the generated code of 1,137 verbs.
//!
//! `cargo xtask bench call`. The ways take turns in this process, and the best of several rounds counts.

#![expect(
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark prints figures, and stops where it cannot go on"
)]

mod checked;
#[path = "../table.rs"]
mod table;

use std::hint::black_box;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use changes::generated::open_change;
use changes::{State, desk_with};
use forecheck::MemoryLedger;
use forecheck::outcome::Status;
use serde_json::Value;

use table::Table;

/// What a call may cost, in microseconds.
const AIM: f64 = 10.0;

const ROUNDS: usize = 60;
const TIMES: u32 = 2000;

/// A call of about 500 bytes that every check lets through.
const INPUT: &str = r#"{"repo": "https://github.com/octo/hello.git", "branch": "fix/unicode-paths-in-listing", "title": "Listing: keep paths that are not UTF-8", "paths": ["src/listing.rs", "src/listing/entry.rs", "tests/listing.rs", "docs/listing.md"], "note": "The listing dropped every path that is not valid UTF-8, so that a later run took the file for foreign and refused to write.", "base": "main", "options": {"squash": true, "reviewers": ["ada", "grace"]}, "labels": [{"name": "bug", "weight": 3}, {"name": "paths"}]}"#;

fn main() {
    let host = desk_with(Arc::new(MemoryLedger::new()));
    let schema: Value = {
        let file: Value =
            serde_json::from_str(include_str!("../../runtime/spec/verbs/open_change.schema.json")).unwrap();
        let label: Value =
            serde_json::from_str(include_str!("../../runtime/spec/defs/label.schema.json")).unwrap();
        let mut schema = file["input"].clone();
        schema["properties"]["labels"]["items"] = label;
        schema
    };
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    let value: Value = serde_json::from_str(INPUT).unwrap();
    let ways: [(&str, &dyn Fn()); 5] = [
        ("forecheck: read, validate, key, ledger, 7 checks", &|| {
            let outcome = open_change::preflight(&host, black_box(INPUT.as_bytes()));
            assert_eq!(outcome.status, Status::Cleared);
        }),
        ("forecheck: read, validate, key", &|| {
            black_box(open_change::key(black_box(INPUT.as_bytes())).unwrap());
        }),
        ("serde_json into a struct, and ifs by hand", &|| {
            assert!(by_hand(black_box(INPUT), &host.read));
        }),
        ("serde_json into a value, and jsonschema", &|| {
            let value: Value = serde_json::from_str(black_box(INPUT)).unwrap();
            assert!(validator.is_valid(&value));
        }),
        ("jsonschema alone, on a value", &|| assert!(validator.is_valid(black_box(&value)))),
    ];
    let mut best = ways.map(|_| Duration::MAX);
    for _ in 0..ROUNDS {
        for ((_, way), best) in ways.iter().zip(&mut best) {
            let start = Instant::now();
            (0..TIMES).for_each(|_| way());
            *best = (*best).min(start.elapsed() / TIMES);
        }
    }
    let ours = best.first().unwrap().as_secs_f64();
    let mut table = Table::new(["", "µs", "times ours"]);
    for ((name, _), best) in ways.iter().zip(best) {
        let seconds = best.as_secs_f64();
        table.row([(*name).to_owned(), format!("{:.2}", seconds * 1e6), format!("{:.2}", seconds / ours)]);
    }
    println!("A call of {} bytes\n\n{table}", INPUT.len());
    let verdict = if ours * 1e6 < AIM { "met" } else { "MISSED" };
    println!("{verdict}: {:.2} µs, aim under {AIM} µs\n", ours * 1e6);
    checked::print();
}

/// What one writes without any of this: no strict reading, no schema, no key, no ledger, no facts kept.
fn by_hand(text: &str, state: &Mutex<State>) -> bool {
    let input: open_change::Input = serde_json::from_str(text).unwrap();
    let repo = input.repo.trim().to_lowercase();
    let repo = repo.strip_prefix("https://github.com/").unwrap_or(&repo);
    let repo = repo.strip_suffix(".git").unwrap_or(repo);
    let state = state.lock().unwrap();
    state.principal.as_ref().is_some_and(|principal| principal.repos.iter().any(|known| known == repo))
        && !input.paths.iter().any(|path| path.starts_with(".github/"))
        && !input.title.trim().is_empty()
        && state.registry.iter().any(|known| known == repo)
        && state.dirty.is_empty()
        && !state.branches.contains(&input.branch)
}
