//! Whether the published table helps an agent: simulated callers of four kinds at the same tasks.
//!
//! The runtime is the real one: the surface `changes` of `tests/runtime`, its checks, its effects, and a ledger
//! in memory. Simulated are time, the world and the callers; a seed decides everything. Tasks, obstacles and
//! mishaps are the same for all, down to which call of a task goes wrong and how.
//!
//! What is modelled of agents is on record. Written anew, a call has the same arguments, other words, or
//! other words and another name, each as often: see `call.rs` for where that was reported. Other words and
//! names make another key. A call without words or names, like `land_change`, stays as it is. That a refused call is
//! sent again and again was reported in `anthropics/claude-code-action#797`.
//!
//! Limits: no caller reads the prose of a refusal, which would help those that do not read the table. The one that
//! does follows it without a slip, has a better value at hand for each field, and hears at once when a fact has
//! changed; only that time has passed it does not hear. How often obstacles and mishaps come is made up (`task.rs`,
//! `world.rs`), so the figures compare callers and predict nothing.

mod call;
mod caller;
mod chance;
mod tally;
mod task;
mod world;

use forecheck_contract::table::ErrorTable;

use super::table::Table;
use caller::Caller;
use tally::Tally;
use task::Task;

const ERRORS: &str = include_str!("../runtime/generated/errors.json");

const CALLERS: [(&str, Caller); 4] = [
    ("resends, written anew", Caller::Blind),
    ("resends the identical call", Caller::Stubborn),
    ("reads `status`", Caller::StatusReader),
    ("reads the table", Caller::TableReader),
];

/// A row of the table.
type Count = (&'static str, fn(&Tally) -> u64);

/// What is counted of each kind of caller.
const COUNTS: [Count; 8] = [
    ("done", |tally| tally.done),
    ("in doubt, an operator is asked", |tally| tally.asked),
    ("of these, nothing had happened", |tally| tally.asked_undone),
    ("given up, no resend would have helped", |tally| tally.right_give_ups),
    ("given up, a resend would have helped", |tally| tally.wrong_give_ups),
    ("calls", |tally| tally.calls),
    ("useless resends", Tally::useless),
    ("double effects", |tally| tally.double_effects),
];

/// What is played.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Settings {
    /// What decides everything.
    pub(crate) seed: u64,
    /// How many tasks each kind of caller is given.
    pub(crate) tasks: u64,
}

impl Settings {
    /// What is played unless somebody says otherwise.
    pub(crate) const USUAL: Settings = Settings { seed: 1, tasks: 1000 };
}

/// What each kind of caller came to.
pub(crate) fn soak(settings: Settings) -> [Tally; 4] {
    let errors: ErrorTable = serde_json::from_str(ERRORS).unwrap();
    let mut tallies = CALLERS.map(|_| Tally::default());
    for number in 0..settings.tasks {
        let task = Task::drawn(settings.seed, number);
        for ((_, caller), tally) in CALLERS.iter().zip(&mut tallies) {
            tally.add(*caller, &task, &errors, settings.seed);
        }
    }
    tallies
}

/// The tallies side by side.
pub(crate) fn table(tallies: &[Tally; 4]) -> Table {
    let mut table = Table::new(std::iter::once("tasks").chain(CALLERS.map(|(name, _)| name)));
    for (name, count) in COUNTS {
        let figures = tallies.iter().map(|tally| count(tally).to_string());
        table.row(std::iter::once(name.to_owned()).chain(figures));
    }
    table
}
