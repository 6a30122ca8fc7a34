//! What a long run is doing, on a terminal.

use std::io::{IsTerminal, Write, stderr};

/// A line on stderr that each step replaces; silent where stderr is no terminal.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Progress {
    shown: bool,
}

impl Progress {
    pub(crate) fn new() -> Progress {
        Progress { shown: stderr().is_terminal() }
    }

    /// Says what is being done now.
    pub(crate) fn step(self, what: &str) {
        self.put(&format!("\r\x1b[2K{what} ..."));
    }

    /// Takes the line away, before an answer is printed.
    pub(crate) fn end(self) {
        self.put("\r\x1b[2K");
    }

    fn put(self, text: &str) {
        if self.shown {
            let mut stderr = stderr().lock();
            // A progress line that cannot be shown is no reason to stop.
            drop(stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush()));
        }
    }
}
