//! Rust identifiers for names from a surface.
//!
//! A name folds to an identifier in its usual case: separators and case are lost, what an
//! identifier cannot hold is spelled by code point (`u1f600`). Where two names of one scope fold to
//! one identifier, each gets a suffix made from its own bytes, so that no name depends on the order
//! or the presence of names that it does not fold with.

mod letters;

use std::collections::{BTreeMap, BTreeSet};

use forecheck_contract::canonical::{Hasher, Sink as _};

use letters::Letters;

/// Strict and reserved keywords of edition 2024; none may be an identifier.
const KEYWORDS: &[&str] = &[
    "Self", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do",
    "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop",
    "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static",
    "struct", "super", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual",
    "where", "while", "yield",
];

/// Types and traits of the prelude, and those that generated code names: a type of a surface that
/// took one of these names would change the meaning of the code around it.
const PRELUDE: &[&str] = &[
    "AsMut",
    "AsRef",
    "AsyncFn",
    "AsyncFnMut",
    "AsyncFnOnce",
    "BTreeMap",
    "Box",
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "Deserialize",
    "DoubleEndedIterator",
    "Drop",
    "Eq",
    "Err",
    "ExactSizeIterator",
    "Extend",
    "Fn",
    "FnMut",
    "FnOnce",
    "From",
    "FromIterator",
    "Future",
    "Hash",
    "Into",
    "IntoFuture",
    "IntoIterator",
    "Iterator",
    "None",
    "Number",
    "Ok",
    "Option",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Result",
    "Send",
    "Serialize",
    "Sized",
    "Some",
    "String",
    "Sync",
    "ToOwned",
    "ToString",
    "TryFrom",
    "TryInto",
    "Unpin",
    "Value",
    "Vec",
];

/// How an identifier is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Case {
    /// `like_this`: fields, functions, modules.
    Snake,
    /// `LikeThis`: types, variants.
    Camel,
}

/// The identifier of a type.
pub fn type_name(name: &str) -> String {
    type_name_of(&[name])
}

/// The identifier of a type that is named by several names, one inside the other.
pub fn type_name_of(path: &[&str]) -> String {
    let words: Vec<String> = path.iter().flat_map(|name| words(name)).collect();
    let ident = camel(&words);
    free_type_name(ident)
}

/// A type's identifier that is no keyword and hides nothing from the prelude.
pub(crate) fn free_type_name(ident: String) -> String {
    if PRELUDE.contains(&ident.as_str()) { ident + "_" } else { unreserved(ident) }
}

/// The identifier of a variant of an enum.
pub fn variant_name(name: &str) -> String {
    unreserved(camel(&words(name)))
}

/// The identifier of a field.
pub fn field_name(name: &str) -> String {
    unreserved(snake(&words(name)))
}

/// The identifier of a module.
pub fn module_name(name: &str) -> String {
    field_name(name)
}

/// Whether a text is an identifier as these functions make them.
pub fn is_identifier(text: &str) -> bool {
    let letters = Letters::of(text);
    !text.starts_with(|first: char| first.is_ascii_digit())
        && !text.trim_matches('_').is_empty()
        && text.chars().all(|letter| letter == '_' || letters.keeps(letter))
        && !KEYWORDS.contains(&text)
}

fn unreserved(ident: String) -> String {
    if KEYWORDS.contains(&ident.as_str()) { ident + "_" } else { ident }
}

fn snake(words: &[String]) -> String {
    let ident = words.join("_");
    if ident.starts_with(|first: char| first.is_ascii_digit()) { format!("n{ident}") } else { ident }
}

fn camel(words: &[String]) -> String {
    let mut ident = String::new();
    for word in words {
        let mut letters = word.chars();
        let first = letters.next().map(letters::upper);
        match (ident.chars().next_back(), first) {
            (None, Some('0'..='9')) => ident.push('N'),
            // `v1_2` and `v12` stay apart.
            (Some('0'..='9'), Some('0'..='9')) => ident.push('_'),
            _ => {}
        }
        ident.extend(first);
        ident.push_str(letters.as_str());
    }
    without_acronym(ident)
}

/// `ABC`, made of three words of one letter, is to clippy an acronym that should be `Abc`.
fn without_acronym(ident: String) -> String {
    match ident.split_at_checked(1) {
        Some((first, rest)) if rest.len() > 1 && ident.bytes().all(|byte| byte.is_ascii_uppercase()) => {
            format!("{first}{}", rest.to_ascii_lowercase())
        }
        _ => ident,
    }
}

/// The words of a name in lower case; at least one, none empty.
fn words(name: &str) -> Vec<String> {
    let letters = Letters::of(name);
    let mut words = Words::default();
    let mut rest = name.chars();
    if let Some(sign) = sign(name) {
        words.list.push(sign.to_owned());
        rest.next();
    }
    while let Some(letter) = rest.next() {
        if letters.keeps(letter) {
            words.letter(letter, rest.clone().next());
        } else {
            words.end();
            if !letter.is_ascii() {
                words.list.push(spelled(letter));
            }
        }
    }
    words.end();
    match (words.list.is_empty(), name.is_empty()) {
        (true, true) => vec!["empty".to_owned()],
        (true, false) => name.chars().map(spelled).collect(),
        (false, _) => words.list,
    }
}

/// The word for the sign of a name such as `+1`, where it is all that tells it from `-1`.
fn sign(name: &str) -> Option<&'static str> {
    let mut letters = name.chars();
    let word = match letters.next()? {
        '+' => "plus",
        '-' => "minus",
        _ => return None,
    };
    letters.next()?.is_ascii_digit().then_some(word)
}

fn spelled(letter: char) -> String {
    format!("u{:x}", u32::from(letter))
}

/// Words as they are found.
#[derive(Debug, Default)]
struct Words {
    list: Vec<String>,
    word: String,
    last: Option<char>,
}

impl Words {
    /// A new word starts at a capital after a small letter or digit, and at the last capital of a
    /// run that a small letter follows: `fooBar`, `HTTPServer`.
    fn letter(&mut self, letter: char, next: Option<char>) {
        let starts = letter.is_uppercase()
            && self.last.is_some_and(|last| !last.is_uppercase() || next.is_some_and(char::is_lowercase));
        if starts {
            self.end();
        }
        self.word.push(letters::lower(letter));
        self.last = Some(letter);
    }

    fn end(&mut self) {
        if !self.word.is_empty() {
            self.list.push(std::mem::take(&mut self.word));
        }
        self.last = None;
    }
}

/// An identifier that something would like to have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wish {
    /// The identifier.
    pub ident: String,
    /// A longer one, for when others want the same.
    pub longer: Option<String>,
    /// What the thing is called, differing from everything else in its scope.
    pub name: String,
}

/// The identifiers of one scope.
#[derive(Debug, Clone, Default)]
pub struct Namespace {
    taken: BTreeSet<String>,
}

impl Namespace {
    /// A scope in which `taken` are in use.
    pub fn new<'t>(taken: impl IntoIterator<Item = &'t str>) -> Self {
        Namespace { taken: taken.into_iter().map(str::to_owned).collect() }
    }

    /// Takes an identifier, or one like it that is free.
    pub fn free(&mut self, ident: &str) -> String {
        let mut ident = ident.to_owned();
        while self.taken.contains(&ident) {
            ident.push('_');
        }
        self.taken.insert(ident.clone());
        ident
    }

    /// The identifiers of fields called `names`.
    pub fn fields(&mut self, names: &[&str]) -> Vec<String> {
        self.assign(Case::Snake, &wishes(names, field_name))
    }

    /// The identifiers of variants called `names`.
    pub fn variants(&mut self, names: &[&str]) -> Vec<String> {
        self.assign(Case::Camel, &wishes(names, variant_name))
    }

    /// Takes an identifier for each wish. Wishes that meet, each other or what was taken before,
    /// all take their longer identifier, and then a suffix from their own name.
    pub fn assign(&mut self, case: Case, wishes: &[Wish]) -> Vec<String> {
        let mut attempts = vec![Attempt::Plain; wishes.len()];
        loop {
            let idents: Vec<String> =
                wishes.iter().zip(&attempts).map(|(wish, attempt)| wish.ident(case, *attempt)).collect();
            if !self.retry(&idents, &mut attempts) {
                self.taken.extend(idents.iter().cloned());
                return idents;
            }
        }
    }

    /// Sends all that meet into another attempt; false when none do, or none has another.
    fn retry(&self, idents: &[String], attempts: &mut [Attempt]) -> bool {
        let mut uses: BTreeMap<&str, usize> = BTreeMap::new();
        for ident in idents {
            *uses.entry(ident).or_default() += 1;
        }
        let mut changed = false;
        for (ident, attempt) in idents.iter().zip(attempts) {
            let meets = self.taken.contains(ident) || uses.get(ident.as_str()).is_some_and(|uses| *uses > 1);
            if let (true, Some(next)) = (meets, attempt.next()) {
                *attempt = next;
                changed = true;
            }
        }
        changed
    }
}

fn wishes(names: &[&str], ident: fn(&str) -> String) -> Vec<Wish> {
    names.iter().map(|name| Wish { ident: ident(name), longer: None, name: (*name).to_owned() }).collect()
}

/// The identifiers that a wish tries, one after the other.
#[derive(Debug, Clone, Copy)]
enum Attempt {
    Plain,
    Longer,
    Suffixed,
    FullySuffixed,
}

impl Attempt {
    fn next(self) -> Option<Attempt> {
        match self {
            Attempt::Plain => Some(Attempt::Longer),
            Attempt::Longer => Some(Attempt::Suffixed),
            Attempt::Suffixed => Some(Attempt::FullySuffixed),
            Attempt::FullySuffixed => None,
        }
    }
}

impl Wish {
    fn ident(&self, case: Case, attempt: Attempt) -> String {
        match attempt {
            Attempt::Plain => self.ident.clone(),
            Attempt::Longer => self.longer.as_ref().unwrap_or(&self.ident).clone(),
            Attempt::Suffixed => self.suffixed(case, 6),
            Attempt::FullySuffixed => self.suffixed(case, 64),
        }
    }

    /// The identifier with so many hexadecimal digits of the name's SHA-256.
    fn suffixed(&self, case: Case, digits: usize) -> String {
        let mut hasher = Hasher::new();
        hasher.put(self.name.as_bytes());
        let nibbles = hasher.finish().into_iter().flat_map(|byte| [byte >> 4, byte & 15]);
        let hex = nibbles.filter_map(|nibble| char::from_digit(nibble.into(), 16));
        let hex: String = hex.take(digits).collect();
        let ident = self.ident.trim_end_matches('_');
        match case {
            Case::Snake => format!("{ident}_{hex}"),
            Case::Camel => format!("{ident}X{hex}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_fold_to_identifiers() {
        let check = |name: &str, field: &str, variant: &str| {
            assert_eq!((field_name(name), variant_name(name)), (field.to_owned(), variant.to_owned()));
        };
        check("foo-bar", "foo_bar", "FooBar");
        check("fooBar", "foo_bar", "FooBar");
        check("HTTPServer", "http_server", "HttpServer");
        check("READ_ONLY", "read_only", "ReadOnly");
        check("session.status", "session_status", "SessionStatus");
        check("$and", "and", "And");
        check("a-b-c", "a_b_c", "Abc");
        check("v1.2", "v1_2", "V1_2");
        check("1", "n1", "N1");
        check("+1", "plus_1", "Plus1");
        check("-1", "minus_1", "Minus1");
        check("", "empty", "Empty");
        check("*", "u2a", "U2a");
        check("_", "u5f", "U5f");
        check("a😀b", "a_u1f600_b", "AU1f600B");
        check("日本", "日本", "日本");
        check("naïve", "naïve", "Naïve");
        check("Ünder", "ünder", "Ünder");
        check("e\u{301}", "e_u301", "EU301");
        check("type", "type_", "Type");
        check("self", "self_", "Self_");
        check("gen", "gen_", "Gen");
        check("None", "none", "None");
    }

    #[test]
    fn other_texts_are_no_identifiers() {
        for text in ["", "_", "1a", "a-b", "type", "Self", "a b", "😀", "a\u{301}"] {
            assert!(!is_identifier(text), "{text}");
        }
    }

    #[test]
    fn type_names_leave_the_prelude_alone() {
        assert_eq!(type_name("option"), "Option_");
        assert_eq!(type_name("value"), "Value_");
        assert_eq!(type_name_of(&["input", "value"]), "InputValue");
        assert_eq!(type_name_of(&["v1", "2"]), "V1_2");
    }

    #[test]
    fn every_name_that_folds_with_another_gets_its_own_suffix() {
        let idents = Namespace::default().fields(&["foo-bar", "foo_bar", "fooBar", "plain"]);
        assert_eq!(idents, ["foo_bar_7d89c4", "foo_bar_4928ca", "foo_bar_5a906c", "plain"]);
        let alone = Namespace::default().fields(&["fooBar", "plain"]);
        assert_eq!(alone, ["foo_bar", "plain"]);
        let keyword = Namespace::default().fields(&["type", "type_"]);
        assert!(keyword.iter().all(|ident| !ident.contains("__")), "{keyword:?}");
        let taken = Namespace::new(["Code"]).variants(&["code"]);
        assert_eq!(taken, ["CodeX5694d0"]);
    }

    #[test]
    fn a_suffixed_name_does_not_meet_a_plain_one() {
        let suffix = Namespace::default().fields(&["foo-bar", "foo_bar"]).swap_remove(0);
        let names = ["foo-bar", "foo_bar", suffix.as_str()];
        let idents: BTreeSet<String> = Namespace::default().fields(&names).into_iter().collect();
        assert_eq!(idents.len(), 3);
    }

    /// Names that tend to fold: few letters, many separators.
    fn any_names() -> impl Strategy<Value = Vec<String>> {
        let close = "[aAbB1_\\-. $é日\u{301}]{0,5}";
        let name = prop_oneof![4 => close, 1 => any::<String>(), 1 => prop::sample::select(KEYWORDS.to_vec()).prop_map(str::to_owned)];
        prop::collection::btree_set(name, 0..40).prop_map(|names| names.into_iter().collect())
    }

    proptest! {
        #[test]
        fn distinct_names_have_distinct_identifiers(names in any_names()) {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            for idents in [Namespace::default().fields(&names), Namespace::default().variants(&names)] {
                for ident in &idents {
                    prop_assert!(syn::parse_str::<syn::Ident>(ident).is_ok(), "{}", ident);
                }
                prop_assert_eq!(idents.iter().collect::<BTreeSet<_>>().len(), names.len());
            }
        }

        #[test]
        fn identifiers_do_not_depend_on_order(names in any_names()) {
            let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
            let mut forwards = Namespace::default().fields(&names);
            names.reverse();
            let backwards = Namespace::default().fields(&names);
            forwards.reverse();
            prop_assert_eq!(forwards, backwards);
        }

        #[test]
        fn types_are_identifiers(name in any::<String>()) {
            prop_assert!(syn::parse_str::<syn::Ident>(&type_name(&name)).is_ok());
            prop_assert!(!PRELUDE.contains(&type_name(&name).as_str()));
            prop_assert!(is_identifier(&type_name(&name)) && is_identifier(&field_name(&name)));
        }
    }
}
