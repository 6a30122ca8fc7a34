//! `forecheck key`: the verb `derive_key`.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use forecheck_contract::admission::{InputProblem, admit};
use forecheck_contract::json::{Limits, position_of};
use forecheck_contract::key::Keyed;
use forecheck_contract::outcome::Effects;
use forecheck_contract::recipe::Recipe;
use forecheck_contract::validator::Validator;
use forecheck_spec::schema::bundle::bundle;
use forecheck_spec::surface::{Surface, Verb};
use forecheck_spec::text::nearest;
use forecheck_verbs::generated::derive_key as verb;
use forecheck_verbs::generated::details::{self, KeyedInputRefusedProblemsItem as Problem};

use super::{refuse, spec};
use crate::answer::{Call, Exit, Failure, Stop};
use crate::arguments::KeyArguments;

pub(crate) fn run(arguments: &KeyArguments) -> Result<Exit, Failure> {
    let call = Call { verb: verb::VERB, json: arguments.json };
    spec::with_surface(&call, &arguments.spec.spec, |surface| answer(&call, arguments, surface))
        .or_else(|stop| call.stopped(stop))
}

fn answer(call: &Call, arguments: &KeyArguments, surface: &Surface<'_>) -> Result<Exit, Stop> {
    let (verb, recipe) = find(surface, &arguments.verb)?;
    let text = read_input(&arguments.input)?;
    let validator = Validator::new(bundle(&surface.schemas, verb.file.input))?;
    match derive(recipe, &validator, &text) {
        Ok(output) => {
            call.answered(Effects::None, &output, &format!("{}\n", output.key))?;
            Ok(Exit::Done)
        }
        Err(problems) => refuse_input(verb.name(), problems),
    }
}

fn find<'v, 's>(surface: &'v Surface<'s>, name: &str) -> Result<(&'v Verb<'s>, &'v Recipe), Stop> {
    let Some(verb) = surface.verbs.iter().find(|verb| verb.name() == name) else {
        let nearest = nearest(name, surface.verbs.iter().map(Verb::name));
        let nearest: Vec<String> = nearest.into_iter().map(str::to_owned).collect();
        let or =
            if nearest.is_empty() { String::new() } else { format!("; the nearest: {}", nearest.join(", ")) };
        let message = format!("the surface `{}` has no verb `{name}`{or}", surface.id.name);
        refuse!(verb::Refusal::VerbUnknown(details::VerbUnknown { nearest }), message, vec!["/verb"])
    };
    let Some(recipe) = verb.key_recipe() else {
        let message = format!("the verb `{name}` is read-only, so it has no key");
        refuse!(verb::Refusal::VerbHasNoKey, message, vec!["/verb"])
    };
    Ok((verb, recipe))
}

/// The input, as far as it has to be read to know that it is too long.
fn read_input(file: &Path) -> Result<Vec<u8>, Failure> {
    let limit = u64::from(Limits::CALL.bytes) + 1;
    let mut text = Vec::new();
    let read = if file == Path::new("-") {
        io::stdin().lock().take(limit).read_to_end(&mut text)
    } else {
        File::open(file).and_then(|file| file.take(limit).read_to_end(&mut text))
    };
    match read {
        Ok(_) => Ok(text),
        Err(error) => Err(format!("the input `{}` cannot be read: {error}", file.display()).into()),
    }
}

fn derive(recipe: &Recipe, validator: &Validator, text: &[u8]) -> Result<verb::Output, Vec<Problem>> {
    let published = |problems: Vec<InputProblem>| {
        problems.into_iter().map(|problem| publish(text, problem)).collect::<Vec<_>>()
    };
    let input = admit(recipe, validator, text).map_err(published)?;
    match Keyed::new(recipe, &input.node) {
        Ok(keyed) => Ok(verb::Output {
            key: keyed.key().to_string(),
            verb: recipe.verb.clone(),
            target: keyed.target().to_owned(),
            canonical_input: keyed.canonical_input(),
        }),
        // INVARIANT: `admit` has looked at the target.
        Err(_) => Err(Vec::new()),
    }
}

fn publish(text: &[u8], problem: InputProblem) -> Problem {
    let position = position_of(text, problem.start as usize);
    Problem {
        code: problem.code.as_str().to_owned(),
        at: problem.at,
        line: position.line as u64,
        column: position.column as u64,
        message: problem.message,
    }
}

fn refuse_input<T>(verb: &str, problems: Vec<Problem>) -> Result<T, Stop> {
    let lines = problems.iter().map(|problem| {
        let at = if problem.at.is_empty() { String::new() } else { format!(" at {}", problem.at) };
        format!("\n  {}:{}: {}{at}: {}", problem.line, problem.column, problem.code, problem.message)
    });
    let message = format!("the verb `{verb}` would refuse this input:{}", lines.collect::<String>());
    refuse!(verb::Refusal::KeyedInputRefused(details::KeyedInputRefused { problems }), message, vec!["/text"])
}
