//! `CONTRACT_EXPIRED`

use forecheck::{Failed, Time, seconds};

use crate::generated::details::ContractExpired;
use crate::generated::facts::Contract;

pub(super) fn check(contract: &Contract, now: Time) -> Result<(), Failed<ContractExpired>> {
    match &contract.terms {
        Some(terms) if has_ended(terms.expires, now) => {
            Err(ContractExpired { expired: terms.expires }.into())
        }
        Some(_) | None => Ok(()),
    }
}

#[expect(clippy::cast_precision_loss, reason = "whole seconds are exact for the next 285 million years")]
fn has_ended(expires: i64, now: Time) -> bool {
    expires as f64 <= seconds(now)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_contract_ends_at_its_second() {
        let at =
            |seconds, millis| Time::UNIX_EPOCH + Duration::from_secs(seconds) + Duration::from_millis(millis);
        assert_eq!([at(9, 999), at(10, 0), at(11, 0)].map(|now| has_ended(10, now)), [false, true, true]);
    }
}
