//! `forecheck table`: the verb `collapse`.

use forecheck_contract::outcome::Effects;
use forecheck_contract::table::{ErrorTable, Row};
use forecheck_spec::problem::Severity;
use forecheck_spec::table::error_table;
use forecheck_spec::text::visible;
use forecheck_spec::tree::Trees;
use forecheck_verbs::generated::collapse as verb;

use super::spec;
use crate::answer::{Call, Exit, Failure, Stop};
use crate::arguments::TableArguments;
use crate::progress::Progress;

pub(crate) fn run(arguments: &TableArguments) -> Result<Exit, Failure> {
    let call = Call { verb: verb::VERB, json: arguments.json };
    attempt(&call, arguments).or_else(|stop| call.stopped(stop))
}

fn attempt(call: &Call, arguments: &TableArguments) -> Result<Exit, Stop> {
    let progress = Progress::new();
    let sources = spec::load(&arguments.spec.spec, &progress)?;
    let trees = Trees::read(&sources);
    let checked = spec::examine(&trees, &progress);
    drop(progress);
    let surface = spec::accept(call, &arguments.spec.spec, &checked, &trees, Severity::Error)?;
    let table = error_table(surface);
    let output = verb::Output { table: serde_json::from_value(serde_json::to_value(&table)?)? };
    call.answered(Effects::None, &output, &in_lines(&table))?;
    Ok(Exit::Done)
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
