//! `CLAIMS.md`: each promise names the file that makes it, and the test that shows it or the limit that
//! bounds it.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use super::source::SourceFile;
use super::{Finding, Hit, Weight};
use crate::request::Request;

const CLAIMS: &str = "CLAIMS.md";
const HEADER: &str = "| claim | where it is said | shown by, or limit |";

/// What opens the text that bounds a promise.
/// The folder of programs that a test sees to it do not compile.
const MUST_NOT_COMPILE: &str = "/must_not_compile/";

const LIMIT: &str = "limit:";

/// A macro of snapshot tests, whose first argument is the name of the test.
const SNAPSHOT: &str = "snapshot";

pub(super) fn check(files: &[SourceFile]) -> Vec<Finding> {
    let Some(claims) = find(files, CLAIMS) else {
        return vec![finding(
            1,
            "there is no such file: list each promise with its test or limit".to_owned(),
        )];
    };
    let mut findings = Vec::new();
    let mut rows = 0;
    for (line, cells) in claims.lines().filter_map(|(number, line)| Some((number, cells(line)?))) {
        rows += 1;
        findings.extend(problems(&cells, files).into_iter().map(|remedy| finding(line, remedy)));
    }
    if rows == 0 {
        findings.push(finding(1, format!("no row stands below `{HEADER}`: list each promise")));
    }
    findings
}

/// The cells of a row of a table; nothing for other lines, for the header and for the line below it.
fn cells(line: &str) -> Option<Vec<&str>> {
    let inside = line.trim().strip_prefix('|')?;
    let is_rule = inside.chars().all(|character| "-:| ".contains(character));
    let row = inside.strip_suffix('|').unwrap_or(inside);
    (line != HEADER && !is_rule).then(|| row.split('|').map(str::trim).collect())
}

fn problems(cells: &[&str], files: &[SourceFile]) -> Vec<String> {
    let [claim, place, shown] = *cells else {
        return vec![format!("{} cells: a row has three, `{HEADER}`", cells.len())];
    };
    if [claim, place, shown].contains(&"") {
        return vec!["an empty cell: say what is claimed, where, and what shows or bounds it".to_owned()];
    }
    let mut problems = place_problems(place, files);
    problems.extend(evidence_problems(shown, files));
    problems
}

fn place_problems(place: &str, files: &[SourceFile]) -> Vec<String> {
    if code_spans(place).next().is_none() {
        return vec![
            "no file in the second cell: name the text that makes the claim, in backticks".to_owned(),
        ];
    }
    code_spans(place).filter(|path| find(files, path).is_none()).map(no_file).collect()
}

fn evidence_problems(shown: &str, files: &[SourceFile]) -> Vec<String> {
    let (references, limit) = match shown.split_once(LIMIT) {
        Some((references, limit)) => (references, Some(limit.trim())),
        None => (shown, None),
    };
    let mut problems: Vec<String> =
        code_spans(references).filter_map(|reference| reference_problem(reference, files)).collect();
    if limit.is_none() && code_spans(references).next().is_none() {
        problems.push(format!(
            "nothing shows it: name `FILE::TEST`, a file, a bench or a soak in backticks, or write `{LIMIT} ...`"
        ));
    }
    if limit == Some("") {
        problems.push(format!("`{LIMIT}` without a text: say what is not promised"));
    }
    problems
}

fn reference_problem(reference: &str, files: &[SourceFile]) -> Option<String> {
    if let Some(command) = reference.strip_prefix("cargo xtask ") {
        let words: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
        let shows = matches!(Request::parse(&words), Ok(Request::Bench { .. } | Request::Soak { .. }));
        return (!shows).then(|| format!("`{reference}` is no bench and no soak: see `cargo xtask help`"));
    }
    let Some((path, test)) = reference.split_once("::") else {
        if find(files, reference).is_none() {
            return Some(no_file(reference));
        }
        let shows = reference.contains(MUST_NOT_COMPILE);
        return (!shows).then(|| format!("`{reference}` shows nothing by itself: name a test in it"));
    };
    let Some(file) = find(files, path) else { return Some(no_file(path)) };
    (!tests(file).contains(test)).then(|| format!("`{path}` has no test `{test}`: name one that it has"))
}

fn code_spans(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

fn find<'f>(files: &'f [SourceFile], path: &str) -> Option<&'f SourceFile> {
    files.iter().find(|file| file.path() == path)
}

fn no_file(path: &str) -> String {
    format!("there is no file `{path}`: write its path from the root of the repository")
}

/// The names of the tests of a file; none for a file that is not Rust.
fn tests(file: &SourceFile) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    if file.syntax().is_some() {
        collect(file.text().parse().unwrap_or_default(), &mut names);
    }
    names
}

/// Reads tokens, not items, so that tests inside a macro such as `proptest!` are seen too.
fn collect(tokens: TokenStream, names: &mut BTreeSet<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut is_test = false;
    for (index, token) in tokens.iter().enumerate() {
        let before = |steps: usize| index.checked_sub(steps).and_then(|index| tokens.get(index));
        match token {
            TokenTree::Group(group) if is_punct(before(1), '#') => is_test |= is_test_attribute(group),
            TokenTree::Group(group) => {
                if is_punct(before(1), '!') && is_word(before(2), SNAPSHOT) {
                    names.extend(first_word(group));
                }
                is_test &= group.delimiter() != Delimiter::Brace;
                collect(group.stream(), names);
            }
            TokenTree::Ident(name) if is_test && is_word(before(1), "fn") => {
                names.insert(name.to_string());
                is_test = false;
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

fn is_test_attribute(attribute: &Group) -> bool {
    attribute.delimiter() == Delimiter::Bracket && attribute.stream().to_string() == "test"
}

fn is_punct(token: Option<&TokenTree>, expected: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == expected)
}

fn is_word(token: Option<&TokenTree>, expected: &str) -> bool {
    matches!(token, Some(TokenTree::Ident(word)) if word == expected)
}

fn first_word(arguments: &Group) -> Option<String> {
    match arguments.stream().into_iter().next() {
        Some(TokenTree::Ident(name)) => Some(name.to_string()),
        _ => None,
    }
}

fn finding(line: usize, remedy: String) -> Finding {
    Finding { path: CLAIMS.to_owned(), rule: "claims", weight: Weight::Forbids, hit: Hit { line, remedy } }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUST: &str = "
        fn helper() {}
        #[test]
        /// Why.
        #[expect(unused, reason = \"a test\")]
        fn plain() { fn inner() {} }
        macro_rules! snapshot { ($name:ident) => { #[test] fn $name() {} }; }
        snapshot!(shot, 1);
        proptest! { #[test] fn property(a in 0..9) {} }
        mod tests { #[test] fn nested() {} }
        #[test] fn last() {}
        fn after() {}
    ";

    fn file(path: &str, text: &str) -> SourceFile {
        SourceFile::new(path, text.to_owned()).unwrap()
    }

    /// What the rule says of a list with one row, which stands on line 3.
    fn findings(row: &str) -> Vec<String> {
        let claims = format!("{HEADER}\n|---|---|---|\n{row}\n");
        let files = [
            file(CLAIMS, &claims),
            file("README.md", ""),
            file("tests/a.rs", RUST),
            file("tests/must_not_compile/a.rs", ""),
        ];
        check(&files).iter().map(Finding::to_string).collect()
    }

    #[test]
    fn a_row_names_tests_files_benches_or_a_limit() {
        for shown in [
            "`tests/a.rs::plain`",
            "`tests/a.rs::nested`, `tests/a.rs::property`",
            "`tests/a.rs::shot`",
            "`tests/a.rs::last`",
            "`tests/must_not_compile/a.rs`",
            "`cargo xtask bench key`",
            "`cargo xtask soak agent`",
            "limit: it is forgotten with the `process`",
            "`tests/a.rs::plain`; limit: on Unix",
        ] {
            let row = format!("| It holds | `README.md`, What it does | {shown} |");
            assert_eq!(findings(&row), [""; 0], "{shown}");
        }
    }

    #[test]
    fn a_broken_row_says_what_is_missing() {
        let rows = [
            ("| a | `README.md` |", "2 cells: "),
            ("| a | `README.md` | limit: b | c |", "4 cells: "),
            ("| | `README.md` | limit: b |", "an empty cell: "),
            ("| a | `README.md` | |", "an empty cell: "),
            ("| a | README.md | limit: b |", "no file in the second cell: "),
            ("| a | `READ.md` | limit: b |", "there is no file `READ.md`: "),
            ("| a | `README.md` | a test |", "nothing shows it: "),
            ("| a | `README.md` | limit: |", "`limit:` without a text: "),
            ("| a | `README.md` | `tests/b.rs` |", "there is no file `tests/b.rs`: "),
            ("| a | `README.md` | `tests/a.rs` |", "`tests/a.rs` shows nothing by itself: "),
            ("| a | `README.md` | `tests/b.rs::plain` |", "there is no file `tests/b.rs`: "),
            ("| a | `README.md` | `tests/a.rs::none` |", "`tests/a.rs` has no test `none`: "),
            ("| a | `README.md` | `tests/a.rs::helper` |", "`tests/a.rs` has no test `helper`: "),
            ("| a | `README.md` | `tests/a.rs::inner` |", "`tests/a.rs` has no test `inner`: "),
            ("| a | `README.md` | `tests/a.rs::after` |", "`tests/a.rs` has no test `after`: "),
            ("| a | `README.md` | `README.md::plain` |", "`README.md` has no test `plain`: "),
            (
                "| a | `README.md` | `cargo xtask bench none` |",
                "`cargo xtask bench none` is no bench and no soak: ",
            ),
            ("| a | `README.md` | `cargo xtask tidy` |", "`cargo xtask tidy` is no bench and no soak: "),
            ("| a | `README.md` | `tests/b.rs`; limit: b |", "there is no file `tests/b.rs`: "),
        ];
        for (row, expected) in rows {
            let found = findings(row);
            assert_eq!(found.len(), 1, "{row}: {found:?}");
            assert!(found[0].starts_with(&format!("CLAIMS.md:3: claims: {expected}")), "{row}: {found:?}");
        }
    }

    #[test]
    fn there_is_a_list_and_it_has_rows() {
        assert_eq!(check(&[]).len(), 1);
        assert_eq!(findings("").len(), 1);
    }
}
