//! A sandbox says of every code how its constraint comes to fail; here `FROZEN` is left out.
//!
//! Refused with E0046.

use std::collections::BTreeMap;

use changes::Desk;
use changes::generated::twins::Break;
use forecheck::Host;
use forecheck::conform::Sandbox;

pub struct Scene(Host<Desk>);

impl Sandbox for Scene {
    type World = Desk;

    fn satisfied(_verb: &str) -> Self {
        std::process::abort()
    }

    fn host(&self) -> &Host<Desk> {
        &self.0
    }

    fn input(&self) -> String {
        String::new()
    }

    fn snapshot(&self) -> BTreeMap<String, Vec<u8>> {
        BTreeMap::new()
    }
}

impl Break for Scene {
    fn break_branch_exists(&mut self, _verb: &str) {}
    fn break_closed_in_freeze(&mut self, _verb: &str) {}
    fn break_not_allowed(&mut self, _verb: &str) {}
    fn break_no_privileged_paths(&mut self, _verb: &str) {}
    fn break_quota_spent(&mut self, _verb: &str) {}
    fn break_repo_not_in_registry(&mut self, _verb: &str) {}
    fn break_title_blank(&mut self, _verb: &str) {}
    fn break_worktree_dirty(&mut self, _verb: &str) {}
}
