//! Examples do what they say: a known answer, an input that a runtime takes unless the answer is that it
//! does not, and facts that the verb's checks read.

use std::collections::BTreeMap;

use forecheck_contract::admission::{InputProblem, admit};
use forecheck_contract::instant;
use forecheck_contract::json::Member;
use forecheck_contract::outcome::Status;
use forecheck_contract::runtime_code::RuntimeCode;
use forecheck_contract::validator::{Uncompilable, Validator};

use super::facts::reads;
use crate::file::Example;
use crate::problem::{Lint, Location, Problem};
use crate::raw::RawSurface;
use crate::schema::bundle::bundle;
use crate::surface::Verb;
use crate::text::{nearest, quoted};

pub(crate) fn check<'s>(raw: &RawSurface<'s>, verbs: &[Verb<'s>], problems: &mut Vec<Problem>) {
    if problems.iter().any(|problem| problem.lint.spoils_schemas()) {
        return;
    }
    let mut facts = Facts { raw, validators: BTreeMap::new() };
    for verb in verbs {
        let examples = verb.file.examples.as_deref().unwrap_or_default();
        for example in examples {
            problems.extend(facts.problems(verb, example));
        }
        if !examples.is_empty() {
            check_answers(raw, verb, examples, problems);
        }
    }
}

/// The facts of a surface, with the validators of those that examples give.
struct Facts<'r, 's> {
    raw: &'r RawSurface<'s>,
    validators: BTreeMap<&'s str, Result<Validator, Uncompilable>>,
}

impl<'s> Facts<'_, 's> {
    fn problems(&mut self, verb: &Verb<'s>, example: &Example<'s>) -> Vec<Problem> {
        let Some(facts) = example.facts else { return Vec::new() };
        let file = example.expect.at.file;
        let problem = |span, message: String| Problem::new(Lint::Example, Location { file, span }, message);
        let Some(members) = facts.as_object() else {
            let message = "the facts of an example are an object with a member for each fact";
            return vec![problem(facts.span, message.to_owned())];
        };
        let mut found = Vec::new();
        for member in members {
            if let Some(message) = self.unread(verb, &member.name) {
                let near = nearest(&member.name, self.raw.facts.keys().copied());
                let unread = problem(member.name_span, message);
                found.push(match near.first().filter(|near| **near != member.name) {
                    Some(near) => unread.help(format!("did you mean {}?", quoted(near))),
                    None => unread,
                });
            } else {
                let misfits = self.misfits(member).into_iter();
                found.extend(misfits.map(|(at, message)| {
                    let node = member.node.at(&at).unwrap_or(&member.node);
                    problem(node.span, format!("the fact {} does not fit: {message}", quoted(&member.name)))
                }));
            }
        }
        found
    }

    /// Why no check of a verb is given this fact, if none is.
    fn unread(&self, verb: &Verb<'s>, name: &str) -> Option<String> {
        let is_open = |file| {
            verb.can_gather(&self.raw.schemas, file)
                && verb.constraints.iter().any(|constraint| constraint.reads.is_none())
        };
        match self.raw.facts.get(name) {
            None if name != "now" => Some(format!("{} is no fact of this surface", quoted(name))),
            Some((_, file)) if is_open(file) => None,
            _ if reads(verb, name) => None,
            _ => Some(format!("no check of {} reads the fact {}", quoted(verb.name()), quoted(name))),
        }
    }

    /// What is wrong with the value of a fact, each with its pointer in the value.
    fn misfits(&mut self, member: &Member<'s>) -> Vec<(String, String)> {
        let of_all = |message: String| vec![(String::new(), message)];
        let Some((&name, (_, file))) = self.raw.facts.get_key_value(&*member.name) else {
            return match member.node.as_str().map(instant::parse) {
                Some(Ok(_)) => Vec::new(),
                Some(Err(no_instant)) => of_all(no_instant.to_string()),
                None => of_all("it is a text like `2026-01-31T12:00:00Z`".to_owned()),
            };
        };
        let compiled = || Validator::new(bundle(&self.raw.schemas, file.schema));
        match self.validators.entry(name).or_insert_with(compiled) {
            Ok(validator) => {
                let violations = validator.violations_of(&member.node).into_iter();
                violations.map(|violation| (violation.at, violation.message)).collect()
            }
            Err(error) => of_all(format!("its schema cannot be compiled: {error}")),
        }
    }
}

fn check_answers<'s>(
    raw: &RawSurface<'s>,
    verb: &Verb<'s>,
    examples: &[Example<'s>],
    problems: &mut Vec<Problem>,
) {
    match Validator::new(bundle(&raw.schemas, verb.file.input)) {
        Ok(validator) => {
            let problem = |example| check_answer(verb, example, &validator);
            problems.extend(examples.iter().filter_map(problem));
        }
        Err(error) => {
            let message =
                format!("the input schema cannot be compiled, so its examples are not checked: {error}");
            problems.push(Problem::new(Lint::Example, verb.file.verb.at, message));
        }
    }
}

fn check_answer(verb: &Verb<'_>, example: &Example<'_>, validator: &Validator) -> Option<Problem> {
    let Example { expect, input, .. } = *example;
    if let Some(message) = unanswerable(verb, expect.value) {
        return Some(Problem::new(Lint::Example, expect.at, message));
    }
    let problem =
        |span, message| Some(Problem::new(Lint::Example, Location { file: expect.at.file, span }, message));
    let text = serde_json::to_string(input).unwrap_or_default();
    let refused: Option<InputProblem> =
        admit(&verb.recipe, validator, text.as_bytes()).err().and_then(|all| all.into_iter().next());
    let runtime = RuntimeCode::ALL.iter().find(|code| code.as_str() == expect.value).copied();
    match (runtime.filter(|code| code.is_about_input()), refused) {
        (Some(expected), None) => problem(
            input.span,
            format!("the input is in order, so {} cannot be the answer", expected.as_str()),
        ),
        (_, Some(_)) if expect.value == Status::Refused.as_str() => None,
        (expected, Some(refused)) if expected != Some(refused.code) => {
            let span = input.at(&refused.at).map_or(input.span, |node| node.span);
            problem(span, format!("the input is refused with {}: {}", refused.code.as_str(), refused.message))
        }
        (Some(_) | None, _) => None,
    }
}

/// Why a verb never answers like that, if it does not.
fn unanswerable(verb: &Verb<'_>, expected: &str) -> Option<String> {
    let status = Status::ALL.into_iter().find(|status| status.as_str() == expected);
    let runtime = RuntimeCode::ALL.iter().find(|code| code.as_str() == expected);
    let is_code = verb.constraints.iter().any(|constraint| constraint.code() == expected);
    if !is_code && runtime.is_none() && status.is_none() {
        let name = quoted(verb.name());
        return Some(format!("{} is neither a status nor a code of {name}", quoted(expected)));
    }
    let of_record = matches!(status, Some(Status::SkippedIdempotent | Status::InFlight | Status::InDoubt))
        || runtime == Some(&RuntimeCode::LedgerUnavailable);
    (verb.is_read_only() && of_record).then(|| {
        format!("no record is kept of {}, so {} cannot be the answer", quoted(verb.name()), quoted(expected))
    })
}
