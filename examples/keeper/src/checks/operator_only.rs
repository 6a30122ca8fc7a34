//! `OPERATOR_ONLY`

use forecheck::Failed;

use crate::generated::facts::Caller;

pub(super) fn check(caller: &Caller) -> Result<(), Failed<()>> {
    if caller.operator {
        return Ok(());
    }
    Err(Failed::from(()).because(format!("`{}` is no operator", caller.name)))
}
