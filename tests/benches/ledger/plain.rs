//! SQLite alone.

use std::hash::{BuildHasher as _, RandomState};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use changes::generated::open_change;
use rusqlite::{Connection, params};

use super::{ROUND, output};

const TABLE: &str = "CREATE TABLE IF NOT EXISTS call (
    scope TEXT NOT NULL, key TEXT NOT NULL, attempt INTEGER NOT NULL, fence INTEGER NOT NULL, verb TEXT NOT NULL,
    state TEXT NOT NULL, owner TEXT, input_digest TEXT NOT NULL, input TEXT NOT NULL, output TEXT,
    started INTEGER NOT NULL, ended INTEGER, PRIMARY KEY (scope, key, attempt)
) STRICT, WITHOUT ROWID";

/// Writes rows without a pause; how many.
pub(super) fn calls(folder: &Path, name: &str) -> u64 {
    let connection = open(folder);
    let insert = "INSERT INTO call (scope, key, attempt, fence, verb, state, owner, input_digest, input, started) \
                  VALUES ('ada', ?1, 0, 1, 'open_change', 'started', ?2, ?1, ?3, 0) ON CONFLICT DO NOTHING";
    let update = "UPDATE call SET state = 'succeeded', owner = NULL, output = ?2, ended = 0 \
                  WHERE scope = 'ada' AND key = ?1 AND attempt = 0";
    let (mut calls, started) = (0, Instant::now());
    while started.elapsed() < ROUND {
        let input = format!(
            r#"{{"repo": "octo/hello", "branch": "{name}/{calls}", "title": "Fix", "paths": ["a"]}}"#
        );
        let key = open_change::key(input.as_bytes()).unwrap().to_string();
        connection.pragma_update(None, "synchronous", "FULL").unwrap();
        connection.prepare_cached(insert).unwrap().execute(params![key, name, input]).unwrap();
        connection.pragma_update(None, "synchronous", "NORMAL").unwrap();
        connection.prepare_cached(update).unwrap().execute(params![key, output()]).unwrap();
        calls += 1;
    }
    calls
}

fn open(folder: &Path) -> Connection {
    let mut connection = Connection::open(folder.join("plain.sqlite")).unwrap();
    connection
        .busy_handler(Some(|_| {
            thread::sleep(Duration::from_micros(200 + RandomState::new().hash_one(()) % 400));
            true
        }))
        .unwrap();
    while connection.pragma_update(None, "journal_mode", "wal").is_err() {
        thread::sleep(Duration::from_millis(1));
    }
    connection.execute_batch(TABLE).unwrap();
    connection
}
