//! Words that no file may hold: places of one machine, hosts of package registries, promises for later.
//!
//! Every needle is put together from pieces, so that this file does not hold it.

use super::Hit;
use super::source::SourceFile;

struct Needle {
    text: &'static str,
    stands: Stands,
    remedy: &'static str,
}

/// What may stand beside the needle for it to count.
#[derive(Clone, Copy)]
enum Stands {
    Anywhere,
    /// Not after something that makes it the rest of a longer path.
    AtStartOfPath,
    /// As a word of its own.
    Alone,
}

const RELATIVE: &str = "write the path relative to the repository, or make a temporary folder";
const NO_HOST: &str = "name the package, not the host that serves it";
const NO_PROMISE: &str = "do it now, or open an issue and leave the note out";

const NEEDLES: &[Needle] = &[
    Needle { text: concat!("/wo", "rk/"), stands: Stands::AtStartOfPath, remedy: RELATIVE },
    Needle { text: concat!("/ro", "ot/"), stands: Stands::AtStartOfPath, remedy: RELATIVE },
    Needle { text: concat!("crates", ".io"), stands: Stands::Anywhere, remedy: NO_HOST },
    Needle { text: concat!("pypi", ".org"), stands: Stands::Anywhere, remedy: NO_HOST },
    Needle { text: concat!("python", "hosted.org"), stands: Stands::Anywhere, remedy: NO_HOST },
    Needle { text: concat!("npm", "js.org"), stands: Stands::Anywhere, remedy: NO_HOST },
    Needle { text: concat!("npm", "js.com"), stands: Stands::Anywhere, remedy: NO_HOST },
    Needle { text: concat!("deb.", "debian.org"), stands: Stands::Anywhere, remedy: NO_HOST },
    Needle { text: concat!("TO", "DO"), stands: Stands::Alone, remedy: NO_PROMISE },
    Needle { text: concat!("FIX", "ME"), stands: Stands::Alone, remedy: NO_PROMISE },
];

/// Cargo writes the registry into its lock file.
const EXEMPT: &str = "Cargo.lock";

pub(super) fn check(file: &SourceFile) -> Vec<Hit> {
    if file.name() == EXEMPT {
        return Vec::new();
    }
    file.lines()
        .flat_map(|(number, line)| {
            NEEDLES.iter().filter(|needle| needle.is_in(line)).map(move |needle| Hit {
                line: number,
                remedy: format!("`{}`: {}", needle.text, needle.remedy),
            })
        })
        .collect()
}

impl Needle {
    fn is_in(&self, line: &str) -> bool {
        line.match_indices(self.text).any(|(start, found)| {
            let before = line.get(..start).and_then(|text| text.chars().next_back());
            let after = line.get(start + found.len()..).and_then(|text| text.chars().next());
            match self.stands {
                Stands::Anywhere => true,
                Stands::AtStartOfPath => !before.is_some_and(continues_path),
                Stands::Alone => !before.is_some_and(continues_word) && !after.is_some_and(continues_word),
            }
        })
    }
}

fn continues_path(character: char) -> bool {
    character.is_alphanumeric() || "._-~$})".contains(character)
}

fn continues_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of the hits; `@` is taken out first, so that this file holds none of the words.
    fn lines(path: &str, text: &str) -> Vec<usize> {
        let file = SourceFile::new(path, text.replace('@', "")).unwrap();
        check(&file).iter().map(|hit| hit.line).collect()
    }

    #[test]
    fn every_needle_is_found() {
        for needle in NEEDLES {
            let text = format!("one\nsee {} two", needle.text);
            assert_eq!(lines("a.md", &text), [2], "{}", needle.text);
        }
    }

    #[test]
    fn a_path_counts_from_its_start_only() {
        let rows = [
            ("\"/wo@rk/main\"", 1),
            ("file:///ro@ot/.cache", 1),
            ("target/wo@rk/x", 0),
            ("$HOME/wo@rk/x", 0),
            ("../ro@ot/x", 0),
            ("/wo@rkshop/", 0),
        ];
        for (text, expected) in rows {
            assert_eq!(lines("a.md", text).len(), expected, "{text}");
        }
    }

    #[test]
    fn a_promise_counts_as_a_word_of_its_own() {
        assert_eq!(lines("a.rs", "// TO@DO: later"), [1]);
        assert!(lines("a.rs", "const TO@DO_LIST: u8 = 1;").is_empty());
    }

    #[test]
    fn the_lock_file_of_cargo_may_name_its_registry() {
        let text = "source = \"crates@.io\"";
        assert!(lines("Cargo.lock", text).is_empty());
        assert_eq!(lines("Cargo.toml", text), [1]);
    }
}
