//! The table of a call: a named errors.json, or the one that is built in.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use forecheck_contract::json::{self, Limits, position_of};
use forecheck_contract::table::{ERRORS_FORMAT, ErrorTable};

use super::Reading;
use crate::own_table::own_table;

impl Reading {
    /// The table, or why it cannot be read.
    pub(crate) fn table(&self, errors: Option<&str>) -> Result<&ErrorTable, &String> {
        let read = || match errors {
            Some(file) => {
                read_bounded(Path::new(file)).map_err(|error| error.to_string()).and_then(|text| parse(&text))
            }
            None => own_table().map_err(|error| error.to_string()),
        };
        self.table.get_or_init(read).as_ref()
    }
}

/// The file, as far as it has to be read to know that it is too long.
fn read_bounded(file: &Path) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    File::open(file)?.take(u64::from(Limits::SPEC.bytes) + 1).read_to_end(&mut text)?;
    Ok(text)
}

/// Reads strictly, and as deep as `gen` writes.
fn parse(text: &[u8]) -> Result<ErrorTable, String> {
    let node = json::read(text, Limits::SPEC).map_err(|problems| {
        let first = problems.first().map(|problem| {
            let position = position_of(text, problem.span.start as usize);
            format!("{}:{}: {}", position.line, position.column, problem.kind)
        });
        first.unwrap_or_default()
    })?;
    let value = serde_json::to_value(&node).map_err(|error| error.to_string())?;
    let table: ErrorTable = serde_json::from_value(value).map_err(|error| error.to_string())?;
    if table.format == ERRORS_FORMAT {
        Ok(table)
    } else {
        Err(format!("its format is {}, this program reads {ERRORS_FORMAT}", table.format))
    }
}
