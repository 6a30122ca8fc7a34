//! `contract`: the contract that a change is opened under.

use forecheck::FactUnavailable;

use crate::desk::Desk;
use crate::generated::facts::{Contract, ContractTerms};

pub(super) fn gather(desk: &Desk, target: &str, id: &str) -> Result<Contract, FactUnavailable> {
    let Some(contract) = desk.contract(target, id)? else { return Ok(Contract { terms: None }) };
    let expires = contract.expires().map_err(FactUnavailable::new)?;
    Ok(Contract { terms: Some(ContractTerms { expires, paths: contract.paths }) })
}
