//! The two streams. Colours go to terminals alone and text from outside cannot steer one.

use std::io::Write;

use forecheck_spec::render::visible;

/// Prints to stdout; a reader that has gone away ends the output, not the program.
pub(crate) fn print(text: &str) {
    let mut stdout = anstream::stdout().lock();
    ignore_closed(stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()));
}

/// Prints to stderr.
pub(crate) fn note(text: &str) {
    let mut stderr = anstream::stderr().lock();
    ignore_closed(writeln!(stderr, "{text}"));
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

/// Nothing is left to do for a stream that nobody reads.
fn ignore_closed(written: std::io::Result<()>) {
    drop(written);
}
