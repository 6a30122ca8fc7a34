//! Defaults that are filled in fit their schemas, and hold nothing that the key leaves out.

use forecheck_contract::json::{Limits, Node, Number, Value, read};
use forecheck_contract::pointer;
use forecheck_contract::validator::Validator;

use crate::instance::{fields_at, unconditional};
use crate::problem::{Lint, Location, Problem};
use crate::raw::RawSurface;
use crate::schema::Place;
use crate::schema::bundle::bundle_at;
use crate::surface::Verb;
use crate::text::quoted;

pub(crate) fn check<'s>(raw: &RawSurface<'s>, verbs: &[Verb<'s>], problems: &mut Vec<Problem>) {
    if problems.iter().any(|problem| problem.lint.spoils_schemas()) {
        return;
    }
    for verb in verbs {
        for at in verb.recipe.defaults.keys() {
            problems.extend(fault(raw, verb, at));
        }
    }
}

fn fault<'s>(raw: &RawSurface<'s>, verb: &Verb<'s>, at: &str) -> Option<Problem> {
    let places = fields_at(&raw.schemas, &verb.input(), at);
    let places: Vec<Place<'s>> = places.iter().flat_map(|place| unconditional(&raw.schemas, place)).collect();
    let (place, default) = places.iter().find_map(|place| Some((place, place.node.get("default")?)))?;
    let what = holds_ignored(verb, at, default).or_else(|| misfit(raw, &places, default))?;
    let is_in = |root: &Node<'_>| std::ptr::eq(root, place.resource.root);
    let shared = raw.schema_files.iter().find(|(_, resource)| is_in(resource.root));
    let file = shared.map_or(verb.file.verb.at.file, |(file, _)| Some(*file));
    let message = format!("the default of {} {what}", quoted(at));
    Some(Problem::new(Lint::Default, Location { file, span: default.span }, message))
}

/// A field that the key leaves out could then decide what is executed under one key.
fn holds_ignored(verb: &Verb<'_>, at: &str, default: &Node<'_>) -> Option<String> {
    let inside = verb.recipe.ignored.iter().filter(|ignored| pointer::is_within(ignored, at));
    let held = |ignored: &&String| ignored.strip_prefix(at).is_some_and(|below| default.at(below).is_some());
    inside.filter(|ignored| *ignored != at).find(held).map(|ignored| {
        format!("holds {}, which stays out of the key: leave it out of the default", quoted(ignored))
    })
}

/// Keywords that say nothing about a value.
const ANNOTATIONS: [&str; 7] =
    ["default", "description", "title", "$comment", "examples", "deprecated", "x-key"];

/// Whether a schema only asks for a type that the value has: seen without building a validator.
fn plainly_fits(schema: &Node<'_>, value: &Node<'_>) -> bool {
    let Some(keywords) = schema.as_object() else { return false };
    keywords.iter().all(|keyword| match &*keyword.name {
        "type" => matches!(
            (&value.value, keyword.node.as_str()),
            (Value::Bool(_), Some("boolean"))
                | (Value::String(_), Some("string"))
                | (Value::Number(_), Some("number"))
                | (Value::Number(Number::Unsigned(_) | Number::Signed(_)), Some("integer"))
                | (Value::Array(_), Some("array"))
                | (Value::Object(_), Some("object"))
        ),
        name => ANNOTATIONS.contains(&name),
    })
}

fn misfit(raw: &RawSurface<'_>, places: &[Place<'_>], default: &Node<'_>) -> Option<String> {
    let text = serde_json::to_string(default).ok()?;
    let value = serde_json::from_str(&text).ok()?;
    if let Err(problems) = read(text.as_bytes(), Limits::CALL) {
        return problems.first().map(|problem| format!("is refused in calls: {}", problem.kind));
    }
    places.iter().filter(|place| !plainly_fits(place.node, default)).find_map(|place| {
        let validator = Validator::new(bundle_at(&raw.schemas, place)).ok()?;
        let mut violations = validator.violations(&value);
        violations.extend(validator.unsafe_integers(default));
        violations.first().map(|violation| format!("does not fit its schema: {}", violation.message))
    })
}
