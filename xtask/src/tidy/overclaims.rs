//! Phrases that promise more than any test can show, in what users read.
//!
//! A phrase counts in any case, across line ends, and with a hyphen for a blank.

use super::Hit;
use super::source::SourceFile;

/// Word by word, so that this file does not hold them.
const PHRASES: &[&[&str]] = &[&["never", "harmful"], &["cannot", "lie"], &["exactly", "once"]];

const WHOLE_FILES: &[&str] = &["README.md", "SECURITY.md", "CLAIMS.md"];

pub(super) fn check(file: &SourceFile) -> Vec<Hit> {
    let words: Vec<(usize, String)> = said(file)
        .into_iter()
        .flat_map(|(number, line)| words_of(line).map(move |word| (number, word)))
        .collect();
    PHRASES.iter().flat_map(|phrase| hits(phrase, &words)).collect()
}

fn hits(phrase: &[&str], words: &[(usize, String)]) -> Vec<Hit> {
    let found = words.windows(phrase.len()).filter(|window| window.iter().map(|(_, word)| word).eq(phrase));
    let lines = found.filter_map(|window| window.first()).map(|(line, _)| *line);
    let remedy = || format!("`{}`: say what a test shows, and name it in CLAIMS.md", phrase.join(" "));
    lines.map(|line| Hit { line, remedy: remedy() }).collect()
}

fn words_of(line: &str) -> impl Iterator<Item = String> {
    let words = line.split(|character: char| !character.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_lowercase)
}

/// The lines of a file that users read.
fn said(file: &SourceFile) -> Vec<(usize, &str)> {
    let path = file.path();
    let in_crates = path.starts_with("crates/");
    let is_whole = WHOLE_FILES.contains(&path)
        || path.starts_with("docs/")
        || in_crates && path.split('/').any(|folder| folder == "templates");
    if is_whole {
        file.lines().collect()
    } else if in_crates && file.syntax().is_some() {
        file.lines().filter_map(|(number, line)| Some((number, doc_comment(line)?))).collect()
    } else {
        Vec::new()
    }
}

fn doc_comment(line: &str) -> Option<&str> {
    let line = line.trim_start();
    line.strip_prefix("///").or_else(|| line.strip_prefix("//!"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(path: &str, text: &str) -> Vec<usize> {
        let file = SourceFile::new(path, text.to_owned()).unwrap();
        check(&file).iter().map(|hit| hit.line).collect()
    }

    #[test]
    fn every_phrase_is_found_in_what_users_read() {
        let paths = ["README.md", "SECURITY.md", "CLAIMS.md", "docs/a/b.md", "crates/x/templates/code.md"];
        for phrase in PHRASES {
            let text = format!("One.\nIt acts {}.\n", phrase.join(" "));
            for path in paths {
                assert_eq!(lines(path, &text), [2], "{path} {phrase:?}");
            }
            let comment = format!("//! One.\n/// It acts {}.\nfn f() {{}}\n", phrase.join(" "));
            assert_eq!(lines("crates/x/src/a.rs", &comment), [2], "{phrase:?}");
        }
    }

    #[test]
    fn case_hyphens_and_line_ends_hide_nothing() {
        assert_eq!(lines("README.md", "Exactly-once\n"), [1]);
        assert_eq!(lines("README.md", "it acts **exactly\nonce**"), [1]);
        assert_eq!(lines("crates/x/src/a.rs", "/// it cannot\n/// lie\nfn f() {}"), [1]);
    }

    #[test]
    fn other_words_code_and_other_texts_are_free() {
        assert_eq!(lines("README.md", "exactly one; once exactly"), [0; 0]);
        assert_eq!(lines("crates/x/src/a.rs", "// exactly once\nfn exactly_once() {}"), [0; 0]);
        assert_eq!(lines("xtask/src/a.rs", "//! exactly once"), [0; 0]);
        assert_eq!(lines("ARCHITECTURE.md", "exactly once"), [0; 0]);
    }
}
