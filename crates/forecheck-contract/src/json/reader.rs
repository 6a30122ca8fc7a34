//! The strict reader: RFC 8259 syntax, I-JSON's limits (RFC 7493), and no second meaning.
//!
//! One pass over the bytes. Duplicate names, lone surrogates and unsafe numbers are collected and
//! reading goes on; a syntax error, too much depth, too much text or a wrong encoding ends it.
//! Pointers cost time to keep, so they are kept only in a second pass, which runs when the first
//! found a problem.

mod number;
mod text;

use super::problem::{ReadProblem, ReadProblemKind};
use super::{Member, Node, Span, Value};
use crate::pointer;

/// How much a text may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The longest text, in bytes.
    pub bytes: u32,
    /// The most arrays and objects that are open at once. What walks a tree recurses as deep.
    pub depth: u32,
    /// Whether an integer literal beyond [`MAX_SAFE_INTEGER`](super::MAX_SAFE_INTEGER) is a problem.
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
    /// All problems, by place in the text. Only once their pointers fill 4 MiB are further ones
    /// left out, so that one long name around many problems cannot fill the memory.
    pub problems: Vec<ReadProblem>,
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
        let end = character_start(text, limits.bytes as usize);
        Err((kind, span(end, end)))
    }
}

/// Where the character starts that holds the byte at `at`.
fn character_start(text: &[u8], at: usize) -> usize {
    let is_start = |byte: &u8| !(0x80..0xc0).contains(byte);
    at - text.get(..=at).unwrap_or_default().iter().rev().take(4).position(is_start).unwrap_or(0)
}

/// Offsets fit 32 bits: [`admit`] refuses longer texts.
#[expect(clippy::cast_possible_truncation, reason = "texts are at most u32::MAX bytes")]
fn span(start: usize, end: usize) -> Span {
    Span { start: start as u32, end: end as u32 }
}

/// A problem that ends the reading has been reported.
struct Ended;

type Step<T> = Result<T, Ended>;

/// The reader; with `TRACK` it knows the pointer of the current value.
struct Reader<'a, const TRACK: bool> {
    text: &'a str,
    at: usize,
    limits: Limits,
    depth: u32,
    /// Items and members of the open arrays and objects, innermost last. Each gets a vector of its
    /// exact length when it closes.
    items: Vec<Node<'a>>,
    members: Vec<Member<'a>>,
    pointer: String,
    problems: Vec<ReadProblem>,
    /// The length of the pointers of all `problems`.
    pointer_bytes: usize,
    /// Where names with a lone surrogate start, ascending. Two such names need not be equal.
    broken_names: Vec<u32>,
}

impl<'a, const TRACK: bool> Reader<'a, TRACK> {
    const MAX_POINTER_BYTES: usize = 4 << 20;

    fn new(text: &'a str, limits: Limits) -> Self {
        Reader {
            text,
            at: 0,
            limits,
            depth: 0,
            // Room for a small call, below what allocators serve at once.
            items: Vec::with_capacity(16),
            members: Vec::with_capacity(14),
            pointer: String::new(),
            problems: Vec::new(),
            pointer_bytes: 0,
            broken_names: Vec::new(),
        }
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
        let (first, level) = (self.items.len(), self.pointer.len());
        let mut open = !self.take(b']');
        while open {
            if TRACK {
                set_token(&mut self.pointer, level, &(self.items.len() - first).to_string());
            }
            let item = self.value()?;
            self.items.push(item);
            self.pointer.truncate(level);
            open = self.another(b']', "`,` or `]`")?;
        }
        self.depth -= 1;
        Ok(Value::Array(detach(&mut self.items, first)))
    }

    fn object(&mut self) -> Step<Value<'a>> {
        self.open()?;
        let (first, level) = (self.members.len(), self.pointer.len());
        let ended = if self.take(b'}') { Ok(()) } else { self.members_to_the_brace(level) };
        self.pointer.truncate(level);
        let mut members = detach(&mut self.members, first);
        self.refuse_duplicates(&mut members);
        self.depth -= 1;
        ended.map(|()| Value::Object(members))
    }

    fn members_to_the_brace(&mut self, level: usize) -> Step<()> {
        loop {
            let place = self.members.len();
            self.member_without_value()?;
            if TRACK && let Some(member) = self.members.last() {
                set_token(&mut self.pointer, level, &member.name);
            }
            let node = self.value()?;
            if let Some(member) = self.members.get_mut(place) {
                member.node = node;
            }
            self.pointer.truncate(level);
            if !self.another(b'}', "`,` or `}`")? {
                return Ok(());
            }
        }
    }

    /// Adds a member before its value is read, so that its name counts even if the value ends the
    /// reading.
    fn member_without_value(&mut self) -> Step<()> {
        let start = self.at;
        if self.peek() != Some(b'"') {
            return self.fail_syntax("a member name in double quotes");
        }
        let problems = self.problems.len();
        let name = self.string()?;
        let name_span = span(start, self.at);
        if self.problems.len() > problems {
            self.broken_names.push(name_span.start);
        }
        self.members.push(Member { name, name_span, node: Node::synthetic(Value::Null) });
        self.skip_blanks();
        if !self.take(b':') {
            return self.fail_syntax("`:`");
        }
        self.skip_blanks();
        Ok(())
    }

    /// Opens an array or object and moves to what follows its bracket.
    fn open(&mut self) -> Step<()> {
        if self.depth == self.limits.depth {
            let kind = ReadProblemKind::TooDeep { limit: self.limits.depth };
            return self.fail(kind, span(self.at, self.at + 1));
        }
        self.depth += 1;
        self.at += 1;
        self.skip_blanks();
        Ok(())
    }

    /// Moves past a comma, and says yes, or past the closing bracket.
    fn another(&mut self, closing: u8, expected: &'static str) -> Step<bool> {
        self.skip_blanks();
        match self.peek() {
            Some(b',') => {
                self.at += 1;
                self.skip_blanks();
                Ok(true)
            }
            Some(byte) if byte == closing => {
                self.at += 1;
                Ok(false)
            }
            _ => self.fail_syntax(expected),
        }
    }

    /// Keeps the first of members that share a name and reports the others.
    fn refuse_duplicates(&mut self, members: &mut Vec<Member<'a>>) {
        if members.is_sorted_by(|a, b| a.name < b.name) || have_different_heads(members) {
            return;
        }
        let repeated = repeated(members, &self.broken_names);
        let level = self.pointer.len();
        members.retain(|member| {
            let Ok(found) = repeated.binary_search_by_key(&member.name_span, |(name, _)| *name) else {
                return true;
            };
            if let Some((_, Some(first))) = repeated.get(found) {
                if TRACK {
                    set_token(&mut self.pointer, level, &member.name);
                }
                let kind =
                    ReadProblemKind::DuplicateName { name: member.name.clone().into_owned(), first: *first };
                self.report(kind, member.name_span);
            }
            false
        });
        self.pointer.truncate(level);
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    /// Moves past `byte`, if it stands here.
    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    /// The text from `start` to here. Both stand beside ASCII, hence between two characters.
    fn since(&self, start: usize) -> &'a str {
        self.text.get(start..self.at).unwrap_or_default()
    }

    fn fail_syntax<T>(&mut self, expected: &'static str) -> Step<T> {
        let here = self.text.get(self.at..).and_then(|rest| rest.chars().next());
        let end = self.at + here.map_or(0, char::len_utf8);
        self.fail(ReadProblemKind::Syntax { expected }, span(self.at, end))
    }

    fn fail<T>(&mut self, kind: ReadProblemKind, span: Span) -> Step<T> {
        self.report(kind, span);
        Err(Ended)
    }

    fn report(&mut self, kind: ReadProblemKind, span: Span) {
        if self.pointer_bytes < Self::MAX_POINTER_BYTES {
            self.pointer_bytes += self.pointer.len();
            self.problems.push(ReadProblem { kind, span, pointer: self.pointer.clone() });
        }
    }
}

/// Takes what follows the first `first` entries of `stack` away, without a copy of the large array
/// that often makes up most of a text.
fn detach<T>(stack: &mut Vec<T>, first: usize) -> Vec<T> {
    const LARGE: usize = 1024;
    if first == 0 && stack.len() >= LARGE { std::mem::take(stack) } else { stack.split_off(first) }
}

/// Makes `token` the one that follows the first `level` bytes of `pointer`.
fn set_token(pointer: &mut String, level: usize, token: &str) {
    pointer.truncate(level);
    pointer.push('/');
    pointer.push_str(&pointer::escape(token));
}

/// Whether no two of a few names agree in length and first bytes, which is quick to say.
fn have_different_heads(members: &[Member<'_>]) -> bool {
    const FEW: usize = 16;
    let mut heads = [0_u64; FEW];
    let Some(heads) = heads.get_mut(..members.len()) else { return false };
    for (head, member) in heads.iter_mut().zip(members) {
        *head = head_of(&member.name);
    }
    heads.sort_unstable();
    heads.is_sorted_by(|a, b| a < b)
}

/// The length and the first seven bytes of a name; names of one head may differ.
fn head_of(name: &str) -> u64 {
    let bytes = name.as_bytes();
    let start = match bytes.first_chunk::<8>() {
        Some(chunk) => u64::from_le_bytes(*chunk),
        None => bytes.iter().rev().fold(0, |start, byte| start << 8 | u64::from(*byte)),
    };
    start << 8 | bytes.len() as u64 & 0xff
}

/// The names of all members but the first of each name, in order, and where that first one stands;
/// not where, for a broken name, as what it repeats is not known.
fn repeated(members: &[Member<'_>], broken_names: &[u32]) -> Vec<(Span, Option<Span>)> {
    let is_broken = |member: &Member<'_>| broken_names.binary_search(&member.name_span.start).is_ok();
    let mut order: Vec<&Member<'_>> = members.iter().collect();
    order.sort_by(|a, b| a.name.cmp(&b.name).then_with(|| is_broken(a).cmp(&is_broken(b))));
    let mut repeated = Vec::new();
    for group in order.chunk_by(|a, b| a.name == b.name) {
        if let [first, others @ ..] = group {
            repeated.extend(
                others.iter().map(|other| (other.name_span, (!is_broken(other)).then_some(first.name_span))),
            );
        }
    }
    repeated.sort_unstable();
    repeated
}
