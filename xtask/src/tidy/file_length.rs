//! A file without its tests is questioned above 500 lines and refused above 600.

use syn::spanned::Spanned;

use super::Hit;
use super::exception::{Exception, Measured, judge};
use super::source::SourceFile;

const QUESTIONED_ABOVE: usize = 500;
const REFUSED_ABOVE: usize = 600;

const EXCEPTIONS: &[Exception] = &[];

pub(super) fn check(file: &SourceFile) -> Vec<Hit> {
    let Some(length) = length_without_tests(file) else {
        return Vec::new();
    };
    let measured = Measured { path: file.path(), item: "", line: 1, length };
    let remedy = "split it along a responsibility, or list it with a reason";
    judge(&measured, REFUSED_ABOVE, EXCEPTIONS, remedy).into_iter().collect()
}

pub(super) fn question(file: &SourceFile) -> Vec<Hit> {
    length_without_tests(file)
        .filter(|length| (QUESTIONED_ABOVE + 1..=REFUSED_ABOVE).contains(length))
        .map(|length| Hit {
            line: 1,
            remedy: format!("{length} lines: is there a second responsibility in it?"),
        })
        .into_iter()
        .collect()
}

/// `None` for what is not Rust. A file called `tests.rs` is a test module that stands alone.
fn length_without_tests(file: &SourceFile) -> Option<usize> {
    let syntax = file.syntax()?;
    if file.name() == "tests.rs" {
        return Some(0);
    }
    let of_tests: usize = syntax.items.iter().filter(|item| is_test(item)).map(lines_of).sum();
    Some(file.lines().count().saturating_sub(of_tests))
}

fn lines_of(item: &syn::Item) -> usize {
    let span = item.span();
    span.end().line + 1 - span.start().line
}

fn is_test(item: &syn::Item) -> bool {
    let attributes = match item {
        syn::Item::Mod(item) => &item.attrs,
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::Impl(item) => &item.attrs,
        _ => return false,
    };
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Ident>().is_ok_and(|condition| condition == "test")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of `code` lines, and a test module of `tests` lines.
    fn file(code: usize, tests: usize) -> SourceFile {
        let code = "//\n".repeat(code);
        let blank = "\n".repeat(tests - 3);
        let text = format!("{code}#[cfg(test)]\nmod tests {{\n{blank}}}\n");
        SourceFile::new("a.rs", text).unwrap()
    }

    #[test]
    fn tests_do_not_count() {
        assert_eq!(length_without_tests(&file(10, 900)), Some(10));
        let other = SourceFile::new("a/tests.rs", "//\n".repeat(900)).unwrap();
        assert_eq!(length_without_tests(&other), Some(0));
    }

    #[test]
    fn a_long_file_is_questioned_and_a_longer_one_refused() {
        let rows = [(500, 0, 0), (501, 1, 0), (600, 1, 0), (601, 0, 1)];
        for (code, questions, refusals) in rows {
            let file = file(code, 3);
            assert_eq!(question(&file).len(), questions, "{code}");
            assert_eq!(check(&file).len(), refusals, "{code}");
        }
    }

    #[test]
    fn text_that_is_not_rust_may_be_long() {
        let file = SourceFile::new("a.md", "\n".repeat(900)).unwrap();
        assert_eq!(check(&file), []);
    }
}
