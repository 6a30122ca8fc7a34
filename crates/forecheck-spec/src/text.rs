//! Texts as they are published.

/// `text` with each run of blanks (Unicode `White_Space`) as one space, and none at its ends.
pub fn collapsed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
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
        if is_hidden(letter) {
            shown.extend(letter.escape_unicode());
        } else {
            shown.push(letter);
        }
    }
    shown.push('`');
    shown
}

/// Whether a character is a control, or reorders or hides what stands around it.
pub fn is_hidden(letter: char) -> bool {
    letter.is_control()
        || matches!(letter,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_collapse() {
        assert_eq!(collapsed(" a\u{a0}\n b\tc "), "a b c");
        assert_eq!(collapsed(" \n"), "");
    }

    #[test]
    fn hidden_characters_are_shown() {
        assert_eq!(quoted("a\u{202e}b\n"), "`a\\u{202e}b\\u{a}`");
        assert_eq!(quoted(&"x".repeat(200)).chars().count(), 83);
    }
}
