//! Members of a verb that change nothing for it.

use crate::file::Repeat;
use crate::problem::{Lint, Problem};
use crate::surface::Verb;

pub(crate) fn check(verbs: &[Verb<'_>], problems: &mut Vec<Problem>) {
    for verb in verbs {
        let reasons = idle(verb).into_iter();
        problems.extend(reasons.map(|message| Problem::new(Lint::IdleMember, verb.file.verb.at, message)));
    }
}

fn idle(verb: &Verb<'_>) -> Vec<&'static str> {
    let file = &verb.file;
    let (exclusive, window) = (file.exclusive == Some(true), file.window.is_some());
    let mut idle = Vec::new();
    if file.probe.is_none() && file.settle_after.is_some() {
        idle.push("without a `probe`, `settle_after` changes nothing");
    }
    if verb.is_read_only() {
        if exclusive || window || file.repeat.is_some() || file.probe.is_some() {
            idle.push(
                "a read-only verb is never recorded: `repeat`, `exclusive`, `window` and `probe` change nothing",
            );
        }
        return idle;
    }
    if exclusive && verb.target.is_none() {
        idle.push("`exclusive` holds the target, and this verb has none: all such verbs wait for each other");
    }
    if window && verb.repeat() == Repeat::Run {
        idle.push("a verb that acts each time forgets its successes at once: `window` changes nothing");
    }
    if file.probe.is_some() && verb.repeat() == Repeat::Run {
        idle.push("a verb that acts each time waits for no doubt: `probe` changes nothing");
    }
    idle
}
