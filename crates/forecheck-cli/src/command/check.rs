//! `forecheck check`: the verb `check`.

use forecheck_contract::outcome::Effects;
use forecheck_spec::check::check;
use forecheck_spec::problem::Severity;
use forecheck_spec::source::Sources;
use forecheck_spec::tree::Trees;
use forecheck_verbs::generated::check as verb;
use forecheck_verbs::generated::details;

use super::shown;
use crate::answer::{Call, Exit, Failure, Raised};
use crate::arguments::CheckArguments;
use crate::problem::{Counts, in_words, published};
use crate::progress::Progress;

pub(crate) fn run(arguments: &CheckArguments) -> Result<Exit, Failure> {
    let call = Call { verb: verb::VERB, json: arguments.json };
    let progress = Progress::new();
    progress.step("reading");
    let sources = match Sources::load(&arguments.spec.spec) {
        Ok(sources) => sources,
        Err(error) => {
            let refusal =
                verb::Refusal::SpecUnreadable(details::SpecUnreadable { reason: error.source.to_string() });
            drop(progress);
            return call.refused(Raised {
                code: refusal.code(),
                details: refusal.details()?,
                message: error.to_string(),
                at: &["/spec"],
            });
        }
    };
    progress.step("checking");
    let trees = Trees::read(&sources);
    let checked = check(&trees);
    drop(progress);
    let counts = Counts::of(&checked);
    let verbs = trees.verb_count();
    let folder = shown(&arguments.spec.spec);
    let summary = format!("{folder}: {} in {verbs} verbs\n", counts.in_words());
    let human = in_words(&checked, &trees, &folder, Severity::Note) + &summary;
    let output = verb::Output {
        problems: published(&checked, &trees),
        errors: counts.errors,
        warnings: counts.warnings,
        notes: counts.notes,
        verbs,
    };
    call.answered(Effects::None, &output, &human)?;
    let found = counts.errors > 0 || (arguments.deny_warnings && counts.warnings > 0);
    Ok(if found { Exit::Found } else { Exit::Done })
}
