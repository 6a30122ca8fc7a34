//! The checks of keeper, a file each: pure functions of what the spec declares that they read. Conditions
//! that the spec states as `refuse_when` have none here.

mod auth_denied;
mod base_moved;
mod branch_exists;
mod branch_not_ahead;
mod change_limit_reached;
mod change_not_open;
mod changes_open;
mod contract_expired;
mod contract_missing;
mod operator_only;
mod path_not_a_repo;
mod path_taken;
mod paths_clash;
mod paths_outside_contract;
mod playbook_unknown;
mod repo_unreadable;
mod worktree_dirty;

use forecheck::{Failed, Time};

use crate::Keeper;
use crate::generated::details::{
    BranchExists, BranchNotAhead, ChangeLimitReached, ChangeNotOpen, ChangesOpen, ContractExpired,
    PathNotARepo, PathTaken, PathsClash, PathsOutsideContract, PlaybookUnknown, RepoUnreadable,
    WorktreeDirty,
};
use crate::generated::facts::{
    Branches, Caller, Change, Contract, OpenChanges, Place, Playbooks, Repository, Worktree,
};
use crate::generated::open_change::InputFilesItem as FileOfChange;
use crate::generated::{checks, install_playbook, land_change, open_change, register_repo, retire_repo};

impl checks::Checks for Keeper {
    fn auth_denied(target: &str, caller: &Caller) -> Result<(), Failed<()>> {
        auth_denied::check(target, caller)
    }

    fn operator_only(caller: &Caller) -> Result<(), Failed<()>> {
        operator_only::check(caller)
    }

    fn repo_unreadable(repository: &Repository) -> Result<(), Failed<RepoUnreadable>> {
        repo_unreadable::check(repository)
    }

    fn worktree_dirty(worktree: &Worktree) -> Result<(), Failed<WorktreeDirty>> {
        worktree_dirty::check(worktree)
    }

    fn change_not_open(change: &Change) -> Result<(), Failed<ChangeNotOpen>> {
        change_not_open::check(change)
    }
}

impl register_repo::Checks for Keeper {
    fn path_not_a_repo(place: &Place) -> Result<(), Failed<PathNotARepo>> {
        path_not_a_repo::check(place)
    }

    fn path_taken(place: &Place) -> Result<(), Failed<PathTaken>> {
        path_taken::check(place)
    }
}

impl install_playbook::Checks for Keeper {
    fn playbook_unknown(playbook: &str, playbooks: &Playbooks) -> Result<(), Failed<PlaybookUnknown>> {
        playbook_unknown::check(playbook, playbooks)
    }
}

impl open_change::Checks for Keeper {
    fn paths_clash(files: &[FileOfChange]) -> Result<(), Failed<PathsClash>> {
        paths_clash::check(files)
    }

    fn contract_missing(contract: &Contract) -> Result<(), Failed<()>> {
        contract_missing::check(contract)
    }

    fn contract_expired(contract: &Contract, now: Time) -> Result<(), Failed<ContractExpired>> {
        contract_expired::check(contract, now)
    }

    fn paths_outside_contract(
        files: &[FileOfChange],
        contract: &Contract,
    ) -> Result<(), Failed<PathsOutsideContract>> {
        paths_outside_contract::check(files, contract)
    }

    fn change_limit_reached(open_changes: &OpenChanges) -> Result<(), Failed<ChangeLimitReached>> {
        change_limit_reached::check(open_changes)
    }

    fn branch_exists(branch: &str, branches: &Branches) -> Result<(), Failed<BranchExists>> {
        branch_exists::check(branch, branches)
    }
}

impl land_change::Checks for Keeper {
    fn branch_not_ahead(change: &Change) -> Result<(), Failed<BranchNotAhead>> {
        branch_not_ahead::check(change)
    }

    fn base_moved(change: &Change) -> Result<(), Failed<()>> {
        base_moved::check(change)
    }
}

impl retire_repo::Checks for Keeper {
    fn changes_open(open_changes: &OpenChanges) -> Result<(), Failed<ChangesOpen>> {
        changes_open::check(open_changes)
    }
}
