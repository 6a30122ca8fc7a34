//! JSON Pointers (RFC 6901).

use std::borrow::Cow;

/// The unescaped tokens of `pointer`; `None` when it is not a pointer: neither empty nor starting
/// with `/`, or with a `~` that is not `~0` or `~1`.
pub fn tokens(pointer: &str) -> Option<Vec<Cow<'_, str>>> {
    if pointer.is_empty() {
        return Some(Vec::new());
    }
    pointer.strip_prefix('/')?.split('/').map(unescape).collect()
}

fn unescape(token: &str) -> Option<Cow<'_, str>> {
    if !token.contains('~') {
        return Some(Cow::Borrowed(token));
    }
    let mut parts = token.split('~');
    let mut text = parts.next()?.to_owned();
    for part in parts {
        let (escape, rest) = part.split_at_checked(1)?;
        text.push(match escape {
            "0" => '~',
            "1" => '/',
            _ => return None,
        });
        text.push_str(rest);
    }
    Some(Cow::Owned(text))
}

/// `pointer` with `token` added at its end.
pub fn join(pointer: &str, token: &str) -> String {
    format!("{pointer}/{}", escape(token))
}

/// `token` as it stands inside a pointer.
pub fn escape(token: &str) -> Cow<'_, str> {
    if token.contains(['~', '/']) {
        Cow::Owned(token.replace('~', "~0").replace('/', "~1"))
    } else {
        Cow::Borrowed(token)
    }
}

/// The array index that a token names: decimal digits without a leading zero.
pub fn index(token: &str) -> Option<usize> {
    let canonical = token == "0" || !token.starts_with(['0', '+']);
    if canonical { token.parse().ok() } else { None }
}

/// Whether `pointer` names the value at `ancestor` or one inside it.
pub fn is_within(pointer: &str, ancestor: &str) -> bool {
    pointer.strip_prefix(ancestor).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_follow_rfc_6901() {
        let check = |pointer: &str, expected: Option<&[&str]>| {
            let found = tokens(pointer);
            assert_eq!(
                found.as_deref(),
                expected.map(|all| all.iter().map(|t| Cow::from(*t)).collect::<Vec<_>>()).as_deref()
            );
        };
        check("", Some(&[]));
        check("/", Some(&[""]));
        check("/a~1b/m~0n/~01", Some(&["a/b", "m~n", "~1"]));
        check("a", None);
        check("/~2", None);
        check("/~", None);
    }

    #[test]
    fn join_escapes_and_tokens_unescape() {
        let pointer = join(&join("", "a/b"), "~1");
        assert_eq!(pointer, "/a~1b/~01");
        assert_eq!(tokens(&pointer), Some(vec![Cow::from("a/b"), Cow::from("~1")]));
    }

    #[test]
    fn within_counts_whole_tokens() {
        assert!(is_within("/paths/3", "/paths"));
        assert!(is_within("/paths", "/paths"));
        assert!(is_within("/paths", ""));
        assert!(!is_within("/pathsX", "/paths"));
    }

    #[test]
    fn indices_have_one_spelling() {
        assert_eq!((index("0"), index("17")), (Some(0), Some(17)));
        assert_eq!((index("01"), index("+1"), index("-"), index("")), (None, None, None, None));
    }
}
