//! `forecheck table`: the verb `collapse`.

use forecheck::{Cleared, Settled};
use forecheck_contract::resend::Resend;
use forecheck_contract::table::{ErrorTable, Row};
use forecheck_spec::problem::Severity;
use forecheck_spec::table::error_table;
use forecheck_spec::text::visible;
use forecheck_verbs::generated::collapse::{self, Output};

use super::text;
use crate::answer::{Exit, Failure, deliver};
use crate::arguments::TableArguments;
use crate::terminal;
use crate::world::{Disk, Reading, host};

pub(crate) fn run(arguments: &TableArguments) -> Result<Exit, Failure> {
    let folder = text(&arguments.spec.spec)?;
    let input = collapse::Input { spec: folder.clone() };
    let host = host();
    let outcome = collapse::call(&host, &serde_json::to_vec(&input)?);
    host.read.progress.end();
    if !arguments.json {
        terminal::problems(&host.read.problems_in_words(&folder, Severity::Error));
    }
    deliver(
        &outcome,
        arguments.json,
        |_| false,
        |output: &Output| Ok(in_lines(&serde_json::from_value(serde_json::to_value(&output.table)?)?)),
    )
}

impl collapse::Answer for Disk {
    fn answer(read: &Reading, call: Cleared<collapse::Verb<Disk>>) -> Settled<collapse::Verb<Disk>> {
        let Some(surface) = read.surface(call.seen().target()) else {
            return call.failed("the spec folder is not sound");
        };
        let table = serde_json::to_value(error_table(surface)).and_then(serde_json::from_value);
        match table {
            Ok(table) => call.answered(&Output { table }),
            Err(error) => call.failed(error.to_string()),
        }
    }
}

/// One line a code: the code, what resending can do, the number of verbs, the condition. Then a line of [`shares`].
fn in_lines(table: &ErrorTable) -> String {
    let width = table.codes.iter().map(|row| row.code.len()).max().unwrap_or(0);
    let line = |row: &Row| {
        let (resend, verbs) = (row.resend.as_str(), row.verbs.len());
        format!("{:width$}  {resend:12}  {verbs:>5}  {}\n", row.code, visible(&row.description))
    };
    table.codes.iter().map(line).chain([shares(&table.codes)]).collect()
}

/// How many codes there are, and of how many of them resending can do what.
fn shares(rows: &[Row]) -> String {
    let share = |resend: Resend| {
        let number = rows.iter().filter(|row| row.resend == resend).count();
        format!("{} {number}", resend.as_str())
    };
    let shares = [Resend::ChangeInput, Resend::SameInput, Resend::Either].map(share);
    format!("{}: {}\n", terminal::count(rows.len() as u64, "code"), shares.join(", "))
}
