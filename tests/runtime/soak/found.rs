//! What a soak leaves behind, and whether it is sound.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::Path;

use forecheck::SqliteLedger;
use forecheck::ledger::sqlite::State;
use rusqlite::Connection;
use serde_json::Value;

use crate::campaign::{EFFECTS, SUCCESSES};

/// Counts of keys.
#[derive(Debug, Default)]
pub(crate) struct Found {
    keys: usize,
    pub(crate) acted_twice: usize,
    doubts_that_acted: usize,
    doubts_that_had_not: usize,
    /// Successes without exactly one effect.
    wrong_successes: usize,
    /// Keys that acted, or whose caller was told of a success, and that the ledger does not know.
    lost_successes: usize,
    /// What SQLite says of its file.
    integrity: String,
}

impl Found {
    pub(crate) fn in_folder(folder: &Path) -> Self {
        let path = folder.join("ledger.sqlite");
        let connection = Connection::open(&path).unwrap();
        let integrity = connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
        let acted = counted(&folder.join(EFFECTS));
        let states: BTreeMap<String, State> = SqliteLedger::at(&path)
            .records(None)
            .unwrap()
            .into_iter()
            .map(|record| {
                let input: Value = serde_json::from_str(&record.input).unwrap();
                (input["branch"].as_str().unwrap().to_owned(), record.state)
            })
            .collect();
        let mut found = Found { keys: states.len(), integrity, ..Found::default() };
        for (key, state) in &states {
            let effects = acted.get(key).copied().unwrap_or_default();
            match state {
                State::Succeeded => found.wrong_successes += usize::from(effects != 1),
                State::InDoubt if effects == 0 => found.doubts_that_had_not += 1,
                State::InDoubt => found.doubts_that_acted += 1,
                State::Started => found.wrong_successes += 1,
            }
        }
        found.acted_twice = acted.values().filter(|effects| **effects > 1).count();
        let unknown: BTreeSet<&String> = acted.keys().filter(|key| !states.contains_key(*key)).collect();
        let told = counted(&folder.join(SUCCESSES));
        let lost = told.keys().filter(|key| states.get(*key) != Some(&State::Succeeded));
        found.lost_successes = unknown.into_iter().chain(lost).collect::<BTreeSet<_>>().len();
        found
    }

    /// No effect twice, every success with its effect, none lost, the file whole; and kills fell before effects as
    /// well as after them.
    pub(crate) fn is_sound(&self, keys: usize) -> bool {
        let Found { acted_twice, wrong_successes, lost_successes, integrity, .. } = self;
        let fell = self.doubts_that_acted > 0 && self.doubts_that_had_not > 0;
        let nothing_wrong =
            (acted_twice, wrong_successes, lost_successes) == (&0, &0, &0) && integrity == "ok";
        self.keys >= keys && fell && nothing_wrong
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Found { keys, acted_twice, doubts_that_acted, doubts_that_had_not, .. } = self;
        let Found { wrong_successes, lost_successes, integrity, .. } = self;
        write!(f, "{keys} | {acted_twice} | {doubts_that_acted} | {doubts_that_had_not} | ")?;
        write!(
            f,
            "{wrong_successes} | {lost_successes} | {}",
            if integrity == "ok" { "no" } else { integrity }
        )
    }
}

/// How often each line stands in a file.
fn counted(path: &Path) -> BTreeMap<String, usize> {
    let mut lines = BTreeMap::new();
    for line in fs::read_to_string(path).unwrap_or_default().lines() {
        *lines.entry(line.to_owned()).or_default() += 1;
    }
    lines
}
