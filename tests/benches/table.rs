//! Tables as Markdown, aligned for a terminal: what is printed is what stands in `docs/benchmarks.md`.

use std::fmt;

/// The first column is text and stands left, the others are figures and stand right.
#[derive(Debug)]
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new<'a>(head: impl IntoIterator<Item = &'a str>) -> Table {
        Table { rows: vec![head.into_iter().map(str::to_owned).collect()] }
    }

    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    fn width(&self, column: usize) -> usize {
        let cells = self.rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    }

    fn line(&self, f: &mut fmt::Formatter<'_>, row: &[String]) -> fmt::Result {
        for (column, cell) in row.iter().enumerate() {
            let width = self.width(column);
            if column == 0 {
                write!(f, "| {cell:<width$} |")?;
            } else {
                write!(f, " {cell:>width$} |")?;
            }
        }
        writeln!(f)
    }

    fn rule(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.rows.first().map_or(0, Vec::len);
        for column in 0..columns {
            let dashes = "-".repeat(self.width(column));
            let (left, right) = if column == 0 { ("| ", " |") } else { (" ", ":|") };
            write!(f, "{left}{dashes}{right}")?;
        }
        writeln!(f)
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, row) in self.rows.iter().enumerate() {
            self.line(f, row)?;
            if index == 0 {
                self.rule(f)?;
            }
        }
        Ok(())
    }
}
