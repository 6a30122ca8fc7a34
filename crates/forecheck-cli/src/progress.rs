//! What a long run is doing, on a terminal.

use std::io::{IsTerminal, Write, stderr};

/// A line on stderr that each step replaces; silent where stderr is no terminal.
pub(crate) struct Progress {
    shown: bool,
}

impl Progress {
    pub(crate) fn new() -> Progress {
        Progress { shown: stderr().is_terminal() }
    }

    /// Says what is being done now.
    pub(crate) fn step(&self, what: &str) {
        if self.shown {
            put(&format!("\r\x1b[2K{what} ..."));
        }
    }
}

fn put(text: &str) {
    let mut stderr = stderr().lock();
    // A progress line that cannot be shown is no reason to stop.
    drop(stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush()));
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown {
            put("\r\x1b[2K");
        }
    }
}
