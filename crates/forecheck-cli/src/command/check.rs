//! `forecheck check`: the verb `check`.

use forecheck::{Cleared, Settled};
use forecheck_spec::problem::Severity;
use forecheck_verbs::checks::Counts;
use forecheck_verbs::generated::check::{self, Output};

use super::text;
use crate::answer::{Exit, Failure, deliver};
use crate::arguments::CheckArguments;
use crate::terminal::count;
use crate::world::{Disk, Reading, host};

pub(crate) fn run(arguments: &CheckArguments) -> Result<Exit, Failure> {
    let folder = text(&arguments.spec.spec)?;
    let input = check::Input { spec: folder.clone() };
    let host = host();
    let outcome = check::call(&host, &serde_json::to_vec(&input)?);
    host.read.progress.end();
    let found = |output: &Output| output.errors > 0 || (arguments.deny_warnings && output.warnings > 0);
    deliver(&outcome, arguments.json, found, |output: &Output| {
        let Output { errors, warnings, notes, verbs, .. } = *output;
        let counts = Counts { errors, warnings, notes }.in_words();
        let summary = format!("{folder}: {counts} in {}\n", count(verbs, "verb"));
        Ok(host.read.problems_in_words(&folder, Severity::Note) + &summary)
    })
}

impl check::Answer for Disk {
    fn answer(read: &Reading, call: Cleared<check::Verb<Disk>>) -> Settled<check::Verb<Disk>> {
        let problems = call.facts().spec_folder.as_ref().map(|folder| folder.problems.clone());
        let problems = problems.unwrap_or_default();
        let Counts { errors, warnings, notes } = Counts::of(&problems);
        let verbs = read.spec(call.seen().target()).map_or(0, |spec| spec.trees().verb_count());
        call.answered(&Output { problems, errors, warnings, notes, verbs })
    }
}
