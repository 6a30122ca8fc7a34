//! Examples do what they say: a known answer, and an input that a runtime takes unless the answer is
//! that it does not.

use forecheck_contract::admission::admit;
use forecheck_contract::outcome::Status;
use forecheck_contract::runtime_code::RuntimeCode;
use forecheck_contract::validator::Validator;

use crate::file::Example;
use crate::problem::{Lint, Location, Problem};
use crate::raw::RawSurface;
use crate::schema::bundle::bundle;
use crate::surface::Verb;
use crate::text::quoted;

pub(crate) fn check<'s>(raw: &RawSurface<'s>, verbs: &[Verb<'s>], problems: &mut Vec<Problem>) {
    if problems.iter().any(|problem| problem.lint.spoils_schemas()) {
        return;
    }
    for verb in verbs {
        let examples = verb.file.examples.as_deref().unwrap_or_default();
        for fact in examples
            .iter()
            .flat_map(|example| example.facts.and_then(|facts| facts.as_object()).unwrap_or_default())
        {
            if !raw.facts.contains_key(&*fact.name) && fact.name != "now" {
                let at = Location { file: verb.file.verb.at.file, span: fact.name_span };
                problems.push(Problem::new(
                    Lint::Example,
                    at,
                    format!("{} is no fact of this surface", quoted(&fact.name)),
                ));
            }
        }
        if examples.is_empty() {
            continue;
        }
        match Validator::new(bundle(&raw.schemas, verb.file.input)) {
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
    let runtime = RuntimeCode::ALL.iter().find(|code| code.as_str() == expect.value).copied();
    if !is_code && runtime.is_none() && !Status::ALL.iter().any(|status| status.as_str() == expect.value) {
        let message =
            format!("{} is neither a status nor a code of {}", quoted(expect.value), quoted(verb.name()));
        problems.push(Problem::new(Lint::Example, expect.at, message));
        return;
    }
    let at = Location { file: expect.at.file, span: example.input.span };
    let text = serde_json::to_string(example.input).unwrap_or_default();
    let admitted = admit(&verb.recipe, validator, text.as_bytes());
    let refused = admitted.err().and_then(|problems| problems.into_iter().next());
    let expected = runtime.filter(|code| code.is_about_input());
    let message = match (expected, refused) {
        (Some(expected), None) => {
            format!("the input is in order, so {} cannot be the answer", expected.as_str())
        }
        (expected, Some(refused)) if expected != Some(refused.code) => {
            let span = example.input.at(&refused.at).map_or(at.span, |node| node.span);
            let message = format!("the input is refused with {}: {}", refused.code.as_str(), refused.message);
            problems.push(Problem::new(Lint::Example, Location { span, ..at }, message));
            return;
        }
        (Some(_) | None, _) => return,
    };
    problems.push(Problem::new(Lint::Example, at, message));
}
