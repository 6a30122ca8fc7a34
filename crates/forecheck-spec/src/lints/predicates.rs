//! Predicates against what they are about: the schemas of the input and of facts, and `reads`.

mod reads;
mod truth;
mod typing;

use crate::problem::{Lint, Problem};
use crate::raw::RawSurface;
use crate::shape::Shapes;
use crate::surface::Verb;

pub(crate) fn check(raw: &RawSurface<'_>, verbs: &[Verb<'_>], problems: &mut Vec<Problem>) {
    if problems.iter().any(|problem| matches!(problem.lint, Lint::Schema | Lint::UnresolvedRef)) {
        return;
    }
    for verb in verbs {
        let mut shapes = None;
        for constraint in &verb.constraints {
            let Some(stated) = &constraint.file.refuse_when else { continue };
            let shapes = shapes.get_or_insert_with(|| Shapes::new(raw, verb));
            reads::check(raw, verb, &constraint.file, stated, problems);
            let faults = typing::faults(shapes, verb.name(), stated);
            if faults.is_empty() {
                truth::check(shapes, stated, problems);
            }
            problems.extend(faults);
        }
    }
}
