//! `forecheck table`: the verb `collapse`.

use forecheck_contract::outcome::Effects;
use forecheck_contract::table::{ErrorTable, Row};
use forecheck_spec::table::error_table;
use forecheck_spec::text::visible;
use forecheck_verbs::generated::collapse as verb;

use super::spec;
use crate::answer::{Call, Exit, Failure};
use crate::arguments::TableArguments;

pub(crate) fn run(arguments: &TableArguments) -> Result<Exit, Failure> {
    let call = Call { verb: verb::VERB, json: arguments.json };
    let collapsed = spec::with_surface(&call, &arguments.spec.spec, |surface| {
        let table = error_table(surface);
        let output = verb::Output { table: serde_json::from_value(serde_json::to_value(&table)?)? };
        call.answered(Effects::None, &output, &in_lines(&table))?;
        Ok(Exit::Done)
    });
    collapsed.or_else(|stop| call.stopped(stop))
}

/// One line a code: the code, what resending can do, the number of verbs, the condition.
fn in_lines(table: &ErrorTable) -> String {
    let width = table.codes.iter().map(|row| row.code.len()).max().unwrap_or(0);
    let line = |row: &Row| {
        let (resend, verbs) = (row.resend.as_str(), row.verbs.len());
        format!("{:width$}  {resend:12}  {verbs:>5}  {}\n", row.code, visible(&row.description))
    };
    table.codes.iter().map(line).collect()
}
