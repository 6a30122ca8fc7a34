//! What a runtime does with an input before it has a key: read strictly, spell the target, validate,
//! look at numbers and the target. One order, for `forecheck key` and for the examples of a spec.

use serde_json::Value;

use crate::json::{self, Limits, Node};
use crate::recipe::Recipe;
use crate::runtime_code::RuntimeCode;
use crate::validator::{Validator, Violation, value_of};

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

/// An input that a runtime takes.
#[derive(Debug, Clone, PartialEq)]
pub struct Admitted<'a> {
    /// The input with its target in its one spelling: what a key is made of.
    pub node: Node<'a>,
    /// The same as a value: what is executed, once defaults are filled in.
    pub value: Value,
}

/// Reads `text` as the input of a verb.
///
/// # Errors
/// The problems of the first step that finds any, at most [`MOST_PROBLEMS`].
pub fn admit<'a>(
    recipe: &Recipe,
    validator: &Validator,
    text: &'a [u8],
) -> Result<Admitted<'a>, Vec<InputProblem>> {
    let mut node = json::read(text, Limits::CALL).map_err(|problems| {
        let problem = |problem: json::ReadProblem| InputProblem {
            code: problem.kind.code(),
            at: problem.pointer,
            start: problem.span.start,
            message: problem.kind.to_string(),
        };
        problems.into_iter().take(MOST_PROBLEMS).map(problem).collect::<Vec<_>>()
    })?;
    recipe.spell_target(&mut node);
    let value = value_of(&node);
    found(&node, RuntimeCode::SchemaInvalid, validator.violations(&value))?;
    found(&node, RuntimeCode::InputNumberUnsafe, validator.unsafe_integers(&node))?;
    let invalid = recipe.target(&node).err().map(|invalid| Violation {
        at: recipe.target.as_ref().map_or_else(String::new, |target| target.pointer.clone()),
        message: invalid.to_string(),
    });
    found(&node, RuntimeCode::TargetInvalid, invalid.into_iter().collect())?;
    Ok(Admitted { node, value })
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
