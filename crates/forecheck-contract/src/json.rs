//! JSON as a tree that remembers where each value stands in its text.
//!
//! The tree is made by [`read`] and borrows from the text. It keeps members in source order and
//! has no two members of one name, so what was read is what every later stage sees.

mod position;
mod problem;
mod reader;
mod serialize;

use std::borrow::Cow;

pub use position::{Position, Positions, position_of};
pub use problem::{ReadProblem, ReadProblemKind};
pub use reader::{Limits, Reading, read, read_whole};

/// A half-open range of bytes in the text that was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// A JSON value and its place in the text.
#[derive(Debug, Clone, PartialEq)]
pub struct Node<'a> {
    /// Where the value stands; `0..0` for a value that was not read from a text.
    pub span: Span,
    /// The value.
    pub value: Value<'a>,
}

/// What a [`Node`] holds.
#[derive(Debug, Clone, PartialEq)]
pub enum Value<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number
    Number(Number),
    /// A text, unescaped
    String(Cow<'a, str>),
    /// An array
    Array(Vec<Node<'a>>),
    /// An object: members in source order, names unique
    Object(Vec<Member<'a>>),
}

/// One member of an object.
#[derive(Debug, Clone, PartialEq)]
pub struct Member<'a> {
    /// The name, unescaped.
    pub name: Cow<'a, str>,
    /// Where the name stands, quotes included.
    pub name_span: Span,
    /// The value.
    pub node: Node<'a>,
}

/// A number, kept exact where 64 bits can hold it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    /// An integer literal that is not negative.
    Unsigned(u64),
    /// An integer literal below zero.
    Signed(i64),
    /// Every other literal, as the nearest double; always finite.
    Float(f64),
}

/// The largest integer that every JSON reader keeps exact: 2^53 - 1 (RFC 7493, section 2.2).
pub const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

impl Number {
    /// The nearest double, which is the value that canonical JSON writes (RFC 8785, section 3.2.2.3).
    #[expect(clippy::cast_precision_loss, reason = "rounding to the nearest double is the meaning")]
    pub fn as_f64(self) -> f64 {
        match self {
            Number::Unsigned(n) => n as f64,
            Number::Signed(n) => n as f64,
            Number::Float(n) => n,
        }
    }

    /// The value as a whole number that is not negative: `3` and `3.0`, not `-1`, `1.5` or `2^64`.
    pub fn as_u64(self) -> Option<u64> {
        match self {
            Number::Unsigned(n) => Some(n),
            Number::Signed(_) => None,
            Number::Float(n) => whole_u64(n),
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "the comparison before the cast makes it exact"
)]
fn whole_u64(n: f64) -> Option<u64> {
    (n.fract() == 0.0 && n >= 0.0 && n < u64::MAX as f64).then_some(n as u64)
}

impl<'a> Node<'a> {
    /// A value that was not read from a text.
    pub fn synthetic(value: Value<'a>) -> Self {
        Node { span: Span::default(), value }
    }

    /// The text, of a string.
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// The truth value, of a boolean.
    pub fn as_bool(&self) -> Option<bool> {
        match self.value {
            Value::Bool(truth) => Some(truth),
            _ => None,
        }
    }

    /// The number, of a number.
    pub fn as_number(&self) -> Option<Number> {
        match self.value {
            Value::Number(number) => Some(number),
            _ => None,
        }
    }

    /// The items, of an array.
    pub fn as_array(&self) -> Option<&[Node<'a>]> {
        match &self.value {
            Value::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The members in source order, of an object.
    pub fn as_object(&self) -> Option<&[Member<'a>]> {
        match &self.value {
            Value::Object(members) => Some(members),
            _ => None,
        }
    }

    /// The value of the member `name`, of an object that has one.
    pub fn get(&self, name: &str) -> Option<&Node<'a>> {
        self.member(name).map(|member| &member.node)
    }

    /// The member `name`, of an object that has one.
    pub fn member(&self, name: &str) -> Option<&Member<'a>> {
        self.as_object()?.iter().find(|member| member.name == name)
    }

    /// The value that a JSON Pointer (RFC 6901) names, if it is there.
    pub fn at(&self, pointer: &str) -> Option<&Node<'a>> {
        crate::pointer::tokens(pointer)?.iter().try_fold(self, |node, token| match &node.value {
            Value::Object(_) => node.get(token),
            Value::Array(items) => items.get(crate::pointer::index(token)?),
            _ => None,
        })
    }

    /// The value that [`at`](Self::at) finds, to be changed.
    pub fn at_mut(&mut self, pointer: &str) -> Option<&mut Node<'a>> {
        crate::pointer::tokens(pointer)?.iter().try_fold(self, |node, token| match &mut node.value {
            Value::Object(members) => {
                members.iter_mut().find(|member| member.name == *token).map(|member| &mut member.node)
            }
            Value::Array(items) => items.get_mut(crate::pointer::index(token)?),
            _ => None,
        })
    }

    /// The word for the value's kind in messages: "a string", "an object".
    pub fn kind(&self) -> &'static str {
        match self.value {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::String(_) => "a string",
            Value::Array(_) => "an array",
            Value::Object(_) => "an object",
        }
    }
}
