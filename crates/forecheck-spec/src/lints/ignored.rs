//! Every `x-key` is one that some key honours, and none takes the identity out of a call.

use forecheck_contract::json::Member;

use crate::file::Repeat;
use crate::instance::{fields_at, unconditional};
use crate::lints::schemas::Seen;
use crate::problem::{Lint, Location, Problem};
use crate::raw::RawSurface;
use crate::surface::Verb;
use crate::text::quoted;

pub(crate) fn check(raw: &RawSurface<'_>, seen: &Seen<'_>, verbs: &[Verb<'_>], problems: &mut Vec<Problem>) {
    let mut honoured: Vec<*const Member<'_>> = Vec::new();
    for verb in verbs {
        let ignored = verb.key_recipe().into_iter().flat_map(|recipe| &recipe.ignored);
        let places = ignored.flat_map(|at| fields_at(&raw.schemas, &verb.input(), at));
        let marks = places
            .flat_map(|place| unconditional(&raw.schemas, &place))
            .filter_map(|place| place.node.member("x-key"));
        honoured.extend(marks.map(std::ptr::from_ref));
        identity(verb, problems);
    }
    honoured.sort_unstable();
    // A read-only verb has no key, so a mark in its input does no harm.
    let read_only: Vec<_> =
        verbs.iter().filter(|verb| verb.is_read_only()).map(|verb| verb.file.input).collect();
    for (file, resource, mark) in &seen.marks {
        let is_read_only = read_only.iter().any(|input| std::ptr::eq(*input, resource.root));
        if !is_read_only && honoured.binary_search(&std::ptr::from_ref(*mark)).is_err() {
            let at = Location { file: Some(*file), span: mark.name_span };
            let message =
                "`x-key` counts only on properties that every input reaches through `properties` and `$ref`";
            problems.push(Problem::new(Lint::IgnoredField, at, message));
        }
    }
}

fn identity(verb: &Verb<'_>, problems: &mut Vec<Problem>) {
    let ignored = verb.key_recipe().map(|recipe| recipe.ignored.as_slice()).unwrap_or_default();
    let kept = verb.target.into_iter().chain((verb.repeat() == Repeat::Intent).then_some("/intent"));
    for at in kept.filter(|at| ignored.iter().any(|ignored| ignored == at)) {
        let message =
            format!("{} carries the identity of the call and cannot stay out of the key", quoted(at));
        problems.push(Problem::new(Lint::IgnoredField, verb.file.verb.at, message));
    }
}
