//! What verbs must agree on when they share a code: the values that it carries, and whether it is
//! policy.

use forecheck_contract::canonical;

use crate::check::ByCode;
use crate::problem::{Lint, Problem};
use crate::surface::Constraint;
use crate::text::quoted;

pub(crate) fn check(codes: &ByCode<'_, '_>, problems: &mut Vec<Problem>) {
    for (code, uses) in codes {
        let [(first_verb, first), others @ ..] = uses.as_slice() else { continue };
        for (verb, constraint) in others {
            let disagreements = [
                (
                    first.is_policy() != constraint.is_policy(),
                    Lint::PolicyDiffers,
                    "is policy in one and not in the other",
                ),
                (details(first) != details(constraint), Lint::DetailsDiffer, "carries other details"),
                (x_name(first) != x_name(constraint), Lint::NamesFold, "has another `x-name`"),
            ];
            for (_, lint, how) in disagreements.into_iter().filter(|(differs, ..)| *differs) {
                let message = format!(
                    "{} {how}: {} and {}",
                    quoted(code),
                    quoted(first_verb.name()),
                    quoted(verb.name())
                );
                problems.push(
                    Problem::new(lint, constraint.file.code.at, message)
                        .related(first.file.code.at, "the first one")
                        .help(
                            "write the constraint once, under constraints/, or give one of them another code",
                        ),
                );
            }
        }
    }
}

fn details(constraint: &Constraint<'_>) -> Option<String> {
    constraint.file.details.map(canonical::to_string)
}

fn x_name<'s>(constraint: &Constraint<'s>) -> Option<&'s str> {
    constraint.file.x_name.map(|name| name.value)
}
