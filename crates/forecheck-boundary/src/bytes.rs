//! Bytes that are nearly always text: a text in JSON where they are UTF-8, an array of numbers where not.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What a file name, an argument or a variable holds on Unix: bytes. JSON keeps every one of them.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct ByteText(Vec<u8>);

impl ByteText {
    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl From<&[u8]> for ByteText {
    fn from(bytes: &[u8]) -> Self {
        ByteText(bytes.to_vec())
    }
}

impl From<Vec<u8>> for ByteText {
    fn from(bytes: Vec<u8>) -> Self {
        ByteText(bytes)
    }
}

impl From<&str> for ByteText {
    fn from(text: &str) -> Self {
        ByteText(text.as_bytes().to_vec())
    }
}

impl From<String> for ByteText {
    fn from(text: String) -> Self {
        ByteText(text.into_bytes())
    }
}

/// Bytes that are no text, and characters that would steer a terminal, are escaped.
impl fmt::Display for ByteText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match std::str::from_utf8(&self.0) {
            Ok(text) => text.chars().try_for_each(|character| match character {
                _ if character.is_control() => write!(f, "{}", character.escape_default()),
                _ => write!(f, "{character}"),
            }),
            Err(_) => write!(f, "{}", self.0.escape_ascii()),
        }
    }
}

impl fmt::Debug for ByteText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.0.escape_ascii())
    }
}

impl Serialize for ByteText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match std::str::from_utf8(&self.0) {
            Ok(text) => serializer.serialize_str(text),
            Err(_) => self.0.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for ByteText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Form {
            Text(String),
            Bytes(Vec<u8>),
        }
        Ok(match Form::deserialize(deserializer)? {
            Form::Text(text) => text.into(),
            Form::Bytes(bytes) => bytes.into(),
        })
    }
}

impl JsonSchema for ByteText {
    fn schema_name() -> Cow<'static, str> {
        "ByteText".into()
    }

    fn json_schema(_generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A text, or the bytes of what is no UTF-8.",
            "anyOf": [
                { "type": "string" },
                { "type": "array", "items": { "type": "integer", "minimum": 0, "maximum": 255 } }
            ]
        })
    }
}
