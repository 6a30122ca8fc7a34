//! `reads` and a predicate name the same.

use forecheck_contract::pointer;
use forecheck_contract::predicate::{Reference, fact_and_pointer};

use crate::file::{ConstraintFile, RefuseWhen};
use crate::problem::{Lint, Located, Problem};
use crate::raw::RawSurface;
use crate::surface::Verb;
use crate::text::quoted;

pub(super) fn check(
    raw: &RawSurface<'_>,
    verb: &Verb<'_>,
    file: &ConstraintFile<'_>,
    stated: &RefuseWhen<'_>,
    problems: &mut Vec<Problem>,
) {
    let Some(declared) = &file.reads else { return };
    let references = stated.predicate.references();
    for (at, reference) in &references {
        let is_item = matches!(reference, Reference::Item(_));
        if !is_item && !declared.iter().any(|name| declares(verb, name.value, reference)) {
            let message = format!("the predicate reads {}, which `reads` does not declare", named(reference));
            let help = "add it, or leave `reads` out: it follows from the predicate";
            problems.push(Problem::new(Lint::PredicateReads, stated.place(at), message).help(help));
        }
    }
    for name in declared {
        let is_used = |reference: &Reference| {
            declares(verb, name.value, reference) || is_needed_by(raw, reference, name.value)
        };
        if !references.iter().any(|(_, reference)| is_used(reference)) {
            report_unused(*name, problems);
        }
    }
}

/// Whether a name in `reads` stands for what a predicate reads.
fn declares(verb: &Verb<'_>, name: &str, reference: &Reference) -> bool {
    match reference {
        Reference::Item(_) => false,
        Reference::Fact(fact) => name == fact_and_pointer(fact).0,
        Reference::Input(at) => match name {
            "input" => true,
            "target" => verb.target.is_some_and(|target| pointer::is_within(at, target)),
            name => name.starts_with('/') && pointer::is_within(at, name),
        },
    }
}

/// Whether the fact that a predicate reads is of what a name in `reads` stands for.
fn is_needed_by(raw: &RawSurface<'_>, reference: &Reference, name: &str) -> bool {
    let Reference::Fact(fact) = reference else { return false };
    let of = raw.facts.get(fact_and_pointer(fact).0).and_then(|(_, fact)| fact.of.as_ref());
    of.is_some_and(|of| of.iter().any(|of| of.value == name))
}

fn named(reference: &Reference) -> String {
    match reference {
        Reference::Input(at) if at.is_empty() => "all of the input".to_owned(),
        Reference::Input(at) | Reference::Item(at) => quoted(at),
        Reference::Fact(fact) => format!("the fact {}", quoted(fact_and_pointer(fact).0)),
    }
}

fn report_unused(name: Located<&str>, problems: &mut Vec<Problem>) {
    let message = format!("`reads` declares {}, which the predicate does not read", quoted(name.value));
    problems.push(
        Problem::new(Lint::UnusedRead, name.at, message)
            .help("remove it, or leave `reads` out: it follows from the predicate"),
    );
}
