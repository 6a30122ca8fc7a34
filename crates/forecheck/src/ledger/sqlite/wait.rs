//! Waiting for another process.

use std::cell::Cell;
use std::hash::{BuildHasher as _, RandomState};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode};

/// For how long a locked ledger is waited for.
pub(super) const LONGEST: Duration = Duration::from_secs(5);
/// The naps, in microseconds.
const SHORTEST_NAP: u64 = 200;
const LONGEST_NAP: u64 = 600;

thread_local! {
    /// When the statement that this thread waits with began to wait.
    static WAITING_SINCE: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// Waits for a lock in short naps of different lengths. SQLite's own handler naps longer and longer, so of
/// two processes that write without a pause one waits for seconds.
pub(super) fn patiently(connection: &mut Connection) -> rusqlite::Result<()> {
    connection.busy_handler(Some(|naps| {
        let begun = WAITING_SINCE.get().filter(|_| naps > 0).unwrap_or_else(Instant::now);
        WAITING_SINCE.set(Some(begun));
        nap();
        begun.elapsed() < LONGEST
    }))
}

/// Tries again while another process is in the way, for what does not ask the busy handler.
pub(super) fn while_busy<T>(mut work: impl FnMut() -> rusqlite::Result<T>) -> rusqlite::Result<T> {
    let started = Instant::now();
    loop {
        match work() {
            Err(error) if is_busy(&error) && started.elapsed() < LONGEST => nap(),
            ended => return ended,
        }
    }
}

pub(super) fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::FileLockingProtocolFailed)
    )
}

fn nap() {
    let random = RandomState::new().hash_one(());
    thread::sleep(Duration::from_micros(SHORTEST_NAP + random % (LONGEST_NAP - SHORTEST_NAP)));
}
