//! Differences between what is committed and what would be generated, for `--check`.

use std::path::PathBuf;

use similar::TextDiff;

/// The most lines of a difference that are shown.
const SHOWN_LINES: usize = 40;

/// The longest file, in bytes, of which a diff is made: the work grows faster than the file.
const LONGEST: usize = 1 << 20;

/// A file that is not as it would be generated.
#[derive(Debug, PartialEq, Eq)]
pub struct Drift {
    /// The file.
    pub path: PathBuf,
    /// How it differs.
    pub state: DriftState,
}

/// How a file differs from what would be generated.
#[derive(Debug, PartialEq, Eq)]
pub enum DriftState {
    /// It is not there.
    Missing,
    /// It holds something else.
    Stale {
        /// A unified diff from what is there to what would be generated, cut after 40 lines.
        diff: String,
    },
    /// No generator makes it.
    Orphan,
}

impl DriftState {
    /// The word for it.
    pub const fn as_str(&self) -> &'static str {
        match self {
            DriftState::Missing => "missing",
            DriftState::Stale { .. } => "stale",
            DriftState::Orphan => "orphan",
        }
    }

    /// The diff of a stale file.
    pub fn diff(&self) -> Option<&str> {
        match self {
            DriftState::Stale { diff } => Some(diff),
            DriftState::Missing | DriftState::Orphan => None,
        }
    }

    pub(super) fn stale(found: &[u8], generated: &str) -> DriftState {
        if found.len().max(generated.len()) > LONGEST {
            return DriftState::Stale { diff: first_difference(found, generated) };
        }
        let found = String::from_utf8_lossy(found);
        let diff = TextDiff::from_lines(&*found, generated);
        let text = diff.unified_diff().context_radius(2).header("found", "generated").to_string();
        let shown = text.lines().take(SHOWN_LINES).fold(String::new(), |shown, line| shown + line + "\n");
        let diff = match text.lines().count().saturating_sub(SHOWN_LINES) {
            0 => shown,
            hidden => format!("{shown}... and {hidden} more lines\n"),
        };
        DriftState::Stale { diff }
    }
}

/// The first line that differs, for files that are too long for a diff.
fn first_difference(found: &[u8], generated: &str) -> String {
    let pairs = found.split(|&byte| byte == b'\n').zip(generated.as_bytes().split(|&byte| byte == b'\n'));
    let same = pairs.take_while(|(a, b)| a == b).count();
    format!("the files differ from line {} on\n", same + 1)
}
