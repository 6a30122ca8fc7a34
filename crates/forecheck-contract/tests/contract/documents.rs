//! Random JSON documents, and the many texts of each.

use std::collections::BTreeMap;

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;

/// A JSON value. Numbers are literals, so that a document can hold what no double holds exactly.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Document {
    Null,
    Bool(bool),
    Number(String),
    Text(String),
    Array(Vec<Document>),
    Object(BTreeMap<String, Document>),
}

pub(crate) fn document() -> impl Strategy<Value = Document> {
    let leaf = prop_oneof![
        Just(Document::Null),
        any::<bool>().prop_map(Document::Bool),
        number().prop_map(Document::Number),
        text().prop_map(Document::Text),
    ];
    leaf.prop_recursive(6, 96, 8, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..8).prop_map(Document::Array),
            btree_map(text(), inner, 0..8).prop_map(Document::Object),
        ]
    })
}

/// An object at the root, as inputs have.
pub(crate) fn object() -> impl Strategy<Value = Document> {
    btree_map(text(), document(), 0..8).prop_map(Document::Object)
}

/// Texts in which each kind of character that a writer or an order treats apart is frequent.
pub(crate) fn text() -> impl Strategy<Value = String> {
    let character = prop_oneof![
        4 => proptest::char::range('a', 'e'),
        1 => proptest::sample::select(vec!['"', '\\', '/', '|', '\u{7f}', '\u{2028}', '$', '\u{301}']),
        1 => proptest::char::range('\0', '\u{1f}'),
        1 => proptest::char::range('\u{80}', '\u{d7ff}'),
        1 => proptest::char::range('\u{e000}', '\u{ffff}'),
        1 => proptest::char::range('\u{10000}', '\u{10ffff}'),
    ];
    vec(character, 0..14).prop_map(String::from_iter)
}

pub(crate) fn number() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<i32>().prop_map(|n| n.to_string()),
        any::<i64>().prop_map(|n| n.to_string()),
        any::<u64>().prop_map(|n| n.to_string()),
        any::<u64>()
            .prop_map(f64::from_bits)
            .prop_filter_map("finite", |n| n.is_finite().then(|| format!("{n:?}"))),
        r"-?(0|[1-9][0-9]{0,30})(\.[0-9]{1,30})?([eE][+-]?[0-9]{1,2})?",
        half_way(),
    ]
}

/// Exactly between two doubles: an odd multiple of half a unit in the last place.
fn half_way() -> impl Strategy<Value = String> {
    ((1_u64 << 52..1 << 53), 0_u32..27, any::<bool>()).prop_map(|(mantissa, scale, fraction)| {
        let odd = 2 * u128::from(mantissa) + 1;
        if fraction { format!("{}e-{scale}", odd * 5_u128.pow(scale)) } else { (odd << scale).to_string() }
    })
}

impl Document {
    /// One of the texts of the document: `seed` decides order, blanks and escapes.
    pub(crate) fn text(&self, seed: u64) -> String {
        let mut out = String::new();
        Writer { choices: Choices::new(seed) }.value(self, &mut out);
        out
    }
}

/// Makes arbitrary choices, the same for the same seed.
#[derive(Debug)]
pub(crate) struct Choices {
    state: u64,
}

impl Choices {
    pub(crate) fn new(seed: u64) -> Self {
        Choices { state: seed ^ 0x9e37_79b9_7f4a_7c15 | 1 }
    }

    /// A number from 0 to `bound - 1`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        usize::try_from(self.state >> 33).unwrap() % bound
    }

    pub(crate) fn one_in(&mut self, bound: usize) -> bool {
        self.below(bound) == 0
    }
}

struct Writer {
    choices: Choices,
}

impl Writer {
    fn blanks(&mut self, out: &mut String) {
        out.push_str(["", "", "", " ", "\n\t", "\r\n  "][self.choices.below(6)]);
    }

    fn value(&mut self, document: &Document, out: &mut String) {
        self.blanks(out);
        match document {
            Document::Null => out.push_str("null"),
            Document::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
            Document::Number(literal) => out.push_str(literal),
            Document::Text(text) => self.string(text, out),
            Document::Array(items) => self.list('[', items.iter().map(|item| (None, item)), ']', out),
            Document::Object(members) => {
                self.list('{', members.iter().map(|(name, value)| (Some(name), value)), '}', out);
            }
        }
        self.blanks(out);
    }

    fn list<'d>(
        &mut self,
        opening: char,
        entries: impl Iterator<Item = (Option<&'d String>, &'d Document)>,
        closing: char,
        out: &mut String,
    ) {
        let mut entries: Vec<_> = entries.collect();
        if opening == '{' {
            for last in (1..entries.len()).rev() {
                entries.swap(last, self.choices.below(last + 1));
            }
        }
        out.push(opening);
        for (index, (name, value)) in entries.into_iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            if let Some(name) = name {
                self.blanks(out);
                self.string(name, out);
                self.blanks(out);
                out.push(':');
            }
            self.value(value, out);
        }
        self.blanks(out);
        out.push(closing);
    }

    fn string(&mut self, text: &str, out: &mut String) {
        out.push('"');
        for character in text.chars() {
            self.character(character, out);
        }
        out.push('"');
    }

    fn character(&mut self, character: char, out: &mut String) {
        let short = match character {
            '"' | '\\' | '/' => Some(character),
            '\u{8}' => Some('b'),
            '\t' => Some('t'),
            '\n' => Some('n'),
            '\u{c}' => Some('f'),
            '\r' => Some('r'),
            _ => None,
        };
        let raw_allowed = character >= ' ' && character != '"' && character != '\\';
        match (self.choices.below(4), short) {
            (0 | 1, _) if raw_allowed => out.push(character),
            (2, Some(short)) => out.extend(['\\', short]),
            (choice, _) => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    let digits = format!("{unit:04x}");
                    out.push_str("\\u");
                    out.push_str(&if choice == 0 { digits } else { digits.to_uppercase() });
                }
            }
        }
    }
}
