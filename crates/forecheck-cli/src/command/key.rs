//! `forecheck key`: the verb `derive_key`.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use forecheck_contract::json::{self, Limits, Node, position_of};
use forecheck_contract::key::Keyed;
use forecheck_contract::outcome::Effects;
use forecheck_contract::recipe::Recipe;
use forecheck_contract::runtime_code::RuntimeCode;
use forecheck_spec::check::check;
use forecheck_spec::problem::Severity;
use forecheck_spec::source::Sources;
use forecheck_spec::surface::{Surface, Verb};
use forecheck_spec::tree::Trees;
use forecheck_spec::validator::Validator;
use forecheck_verbs::generated::derive_key as verb;
use forecheck_verbs::generated::details::{self, KeyedInputRefusedProblemsItem as InputProblem};

use super::shown;
use crate::answer::{Call, Exit, Failure, Raised};
use crate::arguments::KeyArguments;
use crate::problem::{Counts, in_words, published};
use crate::terminal;

pub(crate) fn run(arguments: &KeyArguments) -> Result<Exit, Failure> {
    let call = Call { verb: verb::VERB, json: arguments.json };
    match attempt(&call, arguments)? {
        Ok(output) => {
            call.answered(Effects::None, &output, &format!("{}\n", output.key))?;
            Ok(Exit::Done)
        }
        Err(refused) => call.refused(Raised {
            code: refused.refusal.code(),
            details: refused.refusal.details()?,
            message: refused.message,
            at: refused.at,
        }),
    }
}

/// A refusal with its sentence.
struct Refused {
    refusal: verb::Refusal,
    message: String,
    at: &'static [&'static str],
}

fn attempt(call: &Call, arguments: &KeyArguments) -> Result<Result<verb::Output, Refused>, Failure> {
    let sources = match Sources::load(&arguments.spec.spec) {
        Ok(sources) => sources,
        Err(error) => {
            let refusal =
                verb::Refusal::SpecUnreadable(details::SpecUnreadable { reason: error.source.to_string() });
            return Ok(Err(Refused { refusal, message: error.to_string(), at: &["/spec"] }));
        }
    };
    let trees = Trees::read(&sources);
    let checked = check(&trees);
    let Some(surface) = &checked.surface else {
        let folder = shown(&arguments.spec.spec);
        if !call.json {
            terminal::problems(&in_words(&checked, &trees, &folder, Severity::Error));
        }
        let counts = Counts::of(&checked);
        let problems = published(&checked, &trees);
        let details = details::SpecHasErrors { errors: counts.errors, warnings: counts.warnings, problems };
        let message = format!("`{folder}` has {}", counts.in_words());
        return Ok(Err(Refused { refusal: verb::Refusal::SpecHasErrors(details), message, at: &["/spec"] }));
    };
    let (verb, recipe) = match find(surface, &arguments.verb) {
        Ok(found) => found,
        Err(refused) => return Ok(Err(refused)),
    };
    let text = read_input(&arguments.input)?;
    let validator = Validator::new(&surface.schemas, verb.file.input)?;
    Ok(derive(recipe, &validator, &text).map_err(|problems| input_refused(verb.name(), problems)))
}

fn find<'v, 's>(surface: &'v Surface<'s>, name: &str) -> Result<(&'v Verb<'s>, &'v Recipe), Refused> {
    let Some(verb) = surface.verbs.iter().find(|verb| verb.name() == name) else {
        return Err(unknown(surface, name));
    };
    match &verb.recipe {
        Some(recipe) => Ok((verb, recipe)),
        None => Err(Refused {
            refusal: verb::Refusal::VerbHasNoKey,
            message: format!("the verb `{name}` is read-only, so it has no key"),
            at: &["/verb"],
        }),
    }
}

fn unknown(surface: &Surface<'_>, name: &str) -> Refused {
    let mut near: Vec<(usize, &str)> = surface
        .verbs
        .iter()
        .map(|verb| (strsim::damerau_levenshtein(name, verb.name()), verb.name()))
        .filter(|(distance, known)| *distance <= 2 + known.len() / 3)
        .collect();
    near.sort_unstable();
    let nearest: Vec<String> = near.into_iter().take(3).map(|(_, known)| known.to_owned()).collect();
    let or =
        if nearest.is_empty() { String::new() } else { format!("; the nearest are {}", nearest.join(", ")) };
    let message = format!("the surface `{}` has no verb `{name}`{or}", surface.id.name);
    Refused { refusal: verb::Refusal::VerbUnknown(details::VerbUnknown { nearest }), message, at: &["/verb"] }
}

fn read_input(file: &Path) -> Result<Vec<u8>, Failure> {
    let mut text = Vec::new();
    let read = if file == Path::new("-") {
        io::stdin().lock().read_to_end(&mut text).map(|_| text)
    } else {
        fs::read(file)
    };
    read.map_err(|error| format!("the input `{}` cannot be read: {error}", file.display()).into())
}

/// The order of a call up to its key: read, spell, validate, hash.
fn derive(recipe: &Recipe, validator: &Validator, text: &[u8]) -> Result<verb::Output, Vec<InputProblem>> {
    let mut input = json::read(text, Limits::CALL).map_err(|problems| {
        let problem = |problem: json::ReadProblem| {
            input_problem(
                text,
                problem.kind.code(),
                problem.pointer,
                problem.span.start,
                problem.kind.to_string(),
            )
        };
        problems.into_iter().map(problem).collect::<Vec<_>>()
    })?;
    recipe.spell_target(&mut input);
    let violations = validator.violations(&input);
    if !violations.is_empty() {
        let problem = |violation: forecheck_spec::validator::Violation| {
            let start = input.at(&violation.at).map_or(0, |node| node.span.start);
            input_problem(text, RuntimeCode::SchemaInvalid, violation.at, start, violation.message)
        };
        return Err(violations.into_iter().map(problem).collect());
    }
    let keyed = Keyed::new(recipe, &input).map_err(|invalid| {
        let at = recipe.target.as_ref().map_or_else(String::new, |target| target.pointer.clone());
        let start = input.at(&at).map_or(0, |node: &Node<'_>| node.span.start);
        vec![input_problem(text, RuntimeCode::TargetInvalid, at, start, invalid.to_string())]
    })?;
    Ok(verb::Output {
        key: keyed.key().to_string(),
        verb: recipe.verb.clone(),
        target: keyed.target().to_owned(),
        canonical_input: keyed.canonical_input(),
    })
}

fn input_problem(text: &[u8], code: RuntimeCode, at: String, start: u32, message: String) -> InputProblem {
    let position = position_of(text, start as usize);
    InputProblem {
        code: code.as_str().to_owned(),
        at,
        line: position.line as u64,
        column: position.column as u64,
        message,
    }
}

fn input_refused(verb: &str, problems: Vec<InputProblem>) -> Refused {
    let lines = problems.iter().map(|problem| {
        let at = if problem.at.is_empty() { String::new() } else { format!(" at {}", problem.at) };
        format!("\n  {}:{}: {}{at}: {}", problem.line, problem.column, problem.code, problem.message)
    });
    let message = format!("the verb `{verb}` would refuse this input:{}", lines.collect::<String>());
    let refusal = verb::Refusal::KeyedInputRefused(details::KeyedInputRefused { problems });
    Refused { refusal, message, at: &["/text"] }
}
