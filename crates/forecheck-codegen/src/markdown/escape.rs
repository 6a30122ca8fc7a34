//! Untrusted text in Markdown.

use forecheck_spec::text::{push_visible, visible};

/// `text` as one line on which no character means anything to Markdown or HTML.
pub(super) fn line(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let text = forecheck_spec::text::collapsed(text);
    let mut letters = text.chars().peekable();
    let mut before = None;
    if starts_a_block(&text) {
        escaped.push('\\');
    }
    while let Some(letter) = letters.next() {
        let inside_word =
            [before, letters.peek().copied()].iter().all(|next| next.is_some_and(char::is_alphanumeric));
        before = Some(letter);
        match letter {
            '.' | ')' if is_number(&escaped) && letters.peek().is_none_or(|next| *next == ' ') => {
                escaped.push('\\');
                escaped.push(letter);
            }
            '_' if inside_word => escaped.push('_'),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '|' | '~' | '!' => {
                escaped.push('\\');
                escaped.push(letter);
            }
            _ => push_visible(&mut escaped, letter),
        }
    }
    escaped
}

/// Whether a line would be a list, a heading or a rule by how it starts. A number needs its full
/// stop escaped, so the escape goes before that.
fn starts_a_block(text: &str) -> bool {
    text.starts_with(['-', '+', '='])
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// `text`, which is Markdown, as a block quote: it keeps its marks, but stays inside the quote and
/// carries no HTML.
pub(super) fn quote(text: &str) -> String {
    let lines = text.trim().lines().map(|line| {
        let mut quoted = String::from(">");
        if !line.trim().is_empty() {
            quoted.push(' ');
        }
        for letter in line.trim_end().chars() {
            match letter {
                '<' => quoted.push_str("&lt;"),
                _ => push_visible(&mut quoted, letter),
            }
        }
        quoted
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// `text` as inline code.
pub(super) fn code(text: &str) -> String {
    let shown = visible(text);
    let fence = "`".repeat(longest_run(&shown) + 1);
    let pad = if shown.starts_with('`') || shown.ends_with('`') || shown.is_empty() { " " } else { "" };
    format!("{fence}{pad}{shown}{pad}{fence}")
}

/// JSON as a fenced block that its own text cannot close.
pub(super) fn fenced(json: &str) -> String {
    let mut shown = String::with_capacity(json.len());
    for letter in json.chars() {
        if letter == '\n' {
            shown.push(letter);
        } else {
            push_visible(&mut shown, letter);
        }
    }
    let fence = "`".repeat(longest_run(&shown).max(2) + 1);
    format!("{fence}json\n{shown}\n{fence}")
}

/// The length of the longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_means_nothing_to_markdown() {
        assert_eq!(
            line("a\n# b <b>*c*</b> [x](y) `z`"),
            "a \\# b &lt;b&gt;\\*c\\*&lt;/b&gt; \\[x\\](y) \\`z\\`"
        );
        assert_eq!(line("a\u{202e}b"), "a\\u{202e}b");
        assert_eq!(
            ["- x", "1. x", "12) x", "---", "a - b 1.", "0.1.0"].map(line),
            ["\\- x", "1\\. x", "12\\) x", "\\---", "a - b 1.", "0.1.0"]
        );
        assert_eq!(line("_a_b_ c__d"), "\\_a_b\\_ c\\_\\_d");
    }

    #[test]
    fn a_quote_stays_a_quote() {
        assert_eq!(quote("a\n\n# b\n<script>\n"), "> a\n>\n> # b\n> &lt;script>");
    }

    #[test]
    fn code_and_fences_cannot_be_closed_from_inside() {
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("`"), "`` ` ``");
        assert_eq!(fenced("{\n\"```\"}"), "````json\n{\n\"```\"}\n````");
    }
}
