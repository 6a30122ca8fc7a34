//! `CONTRACT_MISSING`

use forecheck::Failed;

use crate::generated::facts::Contract;

pub(super) fn check(contract: &Contract) -> Result<(), Failed<()>> {
    if contract.terms.is_some() { Ok(()) } else { Err(().into()) }
}
