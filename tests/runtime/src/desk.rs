//! The world of the tests, its checks, its gatherers, its effects.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, UNIX_EPOCH};

use crate::generated::details::{NoPrivilegedPaths, RepoNotInRegistry, WorktreeDirty};
use crate::generated::facts::{self, Branches, Freeze, Principal, Registry, Worktree};
use crate::generated::{checks, land_change, list_changes, open_change, rerun_checks, set_mode};
use forecheck::{
    Cleared, Doubtful, FactUnavailable, Failed, Host, Ledger, Look, Reserved, Settled, Time, World,
};
use serde_json::Value;

/// The world of the tests: its ports are values that a test changes as it likes.
#[derive(Debug)]
pub struct Desk;

impl World for Desk {
    type Read = Mutex<State>;
    type Act = Act;
}

/// What gatherers read.
#[derive(Debug, Clone)]
pub struct State {
    /// Who calls; `None` where that cannot be told.
    pub principal: Option<Principal>,
    /// The registered repositories.
    pub registry: Vec<String>,
    /// What is not committed.
    pub dirty: Vec<String>,
    /// The branches.
    pub branches: Vec<String>,
    /// The end of the freeze, in seconds since 1970.
    pub frozen_until: u64,
    /// The time, in seconds since 1970.
    pub now: u64,
    /// What a probe finds of a change that was to land.
    pub landing: Landing,
    /// The facts that were gathered, in their order.
    pub gathered: Vec<&'static str>,
}

/// What there is of an effect.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Landing {
    /// Nobody can tell.
    #[default]
    Unclear,
    /// All of it.
    Landed,
    /// Nothing.
    Absent,
    /// Looking for it panics.
    Panics,
}

/// A desk at which every call of Ada's goes through, and the record of calls.
pub fn desk_with(ledger: Arc<dyn Ledger>) -> Host<Desk> {
    let repos = vec!["octo/hello".to_owned()];
    let state = State {
        principal: Some(Principal { name: "ada".to_owned(), repos: repos.clone() }),
        registry: repos,
        dirty: Vec::new(),
        branches: vec!["fixes".to_owned()],
        frozen_until: 100,
        now: 200,
        landing: Landing::Unclear,
        gathered: Vec::new(),
    };
    Host { read: Mutex::new(state), act: Act::default(), ledger, scope: "ada".to_owned() }
}

/// What effects do.
#[derive(Debug, Default)]
pub struct Act {
    /// Every effect that began, by verb.
    pub log: Mutex<Vec<String>>,
    /// How the next effects end.
    pub end: Mutex<End>,
}

/// How an effect ends.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum End {
    /// It takes place.
    #[default]
    Succeeds,
    /// It panics halfway.
    Panics,
    /// It does nothing, and that is proven.
    DoesNothing,
    /// It finds the worktree dirty before it starts.
    Declines,
    /// A part of it takes place.
    Stops,
    /// Nobody knows.
    IsLost,
}

/// What a lock holds, also after a panic in a test.
pub fn held<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Act {
    /// Notes an effect, and how it is to end.
    fn begin(&self, effect: String) -> End {
        held(&self.log).push(effect);
        *held(&self.end)
    }
}

fn gathered<T>(state: &Mutex<State>, fact: &'static str, of: impl FnOnce(&State) -> T) -> T {
    let mut state = held(state);
    state.gathered.push(fact);
    of(&state)
}

impl facts::Gather for Desk {
    fn branches(state: &Mutex<State>, _target: &str, branch: &str) -> Result<Branches, FactUnavailable> {
        let alike =
            |state: &State| state.branches.iter().filter(|name| name.starts_with(branch)).cloned().collect();
        Ok(Branches { names: gathered(state, "branches", alike) })
    }

    fn freeze(state: &Mutex<State>) -> Result<Freeze, FactUnavailable> {
        Ok(Freeze { until: gathered(state, "freeze", |state| state.frozen_until) })
    }

    fn now(state: &Mutex<State>) -> Result<Time, FactUnavailable> {
        Ok(UNIX_EPOCH + Duration::from_secs(gathered(state, "now", |state| state.now)))
    }

    fn principal(state: &Mutex<State>) -> Result<Principal, FactUnavailable> {
        let principal = gathered(state, "principal", |state| state.principal.clone());
        principal.ok_or_else(|| FactUnavailable::new("nobody is logged in"))
    }

    fn registry(state: &Mutex<State>) -> Result<Registry, FactUnavailable> {
        Ok(Registry { repos: gathered(state, "registry", |state| state.registry.clone()) })
    }

    fn worktree(state: &Mutex<State>, _target: &str) -> Result<Worktree, FactUnavailable> {
        Ok(Worktree { dirty: gathered(state, "worktree", |state| state.dirty.clone()) })
    }
}

impl checks::Checks for Desk {
    fn not_allowed(target: &str, principal: &Principal) -> Result<(), Failed<()>> {
        if principal.repos.iter().any(|repo| repo == target) { Ok(()) } else { Err(().into()) }
    }

    fn repo_not_in_registry(target: &str, registry: &Registry) -> Result<(), Failed<RepoNotInRegistry>> {
        if registry.repos.iter().any(|repo| repo == target) {
            return Ok(());
        }
        Err(RepoNotInRegistry { known: registry.repos.len() as u64 }.into())
    }

    fn worktree_dirty(worktree: &Worktree) -> Result<(), Failed<WorktreeDirty>> {
        if worktree.dirty.is_empty() {
            return Ok(());
        }
        Err(WorktreeDirty { files: worktree.dirty.clone() }.into())
    }
}

impl open_change::Checks for Desk {
    fn no_privileged_paths(paths: &[String]) -> Result<(), Failed<NoPrivilegedPaths>> {
        match paths.iter().enumerate().find(|(_, path)| path.starts_with(".github/")) {
            None => Ok(()),
            Some((index, path)) => {
                let failed = Failed::from(NoPrivilegedPaths { path: path.clone() });
                Err(failed.at(format!("/paths/{index}")).because(format!("`{path}` is for operators")))
            }
        }
    }

    fn branch_exists(branch: &str, branches: &Branches) -> Result<(), Failed<()>> {
        if branches.names.iter().any(|name| name == branch) { Err(().into()) } else { Ok(()) }
    }

    fn quota_spent(
        _verb: &str,
        _input: &Value,
        _branches: &Branches,
        _freeze: &Freeze,
        principal: &Principal,
        _registry: &Registry,
        _worktree: &Worktree,
    ) -> Result<(), Failed<()>> {
        if principal.name == "spendthrift" { Err(().into()) } else { Ok(()) }
    }
}

impl rerun_checks::Checks for Desk {
    fn quota_spent(
        _verb: &str,
        _input: &Value,
        _freeze: &Freeze,
        principal: &Principal,
        _registry: &Registry,
        _worktree: &Worktree,
    ) -> Result<(), Failed<()>> {
        if principal.name == "spendthrift" { Err(().into()) } else { Ok(()) }
    }
}

impl land_change::Checks for Desk {
    fn frozen(now: Time, freeze: &Freeze) -> Result<(), Failed<()>> {
        if now < UNIX_EPOCH + Duration::from_secs(freeze.until) { Err(().into()) } else { Ok(()) }
    }
}

impl open_change::Effect for Desk {
    fn apply(act: &Act, call: Reserved<open_change::Verb<Self>>) -> Settled<open_change::Verb<Self>> {
        match act.begin(format!("open_change {}", call.input().branch)) {
            End::Succeeds => {
                let number = held(&act.log).len() as u64;
                call.succeeded(&open_change::Output { number })
            }
            #[expect(clippy::panic, reason = "a test looks at what becomes of an effect that panics")]
            End::Panics => panic!("halfway"),
            End::DoesNothing => call.nothing_happened("the service said no"),
            End::Declines => call.declined(open_change::Refusal::WorktreeDirty(WorktreeDirty {
                files: vec!["late".to_owned()],
            })),
            End::Stops => call.partly("the branch was made, the change was not"),
            End::IsLost => call.in_doubt("the connection was lost"),
        }
    }
}

impl land_change::Effect for Desk {
    fn apply(act: &Act, call: Reserved<land_change::Verb<Self>>) -> Settled<land_change::Verb<Self>> {
        match act.begin(format!("land_change {}", call.input().number)) {
            End::IsLost => call.in_doubt("the connection was lost"),
            _ => call.succeeded(&land_change::Output {}),
        }
    }
}

impl land_change::Probe for Desk {
    fn find_landing(
        state: &Mutex<State>,
        call: &Doubtful<land_change::Verb<Self>>,
    ) -> Look<land_change::Output> {
        match held(state).landing {
            Landing::Unclear => Look::Unknown(format!("change {} cannot be read", call.input().number)),
            Landing::Landed => Look::Landed(land_change::Output {}),
            Landing::Absent => Look::Absent,
            #[expect(clippy::panic, reason = "a test looks at what becomes of a probe that panics")]
            Landing::Panics => panic!("nothing to see"),
        }
    }
}

impl set_mode::Effect for Desk {
    fn apply(act: &Act, call: Reserved<set_mode::Verb<Self>>) -> Settled<set_mode::Verb<Self>> {
        match act.begin("set_mode".to_owned()) {
            End::IsLost => call.in_doubt("the connection was lost"),
            _ => call.succeeded(&Value::Null),
        }
    }
}

impl rerun_checks::Effect for Desk {
    fn apply(act: &Act, call: Reserved<rerun_checks::Verb<Self>>) -> Settled<rerun_checks::Verb<Self>> {
        act.begin(format!("rerun_checks {}", call.input().intent));
        call.succeeded(&Value::Null)
    }
}

impl list_changes::Answer for Desk {
    fn answer(
        state: &Mutex<State>,
        call: Cleared<list_changes::Verb<Self>>,
    ) -> Settled<list_changes::Verb<Self>> {
        let branches = held(state).branches.len() as u64;
        let limit = call.input().limit.unwrap_or_default();
        call.answered(&list_changes::Output { numbers: (1..=branches.min(limit.into())).collect() })
    }
}
