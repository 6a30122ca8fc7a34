//! What is gone stays gone, and what replaces it exists.

use std::collections::BTreeSet;

use forecheck_contract::table::Deprecated;

use crate::check::verb_names;
use crate::problem::{Lint, Location, Problem};
use crate::raw::RawSurface;
use crate::text::{nearest, quoted};

pub(crate) fn check(raw: &RawSurface<'_>, problems: &mut Vec<Problem>) {
    let verbs = verb_names(raw);
    let codes: Vec<_> = raw.constraints().map(|(_, file)| file.code).collect();
    let names: BTreeSet<&str> = codes.iter().map(|code| code.value).collect();
    let of_verbs = raw.verbs.iter().map(|(_, verb)| (&verb.deprecated, verb.verb.at, true));
    let of_codes = raw.constraints().map(|(_, file)| (&file.deprecated, file.code.at, false));
    let deprecations: Vec<(&Option<Deprecated>, Location, bool)> = of_verbs.chain(of_codes).collect();
    let is_code = |name: &str| names.contains(name);
    related(raw, &names, problems);
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

/// Codes that are named as related exist.
fn related(raw: &RawSurface<'_>, codes: &BTreeSet<&str>, problems: &mut Vec<Problem>) {
    for (_, constraint) in raw.constraints() {
        for see in constraint.see.iter().flatten().filter(|see| !codes.contains(see.value)) {
            let message = format!("{} is no code of this surface", quoted(see.value));
            let near = nearest(see.value, codes.iter().copied());
            let help = near.first().map(|near| format!("did you mean `{near}`?"));
            problems.push(Problem { help, ..Problem::new(Lint::UnknownCode, see.at, message) });
        }
    }
}
