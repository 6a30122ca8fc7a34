//! Patterns that can be enforced beyond doubt, told from their syntax, without building a matcher.

use regex_syntax::ast::parse::Parser;
use regex_syntax::ast::{
    Assertion, AssertionKind, Ast, ClassBracketed, ClassPerl, ClassPerlKind, ClassSet, ClassSetItem,
    ClassUnicode, ClassUnicodeKind, Flag, Flags, FlagsItemKind, Group, GroupKind, Literal, LiteralKind,
    Repetition, RepetitionKind, RepetitionRange, SpecialLiteralKind,
};

/// The most bytes that the automata of a pattern may need by the estimate here, which is higher than
/// what they need. The matcher's own limit is 10 MiB.
const MOST: u64 = 9_000_000;

/// What one byte, one list of ASCII ranges, or one step of a repetition needs.
const NARROW: u64 = 128;

/// What a range outside ASCII needs: it becomes several sequences of bytes.
const WIDE: u64 = 1_000;

/// What all letters of one general category need.
const CATEGORY: u64 = 100_000;

/// Groups are looked into so deep.
const DEEPEST: usize = 40;

/// Whether `pattern` is made of parts that JavaScript and the matcher read alike, and too small to
/// exceed a limit of the matcher. `false` says nothing. Building a matcher takes a hundred times as long.
pub(crate) fn is_simple(pattern: &str) -> bool {
    Parser::new().parse(pattern).is_ok_and(|ast| bytes(&ast, DEEPEST).is_some_and(|all| all <= MOST))
}

/// The bytes that a part needs at most; `None` where it is not simple.
fn bytes(ast: &Ast, depth: usize) -> Option<u64> {
    let depth = depth.checked_sub(1)?;
    match ast {
        Ast::Literal(literal) => of_literal(literal),
        Ast::Dot(_) => Some(3 * WIDE),
        Ast::ClassPerl(class) => Some(of_perl(class)),
        Ast::ClassUnicode(class) => of_category(class),
        Ast::ClassBracketed(class) => of_class(class),
        Ast::Assertion(assertion) => of_anchor(assertion),
        Ast::Repetition(repetition) => of_repetition(repetition, depth),
        Ast::Group(group) => of_group(group, depth),
        Ast::Alternation(all) => sum(&all.asts, |part| match part {
            Ast::Empty(_) => Some(NARROW),
            part => bytes(part, depth)?.checked_add(NARROW),
        }),
        Ast::Concat(all) => sum(&all.asts, |part| bytes(part, depth)),
        Ast::Flags(flags) => is_dot_all(&flags.flags).then_some(0),
        Ast::Empty(_) => None,
    }
}

fn sum<T>(parts: &[T], of: impl Fn(&T) -> Option<u64>) -> Option<u64> {
    parts.iter().try_fold(0, |all: u64, part| all.checked_add(of(part)?))
}

fn of_literal(literal: &Literal) -> Option<u64> {
    let letter = literal.c;
    let is_plain = match &literal.kind {
        LiteralKind::Verbatim => !matches!(letter, '{' | '}' | '[' | ']'),
        LiteralKind::Superfluous => letter.is_ascii_punctuation(),
        LiteralKind::Special(kind) => matches!(
            kind,
            SpecialLiteralKind::Tab | SpecialLiteralKind::LineFeed | SpecialLiteralKind::CarriageReturn
        ),
        LiteralKind::Meta | LiteralKind::HexFixed(_) => true,
        LiteralKind::Octal | LiteralKind::HexBrace(_) => false,
    };
    is_plain.then_some(if letter.is_ascii() { NARROW } else { WIDE })
}

fn of_perl(class: &ClassPerl) -> u64 {
    match (&class.kind, class.negated) {
        (ClassPerlKind::Space, _) => 4 * WIDE,
        (ClassPerlKind::Digit | ClassPerlKind::Word, true) => 3 * WIDE,
        (ClassPerlKind::Digit | ClassPerlKind::Word, false) => NARROW,
    }
}

/// One of the general categories that have a letter for a name: `\p{L}`.
fn of_category(class: &ClassUnicode) -> Option<u64> {
    let ClassUnicodeKind::Named(name) = &class.kind else { return None };
    matches!(name.as_str(), "L" | "M" | "N" | "P" | "S" | "Z").then_some(CATEGORY)
}

fn of_class(class: &ClassBracketed) -> Option<u64> {
    let ClassSet::Item(item) = &class.kind else { return None };
    let items = match item {
        ClassSetItem::Union(union) => union.items.as_slice(),
        single => std::slice::from_ref(single),
    };
    let around = if class.negated { 2 * WIDE } else { NARROW };
    sum(items, of_item)?.checked_add(around)
}

/// A list of ASCII ranges is one step of an automaton, however long.
fn of_item(item: &ClassSetItem) -> Option<u64> {
    const LISTED: u64 = 16;
    let ends = |start: u64, end: u64| if start + end == 2 * NARROW { LISTED } else { WIDE };
    match item {
        ClassSetItem::Literal(literal) => of_literal(literal).map(|own| ends(own, own)),
        ClassSetItem::Range(range) => Some(ends(of_literal(&range.start)?, of_literal(&range.end)?)),
        ClassSetItem::Perl(class) => Some(of_perl(class)),
        ClassSetItem::Unicode(class) => of_category(class),
        ClassSetItem::Empty(_)
        | ClassSetItem::Ascii(_)
        | ClassSetItem::Bracketed(_)
        | ClassSetItem::Union(_) => None,
    }
}

fn of_anchor(assertion: &Assertion) -> Option<u64> {
    matches!(assertion.kind, AssertionKind::StartLine | AssertionKind::EndLine).then_some(NARROW)
}

/// Only what has a width of its own is repeated.
fn of_repetition(repetition: &Repetition, depth: usize) -> Option<u64> {
    let times = match &repetition.op.kind {
        RepetitionKind::ZeroOrOne | RepetitionKind::ZeroOrMore | RepetitionKind::OneOrMore => 2,
        RepetitionKind::Range(RepetitionRange::Exactly(times) | RepetitionRange::Bounded(_, times)) => *times,
        RepetitionKind::Range(RepetitionRange::AtLeast(times)) => times.checked_add(1)?,
    };
    match &*repetition.ast {
        Ast::Literal(_)
        | Ast::Dot(_)
        | Ast::ClassPerl(_)
        | Ast::ClassUnicode(_)
        | Ast::ClassBracketed(_)
        | Ast::Group(_) => {
            bytes(&repetition.ast, depth)?.checked_add(NARROW)?.checked_mul(u64::from(times.max(1)))
        }
        Ast::Empty(_)
        | Ast::Flags(_)
        | Ast::Assertion(_)
        | Ast::Repetition(_)
        | Ast::Alternation(_)
        | Ast::Concat(_) => None,
    }
}

fn of_group(group: &Group, depth: usize) -> Option<u64> {
    let is_plain = match &group.kind {
        GroupKind::CaptureIndex(_) => true,
        GroupKind::NonCapturing(flags) => flags.items.is_empty(),
        GroupKind::CaptureName { .. } => false,
    };
    is_plain.then(|| bytes(&group.ast, depth))??.checked_add(NARROW)
}

/// `(?s)`: every letter is one for the dot.
fn is_dot_all(flags: &Flags) -> bool {
    flags.items.iter().all(|item| item.kind == FlagsItemKind::Flag(Flag::DotMatchesNewLine))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::{Path, PathBuf};

    use proptest::prelude::*;

    use super::*;
    use forecheck_contract::validator::compiles;

    #[test]
    fn simple_patterns_are_told_from_others() {
        let check = |pattern: &str, expected| assert_eq!(is_simple(pattern), expected, "{pattern}");
        for simple in [
            "a",
            "^[a-z0-9-]{1,63}$",
            r"^arn:aws(|-cn):\d+:role/[\w+=,.@-]+$",
            r"(?:a|b)*",
            r"\p{L}+",
            r"[\p{L}é-ü]",
            r"(?s).{1,2048}",
            r"\S{1,2000}",
            r"[^\u0000-\u001f]*?",
            r"\.\-\/",
        ] {
            check(simple, true);
        }
        for other in [
            "(",
            "a**",
            "^*",
            "(?=a)b",
            "(?i)a",
            "(?<n>a)",
            r"\1",
            r"\b",
            r"\a",
            r"\x{61}",
            "[[:alpha:]]",
            "[a[b]]",
            "[a&&b]",
            r"\p{Greek}",
            "a{",
            "a|*",
            ".{5000}",
            "(a{1000}){1000}",
            &"(".repeat(50),
        ] {
            check(other, false);
        }
    }

    /// What stands under `pattern` anywhere in the corpora.
    fn of_corpora() -> BTreeSet<String> {
        let mut patterns = BTreeSet::new();
        let mut folders = vec![PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/corpora"))];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                if entry.is_dir() {
                    folders.push(entry);
                } else if let Some(value) = json_of(&entry) {
                    collect(&value, &mut patterns);
                }
            }
        }
        patterns
    }

    fn json_of(path: &Path) -> Option<serde_json::Value> {
        serde_json::from_slice(&fs::read(path).unwrap()).ok()
    }

    fn collect(value: &serde_json::Value, patterns: &mut BTreeSet<String>) {
        match value {
            serde_json::Value::Object(members) => {
                patterns
                    .extend(members.get("pattern").and_then(|pattern| pattern.as_str()).map(str::to_owned));
                members.values().for_each(|inside| collect(inside, patterns));
            }
            serde_json::Value::Array(items) => items.iter().for_each(|inside| collect(inside, patterns)),
            _ => {}
        }
    }

    #[test]
    fn simple_patterns_of_the_corpora_can_be_built() {
        let simple: Vec<String> = of_corpora().into_iter().filter(|pattern| is_simple(pattern)).collect();
        assert!(simple.len() > 10, "{simple:?}");
        let broken: Vec<&String> = simple.iter().filter(|pattern| !compiles(pattern)).collect();
        assert_eq!(broken, [""; 0]);
    }

    /// As heavy as a simple pattern can be: one part more and it is not simple.
    #[test]
    fn the_heaviest_simple_patterns_can_be_built() {
        for part in [
            "a",
            "é",
            ".",
            r"\S",
            r"\s",
            r"\W",
            r"\w",
            "[^a]",
            "[^é]",
            r"[^\W]",
            r"[\u0101-\uF001]",
            r"[^\u0101-\uF001]",
            "[a-z]",
            "(a)",
            "(a|)",
            r"\p{L}",
            r"[^\p{M}\p{S}]",
            r"[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Z}]",
            "(?:[ab]|é)",
            "𐄁",
            "[𐄁-𐿱ā-ퟀ]",
        ] {
            let times = |times: u32| format!("x(y|z){part}{{{times}}}q");
            let heaviest = (1..100_000).step_by(7).take_while(|n| is_simple(&times(*n))).last().unwrap();
            assert!(compiles(&times(heaviest)), "{}", times(heaviest));
        }
    }

    /// Pieces of patterns: plain ones, and such as two parsers may read differently.
    const PIECES: &str = r#"a Z 0 - / : é 𐄁 . ^ $ | ( (?: ) )* * + ? {2} {0,3} {,3} {1,} {1,700} { } [ [^ ] [a-z] [^a-]
        [-a] []a] [a-\d] [z-a] [a&&b] [a--b] [a~~b] [[] \d \D \w \W \s \S \. \- \/ \< \> \b \B \A \z \Z \h \R \K \G \e \cA
        \n \t \u0041 \u \x41 \x{41} \uD800 \p{L} \P{N} \pL \p{Lu} \p{Greek} \1 \k<a> (?= (?! (?<a> (?i) (?s) (?-s) (?s:
        (?x) # & ~ \# \\ = ! < > , ' " ` % @ ; \^ [\^a] [\]] [\u0100-\u0200]"#;

    fn piece() -> impl Strategy<Value = String> {
        let pieces: Vec<&str> = PIECES.split_whitespace().chain([" ", "\\ "]).collect();
        prop_oneof![4 => proptest::sample::select(pieces).prop_map(str::to_owned), 1 => "\\PC"]
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn what_is_simple_can_be_built(pieces in proptest::collection::vec(piece(), 0..8)) {
            let pattern = pieces.concat();
            prop_assert!(!is_simple(&pattern) || compiles(&pattern), "{}", pattern);
        }
    }
}
