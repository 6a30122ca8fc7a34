//! Examples do what they say: a known answer, and an input that fits the schema unless the answer
//! says otherwise.

use forecheck_contract::outcome::Status;
use forecheck_contract::runtime_code::RuntimeCode;

use crate::file::Example;
use crate::problem::{Lint, Location, Problem};
use crate::schema::Schemas;
use crate::surface::Verb;
use crate::text::quoted;
use crate::validator::Validator;

pub(crate) fn check<'s>(schemas: &Schemas<'s>, verbs: &[Verb<'s>], problems: &mut Vec<Problem>) {
    if problems.iter().any(|problem| matches!(problem.lint, Lint::Schema | Lint::UnresolvedRef)) {
        return;
    }
    for verb in verbs {
        let examples = verb.file.examples.as_deref().unwrap_or_default();
        if examples.is_empty() {
            continue;
        }
        match Validator::new(schemas, verb.file.input) {
            Ok(validator) => {
                for example in examples {
                    check_example(verb, example, &validator, problems);
                }
            }
            Err(error) => {
                let message =
                    format!("the input schema cannot be compiled, so its examples are not checked: {error}");
                problems.push(Problem::new(Lint::Example, verb.file.verb.at, message));
            }
        }
    }
}

fn check_example(verb: &Verb<'_>, example: &Example<'_>, validator: &Validator, problems: &mut Vec<Problem>) {
    let expect = example.expect;
    let is_code = verb.constraints.iter().any(|constraint| constraint.code() == expect.value);
    let runtime = RuntimeCode::ALL.iter().find(|code| code.as_str() == expect.value);
    if !is_code && runtime.is_none() && !Status::ALL.iter().any(|status| status.as_str() == expect.value) {
        let message =
            format!("{} is neither a status nor a code of {}", quoted(expect.value), quoted(verb.name()));
        problems.push(Problem::new(Lint::Example, expect.at, message));
        return;
    }
    let at = Location { file: expect.at.file, span: example.input.span };
    let violations = validator.violations(example.input);
    match (runtime, violations.first()) {
        (Some(RuntimeCode::SchemaInvalid), None) => {
            let message = "the input fits the schema, so SCHEMA_INVALID cannot be the answer";
            problems.push(Problem::new(Lint::Example, at, message));
        }
        (None, Some(violation)) => {
            let span = example.input.at(&violation.at).map_or(at.span, |node| node.span);
            let message = format!("the input does not fit the schema: {}", violation.message);
            problems.push(Problem::new(Lint::Example, Location { span, ..at }, message));
        }
        _ => {}
    }
}
