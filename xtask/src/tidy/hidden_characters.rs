//! What a reviewer sees is what the compiler reads: no character that reorders the text around it.

use super::Hit;
use super::source::SourceFile;

pub(super) fn check(file: &SourceFile) -> Vec<Hit> {
    if file.syntax().is_none() {
        return Vec::new();
    }
    file.lines()
        .flat_map(|(line, text)| {
            text.chars().filter(|character| reorders(*character)).map(move |character| Hit {
                line,
                remedy: format!("write U+{:04X} as an escape", u32::from(character)),
            })
        })
        .collect()
}

/// The explicit formatting characters of Unicode's bidirectional algorithm (UAX 9, section 2).
fn reorders(character: char) -> bool {
    matches!(
        character,
        '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hits(path: &str, text: &str) -> Vec<Hit> {
        check(&SourceFile::new(path, text.to_owned()).unwrap())
    }

    #[test]
    fn hidden_characters_are_named() {
        let expected = [Hit { line: 2, remedy: "write U+202E as an escape".to_owned() }];
        assert_eq!(hits("a.rs", "\n// a\u{202E}b\n"), expected);
    }

    #[test]
    fn escapes_other_scripts_and_other_files_are_fine() {
        assert_eq!(hits("a.rs", "// é 中 שלום \\u{202E}\n"), []);
        assert_eq!(hits("a.json", "\"\u{202E}\""), []);
    }
}
