//! `forecheck table`: the collapsed table of a surface, on stdout.

use forecheck_contract::table::ErrorTable;
use forecheck_spec::check::check;
use forecheck_spec::problem::Severity;
use forecheck_spec::render::visible;
use forecheck_spec::source::Sources;
use forecheck_spec::table::error_table;
use forecheck_spec::tree::Trees;

use super::shown;
use crate::answer::{Exit, Failure};
use crate::arguments::TableArguments;
use crate::problem::{Counts, in_words};
use crate::terminal;

pub(crate) fn run(arguments: &TableArguments) -> Result<Exit, Failure> {
    let sources = Sources::load(&arguments.spec.spec)?;
    let trees = Trees::read(&sources);
    let checked = check(&trees);
    let Some(surface) = &checked.surface else {
        let folder = shown(&arguments.spec.spec);
        terminal::problems(&in_words(&checked, &trees, &folder, Severity::Error));
        terminal::error(&format!("`{folder}` has {}", Counts::of(&checked).in_words()));
        return Ok(Exit::Found);
    };
    let table = error_table(surface);
    let text = if arguments.json { serde_json::to_string_pretty(&table)? + "\n" } else { in_lines(&table) };
    terminal::print(&text);
    Ok(Exit::Done)
}

/// One line a code: the code, what resending can do, the number of verbs, the condition.
fn in_lines(table: &ErrorTable) -> String {
    let width = table.codes.iter().map(|row| row.code.len()).max().unwrap_or(0);
    let line = |row: &forecheck_contract::table::Row| {
        let resend = row.resend.as_str();
        format!("{:width$}  {resend:12}  {:>5}  {}\n", row.code, row.verbs.len(), visible(&row.description))
    };
    table.codes.iter().map(line).collect()
}
