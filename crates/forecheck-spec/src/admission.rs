//! What a runtime does with an input before it has a key: read strictly, spell the target, validate,
//! look at numbers and the target. One order, for `forecheck key` and for the examples of a spec.

use forecheck_contract::json::{self, Limits, Node};
use forecheck_contract::recipe::Recipe;
use forecheck_contract::runtime_code::RuntimeCode;

use crate::validator::{Validator, Violation};

/// The most problems of one input that are reported.
pub const MOST_PROBLEMS: usize = 64;

/// Something for which a runtime refuses an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputProblem {
    /// The code under which it is refused.
    pub code: RuntimeCode,
    /// The pointer of the value.
    pub at: String,
    /// The first byte of the value in the text.
    pub start: u32,
    /// What is wrong, in one line.
    pub message: String,
}

/// Reads `text` as the input of a verb. `recipe` is absent for a read-only verb.
///
/// # Errors
/// The problems of the first step that finds any, at most [`MOST_PROBLEMS`].
pub fn admit<'a>(
    recipe: Option<&Recipe>,
    validator: &Validator,
    text: &'a [u8],
) -> Result<Node<'a>, Vec<InputProblem>> {
    let mut input = json::read(text, Limits::CALL).map_err(|problems| {
        let problem = |problem: json::ReadProblem| InputProblem {
            code: problem.kind.code(),
            at: problem.pointer,
            start: problem.span.start,
            message: problem.kind.to_string(),
        };
        problems.into_iter().take(MOST_PROBLEMS).map(problem).collect::<Vec<_>>()
    })?;
    if let Some(recipe) = recipe {
        recipe.spell_target(&mut input);
    }
    found(&input, RuntimeCode::SchemaInvalid, validator.violations(&input))?;
    found(&input, RuntimeCode::InputNumberUnsafe, validator.unsafe_integers(&input))?;
    let target = recipe.map_or(Ok(""), |recipe| recipe.target(&input));
    let invalid = target.err().map(|invalid| {
        let target = recipe.and_then(|recipe| recipe.target.as_ref());
        Violation {
            at: target.map_or_else(String::new, |target| target.pointer.clone()),
            message: invalid.to_string(),
        }
    });
    found(&input, RuntimeCode::TargetInvalid, invalid.into_iter().collect())?;
    Ok(input)
}

fn found(input: &Node<'_>, code: RuntimeCode, violations: Vec<Violation>) -> Result<(), Vec<InputProblem>> {
    if violations.is_empty() {
        return Ok(());
    }
    let problem = |violation: Violation| InputProblem {
        code,
        start: input.at(&violation.at).map_or(0, |node| node.span.start),
        at: violation.at,
        message: violation.message,
    };
    Err(violations.into_iter().map(problem).collect())
}
