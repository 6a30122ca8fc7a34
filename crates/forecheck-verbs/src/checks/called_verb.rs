//! `VERB_UNKNOWN`, `VERB_HAS_NO_KEY`, `KEYED_INPUT_REFUSED`.

use forecheck::Failed;
use forecheck_contract::admission::{InputProblem, admit};
use forecheck_contract::json::position_of;
use forecheck_contract::key::Keyed;
use forecheck_contract::recipe::Recipe;
use forecheck_contract::runtime_code::RuntimeCode;
use forecheck_contract::validator::Validator;
use serde::Deserialize as _;

use super::or_nearest;
use crate::generated::derive_key::Output;
use crate::generated::details::{KeyedInputRefused, KeyedInputRefusedProblemsItem as Problem, VerbUnknown};
use crate::generated::facts::{CalledVerb, CalledVerbVerb};

pub(super) fn unknown(verb: &str, called: &CalledVerb) -> Result<(), Failed<VerbUnknown>> {
    if called.verb.is_some() {
        return Ok(());
    }
    let nearest = called.nearest.clone();
    let message = format!("the surface `{}` has no verb `{verb}`{}", called.surface, or_nearest(&nearest));
    Err(Failed::from(VerbUnknown { nearest }).because(message))
}

pub(super) fn has_no_key(verb: &str, called: &CalledVerb) -> Result<(), Failed<()>> {
    if called.verb.as_ref().is_some_and(|verb| verb.recipe.is_some()) {
        return Ok(());
    }
    Err(Failed::from(()).because(format!("the verb `{verb}` is read-only, so it has no key")))
}

pub(super) fn input_refused(
    verb: &str,
    text: &str,
    called: &CalledVerb,
) -> Result<(), Failed<KeyedInputRefused>> {
    let Err(NoKey(problems)) = derive(called, text) else { return Ok(()) };
    let lines = problems.iter().map(|problem| {
        let at = if problem.at.is_empty() { String::new() } else { format!(" at {}", problem.at) };
        format!("\n  {}:{}: {}{at}: {}", problem.line, problem.column, problem.code, problem.message)
    });
    let message = format!("the verb `{verb}` would refuse this input:{}", lines.collect::<String>());
    Err(Failed::from(KeyedInputRefused { problems }).because(message))
}

/// Why an input has no key: what is wrong with it.
#[derive(Debug, Clone, PartialEq)]
pub struct NoKey(pub Vec<Problem>);

/// The key of a call of the verb with the input `text`, and what it is made of.
///
/// # Errors
/// [`NoKey`] for an input that the verb would refuse before it has a key.
pub fn derive(called: &CalledVerb, text: &str) -> Result<Output, NoKey> {
    let (recipe, validator) = keys_of(called.verb.as_ref()).map_err(|reason| {
        let code = RuntimeCode::SchemaInvalid;
        published(text, vec![InputProblem { code, at: String::new(), start: 0, message: reason }])
    })?;
    let input = admit(&recipe, &validator, text.as_bytes()).map_err(|problems| published(text, problems))?;
    // INVARIANT: `admit` has looked at the target.
    let keyed = Keyed::new(&recipe, &input.node).map_err(|_| NoKey(Vec::new()))?;
    Ok(Output {
        key: keyed.key().to_string(),
        verb: recipe.verb.clone(),
        target: keyed.target().to_owned(),
        canonical_input: keyed.canonical_input(),
    })
}

/// What the key of a verb is made with; in words, why it cannot be.
fn keys_of(verb: Option<&CalledVerbVerb>) -> Result<(Recipe, Validator), String> {
    let recipe = verb.and_then(|verb| Some((verb, verb.recipe.as_ref()?)));
    let (verb, recipe) = recipe.ok_or_else(|| "the verb has no key".to_owned())?;
    let recipe = Recipe::deserialize(recipe).map_err(|error| error.to_string())?;
    let validator = Validator::new(verb.input.clone()).map_err(|error| error.to_string())?;
    Ok((recipe, validator))
}

fn published(text: &str, problems: Vec<InputProblem>) -> NoKey {
    let problem = |problem: InputProblem| {
        let position = position_of(text.as_bytes(), problem.start as usize);
        Problem {
            code: problem.code.as_str().to_owned(),
            at: problem.at,
            line: position.line as u64,
            column: position.column as u64,
            message: problem.message,
        }
    };
    NoKey(problems.into_iter().map(problem).collect())
}
