//! The strict reader: RFC 8259 syntax, I-JSON's limits (RFC 7493), and no second meaning.
//!
//! One pass over the bytes. Duplicate names, lone surrogates and unsafe numbers are collected and
//! reading goes on; a syntax error, too much depth or too much text ends it. Pointers cost time
//! to keep, so they are kept only in a second pass, which runs when the first found a problem.

use std::borrow::Cow;
use std::fmt;

use super::{MAX_SAFE_INTEGER, Member, Node, Number, Span, Value};
use crate::pointer;
use crate::runtime_code::RuntimeCode;

/// How much a text may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The longest text, in bytes; at most `u32::MAX`.
    pub bytes: u32,
    /// The most arrays and objects that are open at once.
    pub depth: u32,
    /// Whether an integer literal beyond [`MAX_SAFE_INTEGER`] is a problem.
    pub safe_integers: bool,
}

impl Limits {
    /// Limits for what callers send: 1 MiB, depth 64, safe integers.
    pub const CALL: Limits = Limits { bytes: 1 << 20, depth: 64, safe_integers: true };
    /// Limits for files that authors write: 64 MiB, depth 1,024, any number a double can hold.
    pub const SPEC: Limits = Limits { bytes: 64 << 20, depth: 1024, safe_integers: false };
}

/// What was found in a text: the tree as far as it could be built, and every problem in order.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading<'a> {
    /// The tree, unless a problem ended the reading. Of two members of one name it holds the first.
    pub root: Option<Node<'a>>,
    /// All problems, by place in the text.
    pub problems: Vec<ReadProblem>,
}

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

/// Reads `text` and accepts it only without any problem.
///
/// # Errors
/// All problems that were found, at least one.
pub fn read(text: &[u8], limits: Limits) -> Result<Node<'_>, Vec<ReadProblem>> {
    match read_whole(text, limits) {
        Reading { root: Some(root), problems } if problems.is_empty() => Ok(root),
        Reading { problems, .. } => Err(problems),
    }
}

/// Reads `text` and reports every problem beside as much of the tree as there is.
pub fn read_whole(text: &[u8], limits: Limits) -> Reading<'_> {
    match admit(text, limits) {
        Ok(text) => {
            let quick = Reader::<false>::new(text, limits).document();
            if quick.problems.is_empty() { quick } else { Reader::<true>::new(text, limits).document() }
        }
        Err((kind, span)) => {
            Reading { root: None, problems: vec![ReadProblem { kind, span, pointer: String::new() }] }
        }
    }
}

/// Size, byte order mark and encoding: what can be said before the first token.
fn admit(text: &[u8], limits: Limits) -> Result<&str, (ReadProblemKind, Span)> {
    if u32::try_from(text.len()).is_ok_and(|length| length <= limits.bytes) {
        if text.starts_with(b"\xef\xbb\xbf") {
            return Err((ReadProblemKind::ByteOrderMark, Span { start: 0, end: 3 }));
        }
        std::str::from_utf8(text).map_err(|error| {
            let start = error.valid_up_to();
            let end = start + error.error_len().unwrap_or(text.len() - start);
            (ReadProblemKind::NotUtf8, span(start, end))
        })
    } else {
        let kind = ReadProblemKind::TooLarge { limit: limits.bytes, length: text.len() };
        Err((kind, span(limits.bytes as usize, limits.bytes as usize)))
    }
}

/// Offsets fit 32 bits: [`admit`] refuses longer texts.
#[expect(clippy::cast_possible_truncation, reason = "texts are at most u32::MAX bytes")]
fn span(start: usize, end: usize) -> Span {
    Span { start: start as u32, end: end as u32 }
}

/// A problem that ends the reading has been pushed to [`Reader::problems`].
struct Ended;

type Step<T> = Result<T, Ended>;

/// A step of the path to the value being read.
enum Token<'a> {
    Name(Cow<'a, str>),
    Index(usize),
}

/// The reader; with `TRACK` it keeps the path to the current value.
struct Reader<'a, const TRACK: bool> {
    text: &'a str,
    at: usize,
    limits: Limits,
    depth: u32,
    path: Vec<Token<'a>>,
    problems: Vec<ReadProblem>,
}

impl<'a, const TRACK: bool> Reader<'a, TRACK> {
    fn new(text: &'a str, limits: Limits) -> Self {
        Reader { text, at: 0, limits, depth: 0, path: Vec::new(), problems: Vec::new() }
    }

    fn document(mut self) -> Reading<'a> {
        let root = self.whole_text().ok();
        self.problems.sort_by_key(|problem| problem.span);
        Reading { root, problems: self.problems }
    }

    fn whole_text(&mut self) -> Step<Node<'a>> {
        self.skip_blanks();
        let root = self.value()?;
        self.skip_blanks();
        match self.peek() {
            None => Ok(root),
            Some(_) => self.fail_syntax("the end of the text"),
        }
    }

    fn value(&mut self) -> Step<Node<'a>> {
        let start = self.at;
        let value = match self.peek() {
            Some(b'"') => Value::String(self.string()?),
            Some(b'{') => self.object()?,
            Some(b'[') => self.array()?,
            Some(b'-' | b'0'..=b'9') => Value::Number(self.number()?),
            Some(b't') => self.word("true", Value::Bool(true))?,
            Some(b'f') => self.word("false", Value::Bool(false))?,
            Some(b'n') => self.word("null", Value::Null)?,
            _ => return self.fail_syntax("a value"),
        };
        Ok(Node { span: span(start, self.at), value })
    }

    fn word(&mut self, word: &'static str, value: Value<'a>) -> Step<Value<'a>> {
        if self.rest().starts_with(word.as_bytes()) {
            self.at += word.len();
            Ok(value)
        } else {
            self.fail_syntax("a value")
        }
    }

    fn array(&mut self) -> Step<Value<'a>> {
        self.open()?;
        let mut items = Vec::new();
        if self.peek() == Some(b']') {
            self.at += 1;
        } else {
            loop {
                if TRACK {
                    self.path.push(Token::Index(items.len()));
                }
                items.push(self.value()?);
                if TRACK {
                    self.path.pop();
                }
                self.skip_blanks();
                match self.peek() {
                    Some(b',') => self.at += 1,
                    Some(b']') => break self.at += 1,
                    _ => return self.fail_syntax("`,` or `]`"),
                }
                self.skip_blanks();
            }
        }
        self.depth -= 1;
        Ok(Value::Array(items))
    }

    fn object(&mut self) -> Step<Value<'a>> {
        self.open()?;
        let mut members: Vec<Member<'a>> = Vec::new();
        let mut ascending = true;
        if self.peek() == Some(b'}') {
            self.at += 1;
        } else {
            loop {
                let member = self.member()?;
                ascending = ascending && members.last().is_none_or(|last| last.name < member.name);
                members.push(member);
                self.skip_blanks();
                match self.peek() {
                    Some(b',') => self.at += 1,
                    Some(b'}') => break self.at += 1,
                    _ => return self.fail_syntax("`,` or `}`"),
                }
                self.skip_blanks();
            }
        }
        if !ascending {
            self.refuse_duplicates(&mut members);
        }
        self.depth -= 1;
        Ok(Value::Object(members))
    }

    fn member(&mut self) -> Step<Member<'a>> {
        let start = self.at;
        if self.peek() != Some(b'"') {
            return self.fail_syntax("a member name in double quotes");
        }
        let name = self.string()?;
        let name_span = span(start, self.at);
        self.skip_blanks();
        if self.peek() != Some(b':') {
            return self.fail_syntax("`:`");
        }
        self.at += 1;
        self.skip_blanks();
        if TRACK {
            self.path.push(Token::Name(name.clone()));
        }
        let node = self.value()?;
        if TRACK {
            self.path.pop();
        }
        Ok(Member { name, name_span, node })
    }

    /// Opens an array or object and moves to what follows its bracket.
    fn open(&mut self) -> Step<()> {
        if self.depth == self.limits.depth {
            let kind = ReadProblemKind::TooDeep { limit: self.limits.depth };
            self.report(kind, span(self.at, self.at + 1));
            return Err(Ended);
        }
        self.depth += 1;
        self.at += 1;
        self.skip_blanks();
        Ok(())
    }

    /// Keeps the first of members that share a name and reports the others.
    fn refuse_duplicates(&mut self, members: &mut Vec<Member<'a>>) {
        let mut order: Vec<&Member<'a>> = members.iter().collect();
        order.sort_by(|a, b| a.name.cmp(&b.name));
        let mut repeated = Vec::new();
        let mut first: Option<&Member<'a>> = None;
        for member in order {
            match first.filter(|first| first.name == member.name) {
                Some(first) => repeated.push((member.name_span, first.name_span)),
                None => first = Some(member),
            }
        }
        if repeated.is_empty() {
            return;
        }
        members.retain(|member| {
            let Some((span, first)) = repeated.iter().find(|(span, _)| *span == member.name_span) else {
                return true;
            };
            let name = member.name.clone();
            if TRACK {
                self.path.push(Token::Name(name.clone()));
            }
            self.report(ReadProblemKind::DuplicateName { name: name.into_owned(), first: *first }, *span);
            if TRACK {
                self.path.pop();
            }
            false
        });
    }

    fn string(&mut self) -> Step<Cow<'a, str>> {
        let opening = self.at;
        self.at += 1;
        let start = self.at;
        self.at += plain_length(self.rest());
        if self.peek() == Some(b'"') {
            let text = self.slice(start, self.at);
            self.at += 1;
            return Ok(Cow::Borrowed(text));
        }
        let mut text = self.slice(start, self.at).to_owned();
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(Cow::Owned(text));
                }
                Some(b'\\') => text.push(self.escape()?),
                Some(_) => return self.fail_syntax("an escape such as `\\n` for this control character"),
                None => {
                    self.report(
                        ReadProblemKind::Syntax { expected: "`\"` at the end of this text" },
                        span(opening, opening + 1),
                    );
                    return Err(Ended);
                }
            }
            let start = self.at;
            self.at += plain_length(self.rest());
            text.push_str(self.slice(start, self.at));
        }
    }

    fn escape(&mut self) -> Step<char> {
        let start = self.at;
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
                self.report(
                    ReadProblemKind::Syntax { expected: "one of the escapes of JSON" },
                    span(start, start + 1),
                );
                return Err(Ended);
            }
        };
        self.at += 2;
        Ok(plain)
    }

    fn unicode_escape(&mut self) -> Step<char> {
        let start = self.at;
        let first = self.code_unit()?;
        if let Some(plain) = char::from_u32(first) {
            return Ok(plain);
        }
        let after_first = self.at;
        if first < 0xdc00 && self.rest().starts_with(b"\\u") {
            let second = self.code_unit()?;
            if (0xdc00..0xe000).contains(&second) {
                let scalar = 0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00);
                return Ok(char::from_u32(scalar).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            self.at = after_first;
        }
        self.report(ReadProblemKind::LoneSurrogate, span(start, after_first));
        Ok(char::REPLACEMENT_CHARACTER)
    }

    /// The four hexadecimal digits after `\u`.
    fn code_unit(&mut self) -> Step<u32> {
        let digits = self.rest().get(2..6).filter(|digits| digits.iter().all(u8::is_ascii_hexdigit));
        let unit = digits
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let Some(unit) = unit else {
            self.report(
                ReadProblemKind::Syntax { expected: "four hexadecimal digits after `\\u`" },
                span(self.at, self.at + 2),
            );
            return Err(Ended);
        };
        self.at += 6;
        Ok(unit)
    }

    fn number(&mut self) -> Step<Number> {
        let start = self.at;
        let negative = self.peek() == Some(b'-');
        self.at += usize::from(negative);
        let digits_start = self.at;
        let mut magnitude: Option<u64> = Some(0);
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            magnitude = magnitude.and_then(|n| n.checked_mul(10)?.checked_add(u64::from(digit - b'0')));
            self.at += 1;
        }
        match self.text.as_bytes().get(digits_start..self.at) {
            None | Some([]) => return self.fail_syntax("a digit"),
            Some([b'0', _, ..]) => {
                self.at = digits_start + 1;
                return self.fail_syntax("a number without a leading zero");
            }
            Some(_) => {}
        }
        let is_integer = !matches!(self.peek(), Some(b'.' | b'e' | b'E'));
        if is_integer {
            if self.limits.safe_integers && magnitude.is_none_or(|n| n > MAX_SAFE_INTEGER) {
                self.report(ReadProblemKind::UnsafeInteger, span(start, self.at));
            }
            match magnitude {
                Some(n) if !negative => return Ok(Number::Unsigned(n)),
                Some(n) if n != 0 => {
                    if let Some(n) = 0_i64.checked_sub_unsigned(n) {
                        return Ok(Number::Signed(n));
                    }
                }
                _ => {}
            }
        } else {
            self.fraction_and_exponent()?;
        }
        match self.slice(start, self.at).parse::<f64>() {
            Ok(n) if n.is_finite() => Ok(Number::Float(n)),
            _ => {
                let already_reported = is_integer && self.limits.safe_integers;
                if !already_reported {
                    self.report(ReadProblemKind::NumberOverflow, span(start, self.at));
                }
                Ok(Number::Unsigned(0))
            }
        }
    }

    fn fraction_and_exponent(&mut self) -> Step<()> {
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(())
    }

    fn digits(&mut self) -> Step<()> {
        let length = self.rest().iter().take_while(|byte| byte.is_ascii_digit()).count();
        if length == 0 {
            return self.fail_syntax("a digit");
        }
        self.at += length;
        Ok(())
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    /// A part of the text between two ASCII bytes, hence between two characters.
    fn slice(&self, start: usize, end: usize) -> &'a str {
        self.text.get(start..end).unwrap_or_default()
    }

    fn fail_syntax<T>(&mut self, expected: &'static str) -> Step<T> {
        let length = self.slice(self.at, self.text.len()).chars().next().map_or(0, char::len_utf8);
        self.report(ReadProblemKind::Syntax { expected }, span(self.at, self.at + length));
        Err(Ended)
    }

    fn report(&mut self, kind: ReadProblemKind, span: Span) {
        let pointer = self.path.iter().fold(String::new(), |path, token| match token {
            Token::Name(name) => pointer::join(&path, name),
            Token::Index(index) => format!("{path}/{index}"),
        });
        self.problems.push(ReadProblem { kind, span, pointer });
    }
}

/// The number of bytes before the first quote, backslash or control character: eight at a time.
fn plain_length(bytes: &[u8]) -> usize {
    let (chunks, _) = bytes.as_chunks::<8>();
    let whole = chunks.iter().take_while(|chunk| !has_special(u64::from_le_bytes(**chunk))).count() * 8;
    let tail = bytes.get(whole..).unwrap_or_default();
    whole + tail.iter().take_while(|&&byte| byte != b'"' && byte != b'\\' && byte >= 0x20).count()
}

/// Whether one of eight bytes is a quote, a backslash or below 0x20; may also say so of a block
/// that has a byte from 0x80 on after such a byte, never misses one.
fn has_special(block: u64) -> bool {
    const ONES: u64 = u64::MAX / 255;
    const HIGH: u64 = ONES * 0x80;
    let zero_byte = |x: u64| x.wrapping_sub(ONES) & !x & HIGH;
    let quote = zero_byte(block ^ (ONES * u64::from(b'"')));
    let backslash = zero_byte(block ^ (ONES * u64::from(b'\\')));
    let control = block.wrapping_sub(ONES * 0x20) & !block & HIGH;
    (quote | backslash | control) != 0
}
