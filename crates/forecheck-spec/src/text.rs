//! Texts as they are published.

use std::borrow::Cow;

/// `text` with each run of blanks (Unicode `White_Space`) as one space, and none at its ends.
pub fn collapsed(text: &str) -> Cow<'_, str> {
    if is_collapsed(text) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Whether a text surely has no blank but single spaces inside.
fn is_collapsed(text: &str) -> bool {
    let bytes = text.as_bytes();
    let has_ends = bytes.first() != Some(&b' ') && bytes.last() != Some(&b' ');
    let is_plain = |byte: &u8| byte.is_ascii() && !byte.is_ascii_control();
    has_ends && bytes.iter().all(is_plain) && !bytes.windows(2).any(|pair| pair == b"  ")
}

/// A name from a spec as it may stand in a message: control and format characters escaped, cut
/// after 80 characters.
pub fn quoted(name: &str) -> String {
    let mut shown = String::from("`");
    for (index, letter) in name.chars().enumerate() {
        if index == 80 {
            shown.push('…');
            break;
        }
        push_visible(&mut shown, letter);
    }
    shown.push('`');
    shown
}

/// Text from a spec as it may stand on a terminal or a page: control and format characters escaped.
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    text.chars().for_each(|letter| push_visible(&mut shown, letter));
    shown
}

/// Adds a letter, escaped where it is hidden.
pub fn push_visible(text: &mut String, letter: char) {
    if is_hidden(letter) {
        text.extend(letter.escape_unicode());
    } else {
        text.push(letter);
    }
}

/// The known words that `given` most likely stands for, best first, at most three.
pub fn nearest<'k>(given: &str, known: impl Iterator<Item = &'k str>) -> Vec<&'k str> {
    if given.len() > 128 {
        return Vec::new();
    }
    let distance = |word: &'k str| (strsim::damerau_levenshtein(given, word), word);
    let mut near: Vec<(usize, &str)> =
        known.map(distance).filter(|(distance, word)| *distance <= 1 + word.chars().count() / 4).collect();
    near.sort_unstable();
    near.into_iter().take(3).map(|(_, word)| word).collect()
}

/// Whether a character is a control, or reorders or hides what stands around it.
pub fn is_hidden(letter: char) -> bool {
    letter.is_control()
        || matches!(letter,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0e}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_collapse() {
        assert_eq!(collapsed(" a\u{a0}\n b\tc "), "a b c");
        for (text, expected) in [
            (" \n", ""),
            ("", ""),
            ("a b", "a b"),
            ("a  b", "a b"),
            (" a", "a"),
            ("a ", "a"),
            ("a\u{b}b", "a b"),
            ("a\u{2003}b", "a b"),
            ("ä b", "ä b"),
        ] {
            assert_eq!(collapsed(text), expected, "{text:?}");
        }
    }

    #[test]
    fn hidden_characters_are_shown() {
        assert_eq!(quoted("a\u{202e}b\n"), "`a\\u{202e}b\\u{a}`");
        assert_eq!(quoted(&"x".repeat(200)).chars().count(), 83);
    }
}
