//! What is gone stays gone, and what replaces it exists.

use forecheck_contract::table::Deprecated;

use crate::check::verb_names;
use crate::file::ConstraintEntry;
use crate::problem::{Lint, Location, Problem};
use crate::raw::RawSurface;
use crate::text::quoted;

pub(crate) fn check(raw: &RawSurface<'_>, problems: &mut Vec<Problem>) {
    let verbs = verb_names(raw);
    let mut codes = Vec::new();
    let mut deprecations: Vec<(&Option<Deprecated>, Location, bool)> = Vec::new();
    for (_, verb) in &raw.verbs {
        deprecations.push((&verb.deprecated, verb.verb.at, true));
        for entry in &verb.constraints {
            if let ConstraintEntry::Own(file) = entry {
                codes.push(file.code);
                deprecations.push((&file.deprecated, file.code.at, false));
            }
        }
    }
    for (_, file) in raw.constraints.values() {
        codes.push(file.code);
        deprecations.push((&file.deprecated, file.code.at, false));
    }
    let is_code = |name: &str| codes.iter().any(|code| code.value == name);
    let mut successor = |name: &str, at, of_verb: bool| {
        let exists = if of_verb { verbs.contains(name) } else { is_code(name) };
        if !exists {
            let what = if of_verb { "verb" } else { "code" };
            let message = format!("the {what} {}, named as its successor, does not exist", quoted(name));
            problems.push(Problem::new(Lint::ReplacedBy, at, message));
        }
    };
    for (deprecated, at, of_verb) in deprecations {
        if let Some(name) = deprecated.as_ref().and_then(|deprecated| deprecated.replaced_by.as_deref()) {
            successor(name, at, of_verb);
        }
    }
    for retired in &raw.retired {
        if let Some(name) = &retired.entry.replaced_by {
            successor(name, retired.at, retired.entry.verb.is_some());
        }
    }
    for retired in &raw.retired {
        let code =
            retired.entry.code.as_deref().and_then(|name| codes.iter().find(|code| code.value == name));
        let verb = retired.entry.verb.as_deref();
        let verb =
            verb.and_then(|name| raw.verbs.iter().map(|(_, verb)| verb.verb).find(|verb| verb.value == name));
        for used in code.into_iter().chain(&verb) {
            let message = format!("{} is retired and cannot be used again", quoted(used.value));
            problems.push(
                Problem::new(Lint::RetiredUsed, used.at, message)
                    .related(retired.at, "retired here")
                    .help("choose another name; readers remember the old one"),
            );
        }
    }
}
