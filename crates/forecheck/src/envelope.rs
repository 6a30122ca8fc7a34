//! Outcomes and refusals as they are published.

use std::time::SystemTime;

use forecheck_contract::admission::InputProblem;
use forecheck_contract::key::Key;
use forecheck_contract::outcome::{Effects, Outcome, Refusal, Status};
use forecheck_contract::pointer;
use forecheck_contract::recipe::TargetInvalid;
use forecheck_contract::resend::Meaning;
use forecheck_contract::runtime_code::RuntimeCode;
use serde_json::Value;

use crate::definition::{Loaded, Origin};
use crate::verb::{Failed, Refusing};

pub(crate) fn outcome(loaded: &Loaded, key: Option<Key>, status: Status, effects: Effects) -> Outcome {
    Outcome { key: key.map(|key| key.to_string()), ..bare(loaded.origin, status, effects) }
}

fn bare(origin: Origin, status: Status, effects: Effects) -> Outcome {
    Outcome {
        status,
        verb: origin.verb.to_owned(),
        key: None,
        output: None,
        refusal: None,
        message: None,
        effects_of_this_call: effects,
        first_succeeded_at: None,
        remembered_until: None,
        input_differs: false,
        next: None,
        spec_sha256: origin.spec_sha256.to_owned(),
    }
}

/// A call that nothing can be done with.
pub(crate) fn failed(origin: Origin, message: String) -> Box<Outcome> {
    Box::new(Outcome { message: Some(message), ..bare(origin, Status::Failed, Effects::None) })
}

/// A call that was refused.
pub(crate) fn refused(loaded: &Loaded, key: Option<Key>, refusal: Refusal) -> Box<Outcome> {
    Box::new(Outcome { refusal: Some(refusal), ..outcome(loaded, key, Status::Refused, Effects::None) })
}

/// A refusal of one of the verb's constraints.
pub(crate) fn refusal<R: Refusing>(loaded: &Loaded, input: &Value, failed: Failed<R>) -> Refusal {
    let code = failed.details.code();
    let declared = loaded.constraint(code);
    let meaning =
        declared.map_or_else(|| Meaning::derive(None, None), |constraint| constraint.meaning.clone());
    let message = failed.message.or_else(|| declared.map(|constraint| constraint.description.clone()));
    let subject = declared.map(|constraint| constraint.subject.as_slice()).unwrap_or_default();
    let named = failed.at.into_iter();
    let mut at: Vec<String> = named
        .filter(|at| subject.is_empty() || subject.iter().any(|within| pointer::is_within(at, within)))
        .collect();
    if at.is_empty() {
        at = subject.iter().filter(|at| input.pointer(at).is_some()).cloned().collect();
    }
    Refusal {
        code: code.to_owned(),
        message: message.filter(|message| !message.is_empty()).unwrap_or_else(|| code.to_owned()),
        at,
        details: failed.details.details().unwrap_or_default(),
        also: Vec::new(),
        resend: meaning.resend,
        change: meaning.change,
        page: Some(format!("codes/{code}/")),
    }
}

/// A refusal of the runtime itself.
pub(crate) fn runtime_refusal(
    code: RuntimeCode,
    message: String,
    at: Vec<String>,
    details: Option<Value>,
) -> Refusal {
    Refusal {
        code: code.as_str().to_owned(),
        message,
        at,
        details,
        also: Vec::new(),
        resend: code.resend(),
        change: None,
        page: None,
    }
}

/// The refusal of an input: its first problem, with the others under `also`.
pub(crate) fn input_problems(problems: Vec<InputProblem>) -> Refusal {
    let mut refusals = problems
        .into_iter()
        .map(|problem| runtime_refusal(problem.code, problem.message, vec![problem.at], None));
    let first = refusals.next().unwrap_or_else(|| {
        // INVARIANT: whoever refuses an input names a problem.
        runtime_refusal(RuntimeCode::SchemaInvalid, String::new(), Vec::new(), None)
    });
    Refusal { also: refusals.collect(), ..first }
}

/// An input that its schema allows and its type does not hold.
pub(crate) fn unreadable(error: &impl std::fmt::Display) -> Refusal {
    runtime_refusal(RuntimeCode::SchemaInvalid, error.to_string(), vec![String::new()], None)
}

/// A target that cannot stand in a key.
pub(crate) fn no_target(invalid: &TargetInvalid) -> Refusal {
    runtime_refusal(RuntimeCode::TargetInvalid, invalid.to_string(), Vec::new(), None)
}

/// An instant as RFC 3339 text, in whole seconds.
pub(crate) fn instant(time: SystemTime) -> Option<String> {
    let instant = jiff::Timestamp::try_from(time).ok()?;
    jiff::Timestamp::from_second(instant.as_second()).ok().map(|whole| whole.to_string())
}
