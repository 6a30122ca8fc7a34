//! Byte offsets as people and editors count: lines and columns from 1.

/// A place in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// Lines, from 1.
    pub line: usize,
    /// Unicode scalar values before the place on its line, plus 1.
    pub column: usize,
}

/// The position of byte `offset` of `text`; of the end, for an offset beyond it. Bytes that are
/// not UTF-8 count as one column each.
pub fn position_of(text: &[u8], offset: usize) -> Position {
    let before = text.get(..offset).unwrap_or(text);
    let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let line = before.split(|&byte| byte == b'\n').count();
    let on_line = before.get(line_start..).unwrap_or_default();
    let columns: usize =
        on_line.utf8_chunks().map(|chunk| chunk.valid().chars().count() + chunk.invalid().len()).sum();
    Position { line, column: columns + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_lines_and_scalar_values() {
        let text = "a\nb\u{e9}\u{1f600}c\r\nd".as_bytes();
        let check = |offset, line, column| assert_eq!(position_of(text, offset), Position { line, column });
        check(0, 1, 1);
        check(2, 2, 1);
        check(3, 2, 2);
        check(9, 2, 4);
        check(12, 3, 1);
        check(999, 3, 2);
        assert_eq!(position_of(b"\xff\xffa", 2), Position { line: 1, column: 3 });
    }
}
