//! What codes say: a text each, and one text for all verbs.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::check::ByCode;
use crate::problem::{Lint, Location, Problem};
use crate::surface::Constraint;
use crate::text::quoted;

/// A text, where it stands first, the verb there, and how many more say the same.
type Text<'v> = (Cow<'v, str>, (Location, &'v str, usize));

pub(crate) fn check(codes: &ByCode<'_, '_>, problems: &mut Vec<Problem>) {
    for (code, uses) in codes {
        let mut texts: BTreeMap<Cow<'_, str>, (Location, &str, usize)> = BTreeMap::new();
        for (verb, constraint) in uses {
            let text = constraint.description();
            if text.is_empty() {
                no_text(constraint, problems);
                continue;
            }
            texts.entry(text).or_insert((text_place(constraint), verb.name(), 0)).2 += 1;
        }
        let mut texts: Vec<Text<'_>> = texts.into_iter().collect();
        texts.sort_by_key(|(text, _)| std::cmp::Reverse(text.chars().count()));
        differ(code, &texts, problems);
        tie(code, &texts, problems);
    }
}

/// Once for a place, even when the constraint is shared.
fn no_text(constraint: &Constraint<'_>, problems: &mut Vec<Problem>) {
    let at = text_place(constraint);
    if problems.iter().any(|problem| problem.lint == Lint::NoText && problem.at == at) {
        return;
    }
    let message =
        format!("{} has no description: a refusal would not say what is wrong", quoted(constraint.code()));
    problems.push(Problem::new(Lint::NoText, at, message).help("say the condition in a sentence"));
}

fn text_place(constraint: &Constraint<'_>) -> Location {
    constraint.file.description.map_or(constraint.file.code.at, |text| text.at)
}

fn differ(code: &str, texts: &[Text<'_>], problems: &mut Vec<Problem>) {
    let [(_, (at, verb, _)), others @ ..] = texts else { return };
    if others.is_empty() {
        return;
    }
    let message = format!(
        "{} is described in {} ways; the longest, of {}, is published as its one-line answer",
        quoted(code),
        texts.len(),
        quoted(verb),
    );
    let mut problem = Problem::new(Lint::TextsDiffer, *at, message)
        .help("write the constraint once, under constraints/, and name it in the verbs");
    for (text, (place, verb, uses)) in others.iter().take(3) {
        let more = if *uses > 1 { format!(" and {} more", uses - 1) } else { String::new() };
        problem = problem.related(*place, format!("{}{more}: {}", quoted(verb), quoted(text)));
    }
    problems.push(problem);
}

fn tie(code: &str, texts: &[Text<'_>], problems: &mut Vec<Problem>) {
    let [(longest, (at, verb, _)), others @ ..] = texts else { return };
    let length = longest.chars().count();
    let tied: Vec<_> = others.iter().take_while(|(text, _)| text.chars().count() == length).collect();
    if tied.is_empty() {
        return;
    }
    let message = format!(
        "{} texts of {} are equally long ({length} characters); the smallest, of {}, is published",
        tied.len() + 1,
        quoted(code),
        quoted(verb),
    );
    let problem = Problem::new(Lint::TextTie, *at, message).help("make them one text");
    problems.push(tied.iter().fold(problem, |problem, (text, (place, verb, _))| {
        problem.related(*place, format!("{}: {}", quoted(verb), quoted(text)))
    }));
}
