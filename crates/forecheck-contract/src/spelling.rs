//! The one spelling of a target: an ordered list of named steps.
//!
//! Two spellings of one repository must not make two keys, and two repositories must never make
//! one. So each step folds only what is named here, and a surface chooses its steps.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// A step from the spelling that a caller sent towards the one that is checked, hashed and executed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum SpellingStep {
    /// Blanks (Unicode `White_Space`) at both ends go.
    Trim,
    /// ASCII letters become lower case. Only for hosts that do not tell them apart.
    LowerCase,
    /// `https://HOST/x`, `http://HOST/x`, `ssh://HOST/x`, `git://HOST/x`, each also with
    /// `user@` or `user:password@` in front of HOST, and `user@HOST:x` become `x`. Scheme and HOST
    /// are compared without regard to ASCII case; users and passwords hold what RFC 3986, section
    /// 3.2.1, allows. What names another host stays as it is.
    StripUrl(String),
    /// All `/` at the end go.
    StripSlash,
    /// One `.git` at the end goes.
    StripGit,
}

impl SpellingStep {
    /// Applies the step.
    pub fn apply<'a>(&self, text: &'a str) -> Cow<'a, str> {
        match self {
            SpellingStep::Trim => Cow::Borrowed(text.trim()),
            SpellingStep::LowerCase if text.bytes().any(|byte| byte.is_ascii_uppercase()) => {
                Cow::Owned(text.to_ascii_lowercase())
            }
            SpellingStep::LowerCase => Cow::Borrowed(text),
            SpellingStep::StripUrl(host) => Cow::Borrowed(strip_url(text, host).unwrap_or(text)),
            SpellingStep::StripSlash => Cow::Borrowed(text.trim_end_matches('/')),
            SpellingStep::StripGit => Cow::Borrowed(text.strip_suffix(".git").unwrap_or(text)),
        }
    }
}

/// Applies `steps` in order, once.
pub fn spell(steps: &[SpellingStep], text: &str) -> String {
    steps.iter().fold(text.to_owned(), |text, step| step.apply(&text).into_owned())
}

/// Whether no step changes `text`. That holds of nearly all that [`spell`] returns; but of
/// `x.git.git` nobody can say whether `x.git` or `x` was meant.
pub fn is_spelled(steps: &[SpellingStep], text: &str) -> bool {
    steps.iter().all(|step| step.apply(text) == text)
}

fn strip_url<'a>(text: &'a str, host: &str) -> Option<&'a str> {
    let (authority, path) = match text.split_once("://") {
        Some((scheme, rest)) => {
            let known = ["https", "http", "ssh", "git"].iter().any(|s| s.eq_ignore_ascii_case(scheme));
            known.then(|| rest.split_once('/'))??
        }
        None => text.split_once(':').filter(|(authority, _)| authority.contains('@'))?,
    };
    let (user, named) = authority.split_once('@').unwrap_or(("", authority));
    let is_host = user.bytes().all(is_of_user) && named.eq_ignore_ascii_case(host);
    is_host.then_some(path)
}

/// Whether `byte` may stand in `userinfo` (RFC 3986). Others end the authority early, so that
/// `https://evil.example#@HOST/x` names `evil.example`.
fn is_of_user(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~%!$&'()*+,;=:".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_step_folds_what_it_names_and_nothing_else() {
        let check = |step: SpellingStep, text: &str, expected: &str| {
            assert_eq!(step.apply(text), expected, "{step:?}");
        };
        check(SpellingStep::Trim, " octo/hello\n", "octo/hello");
        check(SpellingStep::LowerCase, "Octo/\u{c9}", "octo/\u{c9}");
        check(SpellingStep::StripSlash, "octo/hello//", "octo/hello");
        check(SpellingStep::StripGit, "octo/hello.git", "octo/hello");
        check(SpellingStep::StripGit, "octo/hello.git.git", "octo/hello.git");
        let url = || SpellingStep::StripUrl("github.com".to_owned());
        for sent in [
            "https://github.com/octo/hello",
            "http://github.com/octo/hello",
            "HTTPS://GitHub.com/octo/hello",
            "https://user:secret@github.com/octo/hello",
            "ssh://git@github.com/octo/hello",
            "git@github.com:octo/hello",
        ] {
            check(url(), sent, "octo/hello");
        }
        for other in [
            "octo/hello",
            "https://gitlab.com/octo/hello",
            "https://github.com.evil.example/octo/hello",
            "https://evil.example/@github.com/octo/hello",
            "https://evil.example#@github.com/octo/hello",
            "https://evil.example?@github.com/octo/hello",
            "https://evil.example\\@github.com/octo/hello",
            "https://evil.example@other@github.com/octo/hello",
            "https://github.com@evil.example/octo/hello",
            "https://github.com:443/octo/hello",
            "https://github.com",
            "evil.example/x@github.com:octo/hello",
            "ftp://github.com/octo/hello",
            "github.com:octo/hello",
            "git@gitlab.com:octo/hello",
        ] {
            check(url(), other, other);
        }
    }

    #[test]
    fn the_steps_of_a_surface_meet_in_one_spelling() {
        let steps = [
            SpellingStep::Trim,
            SpellingStep::StripUrl("github.com".to_owned()),
            SpellingStep::StripSlash,
            SpellingStep::StripGit,
            SpellingStep::LowerCase,
        ];
        for sent in [
            "Octo/Hello",
            "https://github.com/octo/hello.git/",
            "git@github.com:octo/hello.git",
            " octo/hello ",
        ] {
            assert_eq!(spell(&steps, sent), "octo/hello");
        }
    }
}
