//! Names as identifiers.

/// `name`, a verb or a code, as a type: `open_pr` and `OPEN_PR` become `OpenPr`.
pub fn type_identifier(name: &str) -> String {
    let mut identifier = String::with_capacity(name.len());
    for word in name.split('_') {
        let mut letters = word.chars();
        let first = letters.next().map(|first| first.to_ascii_uppercase());
        let is_digit = |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_digit());
        if is_digit(first) && is_digit(identifier.chars().next_back()) {
            identifier.push('_');
        }
        identifier.extend(first);
        identifier.extend(letters.map(|letter| letter.to_ascii_lowercase()));
    }
    identifier
}

/// Whether a file of that name (without its ending) cannot exist on Windows.
pub fn is_windows_device(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let numbered = |prefix: &str| {
        name.strip_prefix(prefix)
            .is_some_and(|rest| rest.len() == 1 && rest.bytes().all(|b| b.is_ascii_digit()))
    };
    matches!(name.as_str(), "con" | "prn" | "aux" | "nul") || numbered("com") || numbered("lpt")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_and_codes_become_types() {
        let check = |name, expected| assert_eq!(type_identifier(name), expected);
        check("open_pr", "OpenPr");
        check("NO_PRIVILEGED_PATHS", "NoPrivilegedPaths");
        check("a_1", "A1");
        check("a1", "A1");
        check("A__B", "AB");
        check("V1_2", "V1_2");
        check("V12", "V12");
    }

    #[test]
    fn device_names_are_known() {
        assert!(["con", "NUL", "com1", "LPT9"].into_iter().all(is_windows_device));
        assert!(!["cons", "com", "com10", "lptx"].into_iter().any(is_windows_device));
    }
}
