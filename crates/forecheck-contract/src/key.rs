//! The idempotency key: `SHA256(<verb>|<target_repo>|<canonical_input_json>)`.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use crate::canonical::{self, Hasher, Sink};
use crate::json::Node;
use crate::recipe::{Recipe, TargetInvalid};

/// The number of the recipe for keys that this crate implements; published beside keys, never in
/// front of them.
pub const KEY_RECIPE: u32 = 1;

/// The formula, as it is published.
pub const KEY_FORMULA: &str = "SHA256(<verb>|<target_repo>|<canonical_input_json>)";

/// An idempotency key. Its text is 64 lower-case hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key([u8; 32]);

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

/// A text that is no idempotency key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoKey;

impl fmt::Display for NoKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key has 64 lower-case hexadecimal digits")
    }
}

impl std::error::Error for NoKey {}

impl FromStr for Key {
    type Err = NoKey;

    fn from_str(text: &str) -> Result<Self, NoKey> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(text, &mut bytes).map_err(|_| NoKey)?;
        let key = Key(bytes);
        if text.bytes().any(|digit| digit.is_ascii_uppercase()) { Err(NoKey) } else { Ok(key) }
    }
}

/// A valid input as a key sees it: the target in its one spelling, ignored fields and fields equal
/// to their default removed.
#[derive(Debug, Clone, PartialEq)]
pub struct Keyed<'n, 'a> {
    verb: &'n str,
    target: &'n str,
    projection: Cow<'n, Node<'a>>,
}

impl<'n, 'a> Keyed<'n, 'a> {
    /// Projects `input`, whose target is [spelled](Recipe::spell_target) and which has passed the
    /// verb's input schema.
    ///
    /// # Errors
    /// [`TargetInvalid`] when the target is missing, is no string, or cannot stand in a key.
    pub fn new(recipe: &'n Recipe, input: &'n Node<'a>) -> Result<Self, TargetInvalid> {
        Ok(Keyed { verb: &recipe.verb, target: recipe.target(input)?, projection: recipe.strip(input) })
    }

    /// An input without a recipe, for vectors: nothing is spelled, ignored or a default.
    ///
    /// # Errors
    /// [`TargetInvalid`] when `verb` or `target` holds a `|`.
    pub fn plain(verb: &'n str, target: &'n str, input: &'n Node<'a>) -> Result<Self, TargetInvalid> {
        if verb.contains('|') || target.contains('|') {
            return Err(TargetInvalid::Bar);
        }
        Ok(Keyed { verb, target, projection: Cow::Borrowed(input) })
    }

    /// The target in its one spelling; empty for a verb without one.
    pub fn target(&self) -> &str {
        self.target
    }

    /// The canonical text of the projection, the last of the three parts.
    pub fn canonical_input(&self) -> String {
        canonical::to_string(&self.projection)
    }

    /// The key.
    pub fn key(&self) -> Key {
        let mut hasher = Hasher::new();
        for part in [self.verb, "|", self.target, "|"] {
            hasher.put(part.as_bytes());
        }
        canonical::write(&self.projection, &mut hasher);
        Key(hasher.finish())
    }
}
