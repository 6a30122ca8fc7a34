//! The gatherers of keeper, a file for each fact. They only read.

mod branches;
mod caller;
mod change;
mod contract;
mod freeze;
mod open_changes;
mod place;
mod playbook_file;
mod playbooks;
mod registration;
mod repository;
mod worktree;

use forecheck::FactUnavailable;

use crate::Keeper;
use crate::desk::Desk;
use crate::generated::facts::{
    Branches, Caller, Change, Contract, Freeze, Gather, OpenChanges, Place, PlaybookFile, Playbooks,
    Registration, Repository, Worktree,
};

impl Gather for Keeper {
    fn branches(desk: &Desk, target: &str) -> Result<Branches, FactUnavailable> {
        Ok(branches::gather(desk, target)?)
    }

    fn caller(desk: &Desk) -> Result<Caller, FactUnavailable> {
        Ok(caller::gather(desk)?)
    }

    fn change(desk: &Desk, target: &str, change: u64) -> Result<Change, FactUnavailable> {
        Ok(change::gather(desk, target, change)?)
    }

    fn contract(desk: &Desk, target: &str, contract: &str) -> Result<Contract, FactUnavailable> {
        contract::gather(desk, target, contract)
    }

    fn freeze(desk: &Desk) -> Result<Freeze, FactUnavailable> {
        freeze::gather(desk)
    }

    fn open_changes(desk: &Desk, target: &str) -> Result<OpenChanges, FactUnavailable> {
        Ok(open_changes::gather(desk, target)?)
    }

    fn place(desk: &Desk, path: &str) -> Result<Place, FactUnavailable> {
        Ok(place::gather(desk, path)?)
    }

    fn playbook_file(desk: &Desk, target: &str) -> Result<PlaybookFile, FactUnavailable> {
        Ok(playbook_file::gather(desk, target)?)
    }

    fn playbooks(desk: &Desk) -> Result<Playbooks, FactUnavailable> {
        Ok(playbooks::gather(desk)?)
    }

    fn registration(desk: &Desk, target: &str) -> Result<Registration, FactUnavailable> {
        Ok(registration::gather(desk, target)?)
    }

    fn repository(desk: &Desk, target: &str) -> Result<Repository, FactUnavailable> {
        Ok(repository::gather(desk, target)?)
    }

    fn worktree(desk: &Desk, target: &str) -> Result<Worktree, FactUnavailable> {
        Ok(worktree::gather(desk, target)?)
    }
}
