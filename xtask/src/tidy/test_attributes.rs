//! A test runs, and compares what it gets: no ignored tests, none that only has to panic.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use super::Hit;
use super::source::SourceFile;

const FORBIDDEN: &[(&str, &str)] = &[
    (
        "ignore",
        "run the test or delete it; what this machine lacks is a failure, or a declared and printed skip",
    ),
    ("should_panic", "return a value or an error, and compare the whole of it"),
];

/// Reads tokens, not items, so that tests inside a macro such as `proptest!` are seen too.
pub(super) fn check(file: &SourceFile) -> Vec<Hit> {
    if file.syntax().is_none() {
        return Vec::new();
    }
    let tokens: TokenStream = file.text().parse().unwrap_or_default();
    let mut hits = Vec::new();
    search(tokens, &mut hits);
    hits
}

fn search(tokens: TokenStream, hits: &mut Vec<Hit>) {
    let mut after_hash = false;
    for token in tokens {
        if let TokenTree::Group(group) = &token {
            if after_hash && group.delimiter() == Delimiter::Bracket {
                hits.extend(hit_in_attribute(group));
            }
            search(group.stream(), hits);
        }
        after_hash = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '#');
    }
}

fn hit_in_attribute(attribute: &Group) -> Option<Hit> {
    let names = names(attribute.stream());
    let remedy = match names.first()?.as_str() {
        "cfg_attr" => names.iter().find_map(|name| remedy(name)),
        name => remedy(name),
    }?;
    Some(Hit { line: attribute.span_open().start().line, remedy: remedy.to_owned() })
}

fn remedy(name: &str) -> Option<&'static str> {
    FORBIDDEN.iter().find(|(forbidden, _)| *forbidden == name).map(|(_, remedy)| *remedy)
}

fn names(tokens: TokenStream) -> Vec<String> {
    tokens
        .into_iter()
        .flat_map(|token| match token {
            TokenTree::Ident(name) => vec![name.to_string()],
            TokenTree::Group(group) => names(group.stream()),
            TokenTree::Punct(_) | TokenTree::Literal(_) => Vec::new(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of the hits; `@` stands for the start of an attribute, so that this file has none of them.
    fn lines(text: &str) -> Vec<usize> {
        let file = SourceFile::new("a.rs", text.replace('@', "#[")).unwrap();
        check(&file).iter().map(|hit| hit.line).collect()
    }

    #[test]
    fn the_attributes_are_found_wherever_they_stand() {
        let rows = [
            ("\n@test]\n@ignore]\nfn t() {}", vec![3]),
            ("@ignore = \"slow\"]\nfn t() {}", vec![1]),
            ("@cfg_attr(windows, ignore)]\nfn t() {}", vec![1]),
            ("mod m {\n@should_panic(expected = \"x\")]\nfn t() {} }", vec![2]),
            ("proptest! {\n@should_panic]\nfn t(x in 0..9) {} }", vec![2]),
        ];
        for (text, expected) in rows {
            assert_eq!(lines(text), expected, "{text}");
        }
    }

    #[test]
    fn the_words_alone_are_no_attribute() {
        for text in [
            "@test]\nfn ignore() { should_panic() }",
            "// @ignore]",
            "const TEXT: &str = \"@ignore]\";",
            "@case(ignore)]\nfn t() {}",
        ] {
            assert!(lines(text).is_empty(), "{text}");
        }
    }
}
