//! Texts of a surface as doc comments.
//!
//! What a comment shows is what the text says: characters that cannot be seen are spelled out, and
//! of Markdown only code spans and emphasis work. Links, HTML, lists and code blocks would give the
//! author of a text a say in what rustdoc builds, tests and warns about.

use forecheck_contract::canonical;
use forecheck_contract::json::Node;
use forecheck_spec::text::is_hidden;

/// The longest default value that is shown.
const MAX_DEFAULT: usize = 200;

/// The lines of a doc comment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Lines(pub(super) Vec<String>);

impl Lines {
    /// What the first of `schemas` that describes itself says, or else `fallback`.
    pub(super) fn describing(schemas: &[&Node<'_>], fallback: impl FnOnce() -> String) -> Self {
        let mut lines = Lines::default();
        for schema in schemas {
            let texts = ["title", "description"].map(|keyword| schema.get(keyword).and_then(Node::as_str));
            for text in texts.into_iter().flatten() {
                lines.paragraph(prose(text));
            }
            if !lines.0.is_empty() {
                break;
            }
        }
        if lines.0.is_empty() {
            lines.0.push(fallback());
        }
        if schemas.iter().any(|schema| schema.get("deprecated").and_then(Node::as_bool) == Some(true)) {
            lines.paragraph(vec!["Deprecated.".to_owned()]);
        }
        lines
    }

    /// Adds the default that one of `schemas` states.
    pub(super) fn with_default(mut self, schemas: &[&Node<'_>]) -> Self {
        if let Some(default) = schemas.iter().find_map(|schema| schema.get("default")) {
            let text = shortened(canonical::to_string(default));
            self.paragraph(vec![format!("Default: {}", code(&text))]);
        }
        self
    }

    /// Adds a paragraph, unless it is what was said last.
    pub(super) fn paragraph(&mut self, lines: Vec<String>) {
        if lines.is_empty() || self.0 == lines {
            return;
        }
        if !self.0.is_empty() {
            self.0.push(String::new());
        }
        self.0.extend(lines);
    }
}

fn shortened(text: String) -> String {
    match text.char_indices().nth(MAX_DEFAULT) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

/// The text as a code span.
pub(super) fn code(text: &str) -> String {
    if text.trim().is_empty() {
        return format!("`\"{}\"`", visible(text));
    }
    let text = visible(text);
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    let pad = if text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']) { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// The lines of a text; no blank one at an end, no two in a row.
pub(in crate::rust) fn prose(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in text.replace("\r\n", "\n").split('\n') {
        let line = visible(line);
        let line = unmarked(&inline(line.trim()));
        if !line.is_empty() || lines.last().is_some_and(|last| !last.is_empty()) {
            lines.push(line);
        }
    }
    if lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// The text with tabs as blanks, and with what cannot be seen spelled out.
fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\t' => shown.push(' '),
            '\n' => shown.push_str("\\n"),
            _ if is_hidden(letter) => shown.extend(letter.escape_unicode()),
            _ => shown.push(letter),
        }
    }
    shown
}

/// A line with its code spans as they are and everything else as text.
fn inline(line: &str) -> String {
    let ticks = line.matches('`').count();
    if ticks % 2 == 1 || line.contains("``") {
        return plain(line);
    }
    let mut shown = String::with_capacity(line.len());
    for (index, part) in line.split('`').enumerate() {
        if index > 0 {
            shown.push('`');
        }
        if index % 2 == 1 { shown.push_str(part) } else { shown.push_str(&plain(part)) }
    }
    shown
}

/// Text without links, HTML and code spans; addresses become links, as rustdoc asks.
fn plain(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        if let Some((address, after)) = address(rest) {
            shown.extend(["<", address, ">"]);
            rest = after;
            continue;
        }
        let after = rest.get(letter.len_utf8()..).unwrap_or_default();
        let marks = match letter {
            '[' | ']' | '<' | '`' => true,
            '\\' => after.chars().next().is_none_or(|next| next.is_ascii_punctuation()),
            _ => false,
        };
        if marks {
            shown.push('\\');
        }
        shown.push(letter);
        rest = after;
    }
    shown
}

/// The web address at the start of a text, and the text after it.
fn address(text: &str) -> Option<(&str, &str)> {
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"))?;
    let stops = |letter: char| letter.is_whitespace() || matches!(letter, '<' | '>' | '"' | '`' | '\\');
    let end = text.find(stops).unwrap_or(text.len());
    let mut address = text.get(..end)?;
    while let Some(shorter) = address.strip_suffix(|last| ends_sentence(last, address)) {
        address = shorter;
    }
    let has_host = host.starts_with(|first: char| first.is_alphanumeric());
    has_host.then(|| (address, text.get(address.len()..).unwrap_or_default()))
}

/// Whether the last letter of an address belongs to the sentence around it; a closing bracket does
/// when none was opened.
fn ends_sentence(last: char, address: &str) -> bool {
    let closes = |open: char| address.matches(open).count() < address.matches(last).count();
    match last {
        ')' => closes('('),
        ']' => closes('['),
        '}' => closes('{'),
        '.' | ',' | ';' | ':' | '!' | '?' | '\'' | '*' | '_' => true,
        _ => false,
    }
}

/// A line that starts no list, heading, quotation, table or rule.
fn unmarked(line: &str) -> String {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = line.split_at_checked(digits).unwrap_or((line, ""));
    if digits > 0 && rest.starts_with(['.', ')']) {
        return format!("{number}\\{rest}");
    }
    let marks = match line.chars().next() {
        Some('#' | '>' | '-' | '+' | '=' | '~' | '|' | ':') => true,
        Some(letter @ ('*' | '_')) => {
            let second = line.chars().nth(1);
            second.is_none_or(char::is_whitespace)
                || line.chars().all(|other| other == letter || other == ' ')
        }
        _ => false,
    };
    if marks { format!("\\{line}") } else { line.to_owned() }
}

#[cfg(test)]
mod tests {
    use forecheck_contract::json::{self, Limits};

    use super::*;

    #[test]
    fn texts_show_what_they_say() {
        let check = |text: &str, expected: &[&str]| assert_eq!(prose(text), expected, "{text:?}");
        check("one\r\ntwo\n\n\n three \n", &["one", "two", "", "three"]);
        check("a\rb\u{202e}c\u{0}", &["a\\u{d}b\\u{202e}c\\u{0}"]);
        check("see [Foo] and <b>", &["see \\[Foo\\] and \\<b>"]);
        check("`[x]` and [`y`]", &["`[x]` and \\[`y`\\]"]);
        check("one ` tick", &["one \\` tick"]);
        check("```rust\npanic!()\n```", &["\\`\\`\\`rust", "panic!()", "\\`\\`\\`"]);
        check("    indented", &["indented"]);
        check(
            "- item\n1. item\n# head\n> said\n===",
            &["\\- item", "1\\. item", "\\# head", "\\> said", "\\==="],
        );
        check("**/*.rs */", &["**/*.rs */"]);
        check("* item\n**bold**\n***", &["\\* item", "**bold**", "\\***"]);
        check("see https://a.example/x_(y), ok", &["see <https://a.example/x_(y)>, ok"]);
        check("[a](https://a.example/x).", &["\\[a\\](<https://a.example/x>)."]);
        check("(http://a.example)", &["(<http://a.example>)"]);
        check("https:// is nothing", &["https:// is nothing"]);
        check(r"\u{7d} \[ \.", &[r"\u{7d} \\\[ \\."]);
        check(r"end \", &[r"end \\"]);
        check("", &[]);
    }

    #[test]
    fn code_spans_hold_any_text() {
        let check = |text: &str, expected: &str| assert_eq!(code(text), expected);
        check("a", "`a`");
        check("", "`\"\"`");
        check("a`b", "``a`b``");
        check("`", "`` ` ``");
        check("a\nb\u{202e}", "`a\\nb\\u{202e}`");
    }

    #[test]
    fn a_schema_describes_itself() {
        let check = |text: &str, expected: &[&str]| {
            let schema = json::read(text.as_bytes(), Limits::SPEC).unwrap();
            let lines = Lines::describing(&[&schema], || "none".to_owned()).with_default(&[&schema]);
            assert_eq!(lines.0, expected, "{text}");
        };
        check("{}", &["none"]);
        check(r#"{"title": "T", "description": "D"}"#, &["T", "", "D"]);
        check(r#"{"title": "T", "description": "T"}"#, &["T"]);
        check(
            r#"{"default": ["`"], "deprecated": true}"#,
            &["none", "", "Deprecated.", "", "Default: ``[\"`\"]``"],
        );
    }
}
