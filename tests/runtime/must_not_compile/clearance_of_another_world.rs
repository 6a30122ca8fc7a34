//! A call that was cleared in the world of a test does not open a real effect.
//!
//! Refused with E0308.

use changes::generated::details::{RepoNotInRegistry, WorktreeDirty};
use changes::generated::facts::{Branches, Freeze, Gather, Principal, Registry, Worktree};
use changes::generated::{checks, set_mode};
use changes::{Act, Desk};
use forecheck::{FactUnavailable, Failed, Reserved, World};

pub struct Stub;

impl World for Stub {
    type Read = ();
    type Act = ();
}

impl checks::Checks for Stub {
    fn not_allowed(_: &str, _: &Principal) -> Result<(), Failed<()>> {
        Ok(())
    }

    fn repo_not_in_registry(_: &str, _: &Registry) -> Result<(), Failed<RepoNotInRegistry>> {
        Ok(())
    }

    fn worktree_dirty(_: &Worktree) -> Result<(), Failed<WorktreeDirty>> {
        Ok(())
    }
}

impl Gather for Stub {
    fn branches(_: &(), _: &str, _: &str) -> Result<Branches, FactUnavailable> {
        Ok(Branches { names: Vec::new() })
    }

    fn freeze(_: &()) -> Result<Freeze, FactUnavailable> {
        Ok(Freeze { until: 0 })
    }

    fn principal(_: &()) -> Result<Principal, FactUnavailable> {
        Ok(Principal { name: String::new(), repos: Vec::new() })
    }

    fn registry(_: &()) -> Result<Registry, FactUnavailable> {
        Ok(Registry { repos: Vec::new() })
    }

    fn worktree(_: &(), _: &str) -> Result<Worktree, FactUnavailable> {
        Ok(Worktree { dirty: Vec::new() })
    }
}

pub fn act(act: &Act, call: Reserved<set_mode::Verb<Stub>>) {
    drop(<Desk as set_mode::Effect>::apply(act, call));
}
