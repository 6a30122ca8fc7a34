//! Canonical JSON: the one text of a value (RFC 8785).
//!
//! Numbers are written as ECMAScript prints the nearest double, members are ordered by the UTF-16
//! code units of their names, and nothing is written between tokens. Text is not normalised.

use std::cmp::Ordering;

use sha2::{Digest, Sha256};

use crate::json::{MAX_SAFE_INTEGER, Member, Node, Number, Value};
use crate::scan::plain_length;

/// The canonical text of `node`.
pub fn to_string(node: &Node<'_>) -> String {
    let mut bytes = Vec::new();
    write(node, &mut bytes);
    // INVARIANT: `write` emits parts of `str`s and ASCII.
    String::from_utf8(bytes).unwrap_or_default()
}

/// Appends the canonical text of `node` to `out`.
pub fn write(node: &Node<'_>, out: &mut impl Sink) {
    match &node.value {
        Value::Null => out.put(b"null"),
        Value::Bool(true) => out.put(b"true"),
        Value::Bool(false) => out.put(b"false"),
        Value::Number(number) => write_number(*number, out),
        Value::String(text) => write_string(text, out),
        Value::Array(items) => {
            out.put(b"[");
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.put(b",");
                }
                write(item, out);
            }
            out.put(b"]");
        }
        Value::Object(members) => write_object(members, out),
    }
}

/// Whether two values have the same canonical text, as `1` and `1.0` have.
pub fn same(a: &Node<'_>, b: &Node<'_>) -> bool {
    to_string(a) == to_string(b)
}

fn write_object(members: &[Member<'_>], out: &mut impl Sink) {
    out.put(b"{");
    if members.is_sorted_by(|a, b| utf16_order(&a.name, &b.name).is_le()) {
        write_members(members.iter(), out);
    } else {
        let mut order: Vec<(u64, &Member<'_>)> =
            members.iter().map(|member| (head(&member.name), member)).collect();
        order.sort_unstable_by(|(a, x), (b, y)| a.cmp(b).then_with(|| utf16_order(&x.name, &y.name)));
        write_members(order.into_iter().map(|(_, member)| member), out);
    }
    out.put(b"}");
}

/// The first eight bytes of a name as a number that orders like them: names with different heads
/// need no look at the rest.
fn head(name: &str) -> u64 {
    let bytes = name.as_bytes();
    match bytes.first_chunk::<8>() {
        Some(chunk) => ranked(u64::from_be_bytes(*chunk)),
        None => {
            let mut chunk = [0; 8];
            chunk.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
            ranked(u64::from_be_bytes(chunk))
        }
    }
}

/// Bytes of letters beyond ASCII, ranked as UTF-16 orders them.
fn ranked(head: u64) -> u64 {
    if head & 0x8080_8080_8080_8080 == 0 {
        return head;
    }
    u64::from_be_bytes(head.to_be_bytes().map(rank))
}

/// Puts the first bytes of U+E000 to U+FFFF after those of the characters beyond.
fn rank(byte: u8) -> u8 {
    match byte {
        0xee | 0xef => byte + 0x10,
        _ => byte,
    }
}

fn write_members<'m>(members: impl Iterator<Item = &'m Member<'m>>, out: &mut impl Sink) {
    for (index, member) in members.enumerate() {
        if index > 0 {
            out.put(b",");
        }
        write_string(&member.name, out);
        out.put(b":");
        write(&member.node, out);
    }
}

/// The order of UTF-16 code units, read off UTF-8. The two orders differ only where a character
/// beyond U+FFFF, whose surrogates start at 0xD800, meets one from U+E000 to U+FFFF.
fn utf16_order(a: &str, b: &str) -> Ordering {
    match a.bytes().zip(b.bytes()).find(|(x, y)| x != y) {
        Some((x, y)) => rank(x).cmp(&rank(y)),
        None => a.len().cmp(&b.len()),
    }
}

fn write_number(number: Number, out: &mut impl Sink) {
    match number {
        Number::Unsigned(n) if n <= MAX_SAFE_INTEGER => out.put(itoa::Buffer::new().format(n).as_bytes()),
        Number::Signed(n) if n.unsigned_abs() <= MAX_SAFE_INTEGER => {
            out.put(itoa::Buffer::new().format(n).as_bytes());
        }
        _ => write_double(number.as_f64(), out),
    }
}

/// zmij is twice as fast. It prints as ECMAScript does, but for `.0` at the end of whole numbers, except in the two
/// ranges in which only one of the two writes an exponent.
fn write_double(double: f64, out: &mut impl Sink) {
    let size = double.abs();
    if (1e-5..1e15).contains(&size) || size >= 1e21 || (size < 1e-7 && size > 0.0) {
        let mut buffer = zmij::Buffer::new();
        let text = buffer.format_finite(double);
        out.put(text.strip_suffix(".0").unwrap_or(text).as_bytes());
    } else {
        out.put(ryu_js::Buffer::new().format(double).as_bytes());
    }
}

fn write_string(text: &str, out: &mut impl Sink) {
    out.put(b"\"");
    let mut rest = text.as_bytes();
    while let Some((plain, special)) = rest.split_at_checked(plain_length(rest)) {
        out.put(plain);
        let Some((&byte, after)) = special.split_first() else { break };
        write_escape(byte, out);
        rest = after;
    }
    out.put(b"\"");
}

fn write_escape(byte: u8, out: &mut impl Sink) {
    match byte {
        b'"' => out.put(b"\\\""),
        b'\\' => out.put(b"\\\\"),
        0x08 => out.put(b"\\b"),
        0x09 => out.put(b"\\t"),
        0x0a => out.put(b"\\n"),
        0x0c => out.put(b"\\f"),
        0x0d => out.put(b"\\r"),
        _ => {
            out.put(b"\\u00");
            out.put(hex::encode([byte]).as_bytes());
        }
    }
}

/// Where canonical text goes.
pub trait Sink {
    /// Takes the next bytes.
    fn put(&mut self, bytes: &[u8]);
}

impl Sink for Vec<u8> {
    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }
}

/// A SHA-256 digest that takes canonical text in chunks, so that a large value needs no second
/// copy in memory.
#[derive(Debug)]
pub struct Hasher {
    digest: Sha256,
    chunk: Vec<u8>,
}

impl Hasher {
    const CHUNK: usize = 32 * 1024;

    /// A digest of nothing yet.
    pub fn new() -> Self {
        Hasher { digest: Sha256::new(), chunk: Vec::with_capacity(512) }
    }

    /// The digest of everything put.
    pub fn finish(mut self) -> [u8; 32] {
        self.digest.update(&self.chunk);
        self.digest.finalize().into()
    }
}

impl Default for Hasher {
    fn default() -> Self {
        Self::new()
    }
}

impl Sink for Hasher {
    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        if bytes.len() <= self.chunk.capacity() - self.chunk.len() {
            self.chunk.extend_from_slice(bytes);
        } else {
            self.put_beyond(bytes);
        }
    }
}

impl Hasher {
    /// Takes bytes for which the chunk has no room: lets it grow, or empties it.
    #[cold]
    fn put_beyond(&mut self, bytes: &[u8]) {
        if self.chunk.len() + bytes.len() > Self::CHUNK {
            self.digest.update(&self.chunk);
            self.chunk.clear();
        }
        if bytes.len() > Self::CHUNK {
            self.digest.update(bytes);
        } else {
            self.chunk.extend_from_slice(bytes);
        }
    }
}
