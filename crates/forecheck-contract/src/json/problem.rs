//! What a strict reader refuses.

use std::fmt;

use super::{MAX_SAFE_INTEGER, Span};
use crate::runtime_code::RuntimeCode;

/// Something in a text that a strict reader refuses.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadProblem {
    /// What it is.
    pub kind: ReadProblemKind,
    /// Where it stands.
    pub span: Span,
    /// The JSON Pointer of the value that was being read.
    pub pointer: String,
}

/// The kinds of [`ReadProblem`].
#[derive(Debug, Clone, PartialEq)]
pub enum ReadProblemKind {
    /// The text is longer than the limit.
    TooLarge {
        /// The limit in bytes.
        limit: u32,
        /// The length of the text in bytes.
        length: usize,
    },
    /// The text starts with a byte order mark.
    ByteOrderMark,
    /// A byte that UTF-8 does not allow here.
    NotUtf8,
    /// A syntax error.
    Syntax {
        /// What the grammar allows here.
        expected: &'static str,
    },
    /// More open arrays and objects than the limit.
    TooDeep {
        /// The limit.
        limit: u32,
    },
    /// A member name that the object already has.
    DuplicateName {
        /// The name.
        name: String,
        /// Where the first one stands.
        first: Span,
    },
    /// A `\u` escape that is half of a surrogate pair.
    LoneSurrogate,
    /// An integer literal beyond ±(2^53 - 1), where other readers would round it.
    UnsafeInteger,
    /// A number that no double can hold.
    NumberOverflow,
}

impl ReadProblemKind {
    /// The code under which a runtime refuses a call that has this problem.
    pub fn code(&self) -> RuntimeCode {
        match self {
            ReadProblemKind::TooLarge { .. } => RuntimeCode::InputTooLarge,
            ReadProblemKind::TooDeep { .. } => RuntimeCode::InputTooDeep,
            ReadProblemKind::DuplicateName { .. } => RuntimeCode::InputDuplicateKey,
            ReadProblemKind::NotUtf8 | ReadProblemKind::LoneSurrogate => RuntimeCode::InputInvalidUnicode,
            ReadProblemKind::UnsafeInteger | ReadProblemKind::NumberOverflow => {
                RuntimeCode::InputNumberUnsafe
            }
            ReadProblemKind::ByteOrderMark | ReadProblemKind::Syntax { .. } => RuntimeCode::InputNotJson,
        }
    }
}

impl fmt::Display for ReadProblemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadProblemKind::TooLarge { limit, length } => {
                write!(f, "the text has {length} bytes, more than the {limit} that are read")
            }
            ReadProblemKind::ByteOrderMark => f.write_str("the text starts with a byte order mark"),
            ReadProblemKind::NotUtf8 => f.write_str("not UTF-8"),
            ReadProblemKind::Syntax { expected } => write!(f, "expected {expected}"),
            ReadProblemKind::TooDeep { limit } => write!(f, "nested deeper than {limit} arrays and objects"),
            ReadProblemKind::DuplicateName { name, .. } => {
                write!(f, "the member `{}` stands here twice", name.escape_debug())
            }
            ReadProblemKind::LoneSurrogate => f.write_str("half of a surrogate pair stands alone"),
            ReadProblemKind::UnsafeInteger => {
                write!(f, "an integer beyond ±{MAX_SAFE_INTEGER} is not read alike everywhere")
            }
            ReadProblemKind::NumberOverflow => f.write_str("no double holds this number"),
        }
    }
}
