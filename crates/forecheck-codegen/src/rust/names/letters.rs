//! Which characters of a name may stand in an identifier.
//!
//! rustc warns about letters that are rarely used and about letters that can be mistaken for those
//! of another script, and neither warning can be switched off inside a module. It also normalises
//! identifiers (NFC), so letters that change then would fold two names into one without our seeing
//! it. Kept are therefore the common letters of common scripts that are stable, and of a script
//! that can be mistaken only when the same name holds one letter that cannot.

/// A script whose letters an identifier may keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Script {
    Latin,
    Greek,
    Cyrillic,
    Hiragana,
    Katakana,
    Han,
    Hangul,
}

/// Letters inside the ranges of [`script`] that have no single other case, or that rustc calls uncommon.
const UNFIT: &str = "×÷ÆßæÞþĔĕĦħĬĭİıĲĳĸĿŀŉŊŋŎŏŒœŖŗŢţſΐΰςϢϣ";

/// Letters that look like letters of another script (Unicode's confusables, as rustc uses them).
const MISTAKABLE: &str = "ΑΒΓΕΖΗΘΙΚΛΜΝΟΠΡΤΥΦΧαβγδεηθικνοπρστυφЅІЈАБВГЕЗКЛМНОПРСТУФХЫЬЮабгекопрстуфхчшєѕіјћЀЍѐѝ\
                          へイエカタトニネノハヒヘムメヨロ一丅丫丿乄二亻八力匕卜厶口囗夕工彐礻丶";

fn script(letter: char) -> Option<Script> {
    match letter {
        '\u{c0}'..='\u{17e}' | '\u{1ea0}'..='\u{1ef9}' => Some(Script::Latin),
        '\u{386}'..='\u{3ce}' => Some(Script::Greek),
        '\u{400}'..='\u{45f}' => Some(Script::Cyrillic),
        '\u{3041}'..='\u{3096}' => Some(Script::Hiragana),
        '\u{30a1}'..='\u{30fa}' => Some(Script::Katakana),
        '\u{4e00}'..='\u{9fa5}' => Some(Script::Han),
        '\u{ac00}'..='\u{d7a3}' => Some(Script::Hangul),
        _ => None,
    }
    .filter(|_| letter.is_alphabetic() && !UNFIT.contains(letter))
}

/// Whether a letter can be mistaken in neither case.
fn is_sure(letter: char) -> bool {
    !MISTAKABLE.contains([upper(letter), lower(letter)])
}

/// The letters beyond ASCII that identifiers made from one name may keep.
#[derive(Debug)]
pub(super) struct Letters {
    scripts: Vec<Script>,
}

impl Letters {
    /// Decides for `name`.
    pub(super) fn of(name: &str) -> Self {
        let mut scripts = Vec::new();
        for letter in name.chars().filter(|letter| !letter.is_ascii() && is_sure(*letter)) {
            if let Some(script) = script(letter)
                && !scripts.contains(&script)
            {
                scripts.push(script);
            }
        }
        Letters { scripts }
    }

    /// Whether `letter` may stand in an identifier.
    pub(super) fn keeps(&self, letter: char) -> bool {
        letter.is_ascii_alphanumeric() || script(letter).is_some_and(|script| self.scripts.contains(&script))
    }
}

/// The other case of a letter where that is one letter, or else the letter itself.
pub(super) fn upper(letter: char) -> char {
    single(letter.to_uppercase()).unwrap_or(letter)
}

/// The lower case of a letter where that is one letter, or else the letter itself.
pub(super) fn lower(letter: char) -> char {
    single(letter.to_lowercase()).unwrap_or(letter)
}

fn single(mut letters: impl Iterator<Item = char>) -> Option<char> {
    let first = letters.next()?;
    letters.next().is_none().then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kept_letters_have_one_spelling() {
        for letter in ('\u{80}'..=char::MAX).filter(|letter| script(*letter).is_some()) {
            assert!(syn::parse_str::<syn::Ident>(&letter.to_string()).is_ok(), "{letter:?}");
            let (up, low) = (upper(letter), lower(letter));
            assert!(lower(up) == letter || upper(low) == letter, "{letter:?}");
            assert!(up != letter || !letter.is_lowercase(), "{letter:?} can start no type name");
        }
    }

    #[test]
    fn a_script_that_can_be_mistaken_needs_a_letter_that_cannot() {
        let check = |name: &str, letter: char, expected: bool| {
            assert_eq!(Letters::of(name).keeps(letter), expected, "{name}: {letter}");
        };
        check("口", '口', false);
        check("入口", '口', true);
        check("со", 'с', false);
        check("имя", 'я', true);
        check("μ", 'μ', false);
        check("naïve", 'ï', true);
        check("ß", 'ß', false);
        check("e\u{301}", '\u{301}', false);
        check("\u{212b}", '\u{212b}', false);
        check("😀", '😀', false);
    }
}
