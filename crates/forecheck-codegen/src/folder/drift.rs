//! Differences between what is committed and what would be generated, for `--check`.

use similar::TextDiff;

/// The most lines of a difference that are shown.
const SHOWN_LINES: usize = 40;

/// A file that is not as it would be generated.
#[derive(Debug, PartialEq, Eq)]
pub struct Drift<'p> {
    /// The path below the output folder.
    pub path: &'p str,
    /// How it differs.
    pub state: DriftState<'p>,
}

/// How a file differs from what would be generated.
#[derive(Debug, PartialEq, Eq)]
pub enum DriftState<'p> {
    /// It is not there.
    Missing,
    /// It holds something else.
    Stale {
        /// What it holds.
        found: &'p [u8],
        /// What it would hold.
        generated: &'p str,
    },
    /// No generator makes it.
    Orphan,
}

impl DriftState<'_> {
    /// The word for it.
    pub const fn as_str(&self) -> &'static str {
        match self {
            DriftState::Missing => "missing",
            DriftState::Stale { .. } => "stale",
            DriftState::Orphan => "orphan",
        }
    }
}

impl Drift<'_> {
    /// A unified diff from what is there to what would be generated; empty unless the file is stale.
    /// Cut after 40 lines.
    pub fn diff(&self) -> String {
        let DriftState::Stale { found, generated } = &self.state else { return String::new() };
        let found = String::from_utf8_lossy(found).replace("\r\n", "\n");
        let diff = TextDiff::from_lines(found.as_str(), generated);
        let text = diff.unified_diff().context_radius(2).header("found", "generated").to_string();
        let shown = text.lines().take(SHOWN_LINES).fold(String::new(), |shown, line| shown + line + "\n");
        match text.lines().count().saturating_sub(SHOWN_LINES) {
            0 => shown,
            hidden => format!("{shown}... and {hidden} more lines\n"),
        }
    }
}
