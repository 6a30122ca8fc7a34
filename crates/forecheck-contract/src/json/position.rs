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

/// The positions of one text, for whoever asks for many: a look-up reads at most one block.
#[derive(Debug, Clone)]
pub struct Positions {
    /// Where each block starts.
    blocks: Vec<Position>,
}

impl Positions {
    const BLOCK: usize = 4096;

    /// Reads `text` once.
    pub fn of(text: &[u8]) -> Positions {
        let start = Position { line: 1, column: 1 };
        let ends = text.chunks(Self::BLOCK).scan(start, |at, block| {
            *at = advance(*at, block);
            Some(*at)
        });
        Positions { blocks: std::iter::once(start).chain(ends).collect() }
    }

    /// The position of byte `offset` of the same text, as [`position_of`] says it for UTF-8.
    pub fn at(&self, text: &[u8], offset: usize) -> Position {
        let offset = offset.min(text.len());
        let block = offset / Self::BLOCK;
        let start = self.blocks.get(block).copied().unwrap_or(Position { line: 1, column: 1 });
        advance(start, text.get(block * Self::BLOCK..offset).unwrap_or_default())
    }
}

/// The position after `bytes`. A character counts where it starts, so blocks may cut one in two.
fn advance(at: Position, bytes: &[u8]) -> Position {
    let starts = |bytes: &[u8]| bytes.iter().filter(|&&byte| byte & 0xc0 != 0x80).count();
    match bytes.iter().rposition(|&byte| byte == b'\n') {
        None => Position { column: at.column + starts(bytes), ..at },
        Some(last) => Position {
            line: at.line + bytes.split(|&byte| byte == b'\n').count() - 1,
            column: 1 + starts(bytes.get(last + 1..).unwrap_or_default()),
        },
    }
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

    #[test]
    fn an_index_says_the_same() {
        let line = "\u{e9}\u{1f600}x".repeat(700);
        let text = format!("{line}\n{line}{line}\n\n{line}");
        let positions = Positions::of(text.as_bytes());
        for offset in (0..=text.len()).filter(|&at| text.is_char_boundary(at)) {
            assert_eq!(
                positions.at(text.as_bytes(), offset),
                position_of(text.as_bytes(), offset),
                "{offset}"
            );
        }
        assert_eq!(positions.at(text.as_bytes(), usize::MAX), position_of(text.as_bytes(), text.len()));
    }
}
