//! The commands, one file each.

pub(crate) mod check;
pub(crate) mod explain;
pub(crate) mod find_drift;
pub(crate) mod generate;
pub(crate) mod init;
pub(crate) mod key;
pub(crate) mod ledger;
pub(crate) mod table;

use std::path::Path;

use crate::answer::Failure;

/// A path as text, for reports.
pub(crate) fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// A path as a word of a shell.
fn word(path: &str) -> String {
    let plain = path.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/._-".contains(&byte));
    if plain && !path.is_empty() { path.to_owned() } else { format!("'{}'", path.replace('\'', r"'\''")) }
}

/// A path as a call holds it.
fn text(path: &Path) -> Result<String, Failure> {
    let text = path.to_str().map(str::to_owned);
    text.ok_or_else(|| format!("the path `{}` is not UTF-8", path.display()).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_words_of_a_shell() {
        assert_eq!(["a/b_c.d-e", "a b", "it's", ""].map(word), ["a/b_c.d-e", "'a b'", r"'it'\''s'", "''"]);
    }
}
