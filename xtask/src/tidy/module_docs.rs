//! Every Rust file opens by saying what it is for.

use super::Hit;
use super::source::SourceFile;

pub(super) fn check(file: &SourceFile) -> Vec<Hit> {
    let is_documented = file.text().trim_start().starts_with("//!");
    if file.syntax().is_none() || is_documented {
        return Vec::new();
    }
    vec![Hit { line: 1, remedy: "open with a `//!` comment that says what the module is for".to_owned() }]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hits(path: &str, text: &str) -> usize {
        check(&SourceFile::new(path, text.to_owned()).unwrap()).len()
    }

    #[test]
    fn rust_opens_with_its_purpose() {
        assert_eq!(hits("a.rs", "//! Keys.\n\nfn f() {}\n"), 0);
        assert_eq!(hits("a.md", "Keys."), 0);
        for text in ["", "fn f() {}\n", "/// Of f.\nfn f() {}\n", "// Keys.\n"] {
            assert_eq!(hits("a.rs", text), 1, "{text}");
        }
    }
}
