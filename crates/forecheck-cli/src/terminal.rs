//! The two streams. Colours go to terminals alone, and text from outside cannot steer one.

use std::io::{self, Write};

use forecheck_spec::text::{is_hidden, visible};
use serde::Serialize;

use crate::answer::Failure;

/// Prints an answer to stdout. A reader that has gone away ends the output, not the call.
///
/// # Errors
/// When the answer could not be written for another reason, such as a full disk.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = anstream::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(format!("the answer could not be written: {error}").into())
        }
        _ => Ok(()),
    }
}

/// Prints to stderr. Nothing is left to do where that fails.
pub(crate) fn note(text: &str) {
    drop(writeln!(anstream::stderr().lock(), "{text}"));
}

/// Prints rendered problems to stderr.
pub(crate) fn problems(rendered: &str) {
    if !rendered.is_empty() {
        note(rendered.trim_end_matches('\n'));
    }
}

/// Prints what went wrong to stderr.
pub(crate) fn error(text: &str) {
    note(&format!("forecheck: {}", lines_visible(text)));
}

/// Text of several lines with everything that could steer a terminal spelled out.
pub(crate) fn lines_visible(text: &str) -> String {
    text.lines().map(visible).collect::<Vec<_>>().join("\n")
}

/// JSON, indented, with such characters as escapes.
pub(crate) fn json(value: &impl Serialize) -> Result<String, serde_json::Error> {
    let plain = serde_json::to_string_pretty(value)?;
    let mut text = String::with_capacity(plain.len() + 1);
    for letter in plain.chars() {
        if is_hidden(letter) && letter != '\n' {
            let mut units = [0; 2];
            text.extend(letter.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")));
        } else {
            text.push(letter);
        }
    }
    text.push('\n');
    Ok(text)
}

/// "1 verb", "2 verbs".
pub(crate) fn count(number: u64, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
