//! Tables as Markdown, aligned for a terminal: what is printed is what stands in `docs/benchmarks.md`.

use std::fmt;

/// Columns of figures stand right, all others left.
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

    fn is_of_figures(&self, column: usize) -> bool {
        let cells = self.rows.iter().skip(1).filter_map(|row| row.get(column));
        cells.map(String::as_str).all(|cell| cell.starts_with(|letter: char| letter.is_ascii_digit()))
    }

    fn line(&self, f: &mut fmt::Formatter<'_>, row: &[String]) -> fmt::Result {
        write!(f, "|")?;
        for (column, cell) in row.iter().enumerate() {
            let width = self.width(column);
            if self.is_of_figures(column) {
                write!(f, " {cell:>width$} |")?;
            } else {
                write!(f, " {cell:<width$} |")?;
            }
        }
        writeln!(f)
    }

    fn rule(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "|")?;
        for column in 0..self.rows.first().map_or(0, Vec::len) {
            let (dashes, end) =
                ("-".repeat(self.width(column)), if self.is_of_figures(column) { ":" } else { " " });
            write!(f, " {dashes}{end}|")?;
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
