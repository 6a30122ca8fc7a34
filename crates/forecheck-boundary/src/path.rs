//! Paths as lists of components.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::ByteText;

/// An absolute path without `.`, `..` or repeated slashes: bytes, as Unix has them.
///
/// Ordered by components, so that what lies below a path directly follows it. Whether a component is a
/// symbolic link cannot be seen here.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct AbsolutePath {
    /// Empty for the root, else starts with a slash and does not end with one.
    text: Vec<u8>,
}

/// Why a text is no [`AbsolutePath`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PathError {
    /// It does not start with a slash.
    Relative,
    /// A component is `..`: what it means depends on links, so whoever knows them resolves it first.
    Climbs,
    /// It holds a NUL byte, which no file name can.
    Nul,
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PathError::Relative => "the path is not absolute",
            PathError::Climbs => "the path has a component `..`",
            PathError::Nul => "the path holds a NUL byte",
        })
    }
}

impl std::error::Error for PathError {}

impl AbsolutePath {
    /// Reads a path; `.` and repeated slashes are left out.
    pub fn parse(path: impl AsRef<[u8]>) -> Result<Self, PathError> {
        let path = path.as_ref();
        if path.contains(&0) {
            return Err(PathError::Nul);
        }
        if path.first() != Some(&b'/') {
            return Err(PathError::Relative);
        }
        let mut text = Vec::with_capacity(path.len());
        for component in path.split(|byte| *byte == b'/').filter(|part| !part.is_empty() && *part != b".") {
            if component == b".." {
                return Err(PathError::Climbs);
            }
            text.push(b'/');
            text.extend_from_slice(component);
        }
        Ok(AbsolutePath { text })
    }

    /// `/`.
    pub fn root() -> Self {
        AbsolutePath { text: Vec::new() }
    }

    /// The path as the system spells it.
    pub fn as_bytes(&self) -> &[u8] {
        if self.text.is_empty() { b"/" } else { &self.text }
    }

    /// Its components from the root on; none for the root.
    pub fn components(&self) -> impl Iterator<Item = &[u8]> {
        self.text.split(|byte| *byte == b'/').skip(1)
    }

    /// How many components it has.
    pub fn depth(&self) -> usize {
        self.components().count()
    }

    /// The last component; `None` for the root.
    pub fn name(&self) -> Option<&[u8]> {
        self.components().last()
    }

    /// The path without its last component; `None` for the root.
    pub fn parent(&self) -> Option<AbsolutePath> {
        let slash = self.text.iter().rposition(|byte| *byte == b'/')?;
        Some(AbsolutePath { text: self.text.get(..slash)?.to_vec() })
    }

    /// From the parent up to the root.
    pub fn ancestors(&self) -> impl Iterator<Item = AbsolutePath> {
        std::iter::successors(self.parent(), AbsolutePath::parent)
    }

    /// A path below this one.
    ///
    /// # Errors
    /// As for [`parse`](Self::parse), but that `below` is taken as relative.
    pub fn join(&self, below: impl AsRef<[u8]>) -> Result<Self, PathError> {
        let mut text = self.text.clone();
        text.push(b'/');
        text.extend_from_slice(below.as_ref());
        Self::parse(text)
    }

    /// Whether it is `root` or lies below it, by whole components.
    pub fn is_within(&self, root: &AbsolutePath) -> bool {
        let rest = self.text.strip_prefix(root.text.as_slice());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
    }
}

impl PartialOrd for AbsolutePath {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for AbsolutePath {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.components().cmp(other.components())
    }
}

impl fmt::Display for AbsolutePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        ByteText::from(self.as_bytes()).fmt(f)
    }
}

impl fmt::Debug for AbsolutePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.as_bytes().escape_ascii())
    }
}

impl Serialize for AbsolutePath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        ByteText::from(self.as_bytes()).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for AbsolutePath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = ByteText::deserialize(deserializer)?;
        Self::parse(text.as_bytes()).map_err(de::Error::custom)
    }
}

impl JsonSchema for AbsolutePath {
    fn schema_name() -> Cow<'static, str> {
        "AbsolutePath".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        ByteText::json_schema(generator)
    }
}
