//! Strings: RFC 8259, section 7.

use std::borrow::Cow;

use super::{ReadProblemKind, Reader, Step, span};
use crate::scan::plain_length;

impl<'a, const TRACK: bool> Reader<'a, TRACK> {
    pub(super) fn string(&mut self) -> Step<Cow<'a, str>> {
        let opening = self.at;
        self.at += 1;
        let plain = self.plain();
        if self.take(b'"') {
            return Ok(Cow::Borrowed(plain));
        }
        let mut text = plain.to_owned();
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(Cow::Owned(text));
                }
                Some(b'\\') => text.push(self.escape()?),
                Some(_) => return self.fail_syntax("an escape such as `\\n` for this control character"),
                None => {
                    let kind = ReadProblemKind::Syntax { expected: "`\"` at the end of this text" };
                    return self.fail(kind, span(opening, opening + 1));
                }
            }
            text.push_str(self.plain());
        }
    }

    /// What stands before the next quote, backslash or control character.
    fn plain(&mut self) -> &'a str {
        let start = self.at;
        self.at += plain_length(self.rest());
        self.since(start)
    }

    fn escape(&mut self) -> Step<char> {
        let plain = match self.rest().get(1) {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode_escape(),
            _ => {
                let kind = ReadProblemKind::Syntax { expected: "one of the escapes of JSON" };
                return self.fail(kind, span(self.at, self.at + 1));
            }
        };
        self.at += 2;
        Ok(plain)
    }

    fn unicode_escape(&mut self) -> Step<char> {
        let start = self.at;
        let Some(first) = code_unit(self.rest()) else {
            let kind = ReadProblemKind::Syntax { expected: "four hexadecimal digits after `\\u`" };
            return self.fail(kind, span(start, start + 2));
        };
        self.at += 6;
        if let Some(scalar) = char::from_u32(first) {
            return Ok(scalar);
        }
        if let Some(scalar) = code_unit(self.rest()).and_then(|second| joined(first, second)) {
            self.at += 6;
            return Ok(scalar);
        }
        self.report(ReadProblemKind::LoneSurrogate, span(start, self.at));
        Ok(char::REPLACEMENT_CHARACTER)
    }
}

/// The value of an escape `\uXXXX` at the start of `bytes`.
fn code_unit(bytes: &[u8]) -> Option<u32> {
    let (digits, _) = bytes.strip_prefix(b"\\u")?.split_first_chunk::<4>()?;
    digits.iter().try_fold(0, |unit, &digit| Some(unit * 16 + char::from(digit).to_digit(16)?))
}

/// The character of a surrogate pair.
fn joined(high: u32, low: u32) -> Option<char> {
    let is_pair = (0xd800..0xdc00).contains(&high) && (0xdc00..0xe000).contains(&low);
    if is_pair { char::from_u32(0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00)) } else { None }
}
