//! What one caller is to get done, what stands in its way, and when that goes away.

use changes::generated::facts::Principal;
use changes::{Landing, State};
use serde_json::json;

use super::call::Call;
use super::chance::Chance;

/// The target of every call, in its one spelling.
pub(crate) const REPO: &str = "octo/hello";

/// How long a task may take.
pub(crate) const DAY: u64 = 72;

/// What goes away at all does so within this time.
const SOON: u64 = 30;

/// An instant after every day.
const NEVER: u64 = 1000 * DAY;

/// Something outside that changes.
pub(crate) struct Turn {
    /// When.
    pub(crate) at: u64,
    /// The fact. `now` stands for the instant from which on time makes a difference.
    pub(crate) fact: &'static str,
    /// What becomes of the state.
    pub(crate) change: Box<dyn Fn(&mut State)>,
}

/// A task.
pub(crate) struct Task {
    /// Which one it is.
    pub(crate) number: u64,
    /// The call as it is first written.
    pub(crate) first: Call,
    /// The call as no check minds its input.
    pub(crate) mended: Call,
    /// The state at first.
    pub(crate) state: State,
    /// What changes, in no order.
    pub(crate) turns: Vec<Turn>,
    /// Until when somebody else has the target to themselves, which may be for ever.
    pub(crate) held_until: Option<u64>,
}

/// What stands in the way of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Obstacle {
    NotAllowed,
    Unregistered,
    Dirty,
    QuotaSpent,
    BranchTaken,
    Frozen,
    Held,
    PrivilegedPath,
    BlankTitle,
}

impl Task {
    /// Draws a task: one of three verbs, with up to two obstacles.
    pub(crate) fn drawn(seed: u64, number: u64) -> Task {
        use Obstacle::{
            BlankTitle, BranchTaken, Dirty, Frozen, Held, NotAllowed, PrivilegedPath, QuotaSpent,
            Unregistered,
        };
        let mut chance = Chance::named(&[seed, number]);
        let (mut task, obstacles): (Task, &[Obstacle]) = match chance.below(3) {
            0 => (
                Task::of(
                    number,
                    "open_change",
                    json!({
                        "repo": REPO, "branch": format!("fix-{number}"), "title": "Fix it",
                        "paths": ["src/main.rs"],
                    }),
                ),
                &[NotAllowed, Unregistered, Dirty, QuotaSpent, BranchTaken, PrivilegedPath, BlankTitle],
            ),
            1 => (
                Task::of(number, "land_change", json!({"repo": REPO, "number": number + 1})),
                &[NotAllowed, Unregistered, Dirty, Frozen, Held],
            ),
            _ => (
                Task::of(number, "rerun_checks", json!({"repo": REPO, "intent": "run the checks again"})),
                &[NotAllowed, Unregistered, QuotaSpent],
            ),
        };
        let mut met = Vec::new();
        for _ in 0..chance.below(3) {
            let obstacle = chance.pick(obstacles);
            if !met.contains(&obstacle) {
                task.meet(obstacle, &mut chance);
                met.push(obstacle);
            }
        }
        task
    }

    fn of(number: u64, verb: &'static str, input: serde_json::Value) -> Task {
        let call = Call { verb, input };
        let repos = vec![REPO.to_owned()];
        let state = State {
            principal: Some(Principal { name: "ada".to_owned(), repos: repos.clone() }),
            registry: repos,
            dirty: Vec::new(),
            branches: Vec::new(),
            frozen_until: 0,
            now: 0,
            landing: Landing::Unclear,
            gathered: Vec::new(),
        };
        Task { number, first: call.clone(), mended: call, state, turns: Vec::new(), held_until: None }
    }

    /// Puts an obstacle in the way. What lies outside changes once without effect in half of the tasks, and goes
    /// away in five of six.
    fn meet(&mut self, obstacle: Obstacle, chance: &mut Chance) {
        let mends = (!chance.one_in(6)).then(|| 1 + chance.below(SOON));
        let aside = 1 + chance.below(SOON);
        let aside = (chance.one_in(2) && mends.is_none_or(|mends| aside < mends)).then_some(aside);
        let other = || vec!["octo/other".to_owned()];
        let repo = || vec![REPO.to_owned()];
        match obstacle {
            Obstacle::NotAllowed => {
                principal(&mut self.state).repos.clear();
                self.turn(aside, "principal", move |state| principal(state).repos = other());
                self.turn(mends, "principal", move |state| principal(state).repos = repo());
            }
            Obstacle::Unregistered => {
                self.state.registry.clear();
                self.turn(aside, "registry", move |state| state.registry = other());
                self.turn(mends, "registry", move |state| state.registry = repo());
            }
            Obstacle::Dirty => {
                self.state.dirty = vec!["src/a.rs".to_owned(), "src/b.rs".to_owned()];
                self.turn(aside, "worktree", |state| state.dirty.truncate(1));
                self.turn(mends, "worktree", |state| state.dirty.clear());
            }
            Obstacle::QuotaSpent => {
                "spendthrift".clone_into(&mut principal(&mut self.state).name);
                self.turn(mends, "principal", |state| "ada".clone_into(&mut principal(state).name));
            }
            Obstacle::BranchTaken => self.branch_taken(aside, mends),
            Obstacle::Frozen => self.frozen(chance, mends),
            Obstacle::Held => self.held_until = Some(mends.unwrap_or(NEVER)),
            Obstacle::PrivilegedPath => self.first.input["paths"] = json!(["src/main.rs", ".github/ci.yml"]),
            Obstacle::BlankTitle => self.first.input["title"] = json!(" "),
        }
    }

    fn branch_taken(&mut self, aside: Option<u64>, mends: Option<u64>) {
        let taken = format!("fix-{}", self.number);
        self.mended.input["branch"] = json!(format!("{taken}-of-ada"));
        self.state.branches = vec![taken.clone()];
        let beside = format!("{taken}-of-grace");
        self.turn(aside, "branches", move |state| state.branches.push(beside.clone()));
        self.turn(mends, "branches", move |state| state.branches.retain(|branch| *branch != taken));
    }

    /// A freeze ends when its time is over, or when somebody lifts it.
    fn frozen(&mut self, chance: &mut Chance, mends: Option<u64>) {
        self.state.frozen_until = mends.unwrap_or(NEVER);
        if chance.one_in(2) {
            self.turn(mends, "now", |_| {});
        } else {
            self.state.frozen_until = NEVER;
            self.turn(mends, "freeze", |state| state.frozen_until = 0);
        }
    }

    fn turn(&mut self, at: Option<u64>, fact: &'static str, change: impl Fn(&mut State) + 'static) {
        self.turns.extend(at.map(|at| Turn { at, fact, change: Box::new(change) }));
    }
}

fn principal(state: &mut State) -> &mut Principal {
    state.principal.as_mut().unwrap()
}
