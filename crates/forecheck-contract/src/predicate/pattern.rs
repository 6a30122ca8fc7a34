//! Patterns that match in linear time.

use std::fmt;

use regex::Regex;
use serde::{Deserialize, Serialize};

/// A regular expression in the syntax of Rust's `regex` crate, without look-around and references
/// back, so that matching takes time linear in the text. It matches anywhere in a text unless `^` and
/// `$` tie it to the ends; `$` is the very end.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Pattern(Regex);

/// Why a text is no [`Pattern`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatternError {
    /// The reason, in the words of the library.
    pub reason: String,
}

impl Pattern {
    /// Compiles `text`.
    ///
    /// # Errors
    /// [`PatternError`] for a text that is no regular expression of the linear kind, or that would
    /// compile to more than some megabytes.
    pub fn new(text: &str) -> Result<Pattern, PatternError> {
        Regex::new(text).map(Pattern).map_err(|error| PatternError { reason: error.to_string() })
    }

    /// The text it was made from.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    pub(super) fn is_match(&self, text: &str) -> bool {
        self.0.is_match(text)
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Pattern) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Pattern {}

impl TryFrom<String> for Pattern {
    type Error = PatternError;

    fn try_from(text: String) -> Result<Pattern, PatternError> {
        Pattern::new(&text)
    }
}

impl From<Pattern> for String {
    fn from(pattern: Pattern) -> String {
        pattern.as_str().to_owned()
    }
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for PatternError {}
