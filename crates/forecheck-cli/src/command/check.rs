//! `forecheck check`: the verb `check`.

use forecheck_contract::outcome::Effects;
use forecheck_spec::problem::Severity;
use forecheck_spec::tree::Trees;
use forecheck_verbs::generated::check as verb;

use super::{shown, spec};
use crate::answer::{Call, Exit, Failure, Stop};
use crate::arguments::CheckArguments;
use crate::problem::{Counts, in_words, published};
use crate::progress::Progress;
use crate::terminal::count;

pub(crate) fn run(arguments: &CheckArguments) -> Result<Exit, Failure> {
    let call = Call { verb: verb::VERB, json: arguments.json };
    attempt(&call, arguments).or_else(|stop| call.stopped(stop))
}

fn attempt(call: &Call, arguments: &CheckArguments) -> Result<Exit, Stop> {
    let progress = Progress::new();
    let sources = spec::load(&arguments.spec.spec, &progress)?;
    let trees = Trees::read(&sources);
    let checked = spec::examine(&trees, &progress);
    drop(progress);
    let counts = Counts::of(&checked);
    let verbs = trees.verb_count();
    let folder = shown(&arguments.spec.spec);
    let summary = format!("{folder}: {} in {}\n", counts.in_words(), count(verbs, "verb"));
    let output = verb::Output {
        problems: published(&checked, &trees),
        errors: counts.errors,
        warnings: counts.warnings,
        notes: counts.notes,
        verbs,
    };
    call.answered(Effects::None, &output, &(in_words(&checked, &trees, &folder, Severity::Note) + &summary))?;
    let found = counts.errors > 0 || (arguments.deny_warnings && counts.warnings > 0);
    Ok(if found { Exit::Found } else { Exit::Done })
}
