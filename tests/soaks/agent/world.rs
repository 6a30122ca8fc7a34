//! The world of one task: the runtime with a ledger of its own, simulated time, and mishaps.

use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex};

use changes::generated::{self, land_change, open_change, rerun_checks};
use changes::{Act, Desk, Landing, held};
use forecheck::ledger::HoldId;
use forecheck::outcome::{Outcome, Status};
use forecheck::{Effectful, Host, Ledger, MemoryLedger, Reserved, Settled};

use super::call::Call;
use super::chance::Chance;
use super::task::{DAY, REPO, Task};

/// What goes wrong with a call.
#[derive(Debug, Clone, Copy)]
enum Mishap {
    Nothing,
    /// It is answered, and the answer does not arrive.
    ReplyLost,
    /// The process dies before or after the effect, and nobody answers.
    Dies {
        acted: bool,
    },
    /// The caller does not wait long enough, and the effect takes place later.
    Slow,
    /// The verb does not know what the service did, and says so.
    Doubt {
        acted: bool,
    },
    /// The service proves that it did nothing.
    Fails,
}

/// A mishap comes once in so many calls, each of these as likely.
const ONE_IN: u64 = 4;

const MISHAPS: [Mishap; 8] = [
    Mishap::ReplyLost,
    Mishap::ReplyLost,
    Mishap::Dies { acted: false },
    Mishap::Dies { acted: true },
    Mishap::Slow,
    Mishap::Doubt { acted: false },
    Mishap::Doubt { acted: true },
    Mishap::Fails,
];

/// How long an effect takes that is slow.
const SLOW: u64 = 6;

/// How often each fact has changed.
pub(crate) type Changes = BTreeMap<&'static str, u64>;

/// What became of a call.
pub(crate) struct Reply {
    /// The answer of the runtime.
    pub(crate) outcome: Outcome,
    /// Whether the caller sees it.
    pub(crate) arrives: bool,
}

impl Reply {
    /// What the caller sees.
    pub(crate) fn seen(&self) -> Option<&Outcome> {
        self.arrives.then_some(&self.outcome)
    }
}

/// When a caller goes on.
#[derive(Debug)]
pub(crate) enum When {
    /// After a while.
    After(u64),
    /// Once one of these facts has changed, or after a while.
    Changed { facts: Vec<String>, or_after: Option<u64> },
}

/// An effect under way.
struct Running {
    due: u64,
    finish: Box<dyn FnOnce(&Act)>,
}

/// The world of a task.
pub(crate) struct World<'t> {
    host: Host<Desk>,
    task: &'t Task,
    now: u64,
    changes: Changes,
    running: Vec<Running>,
    held: Option<HoldId>,
    mishaps: Chance,
}

impl<'t> World<'t> {
    /// The world before anything happened. The same call of the same task has the same mishap, whoever calls.
    pub(crate) fn new(task: &'t Task, seed: u64) -> World<'t> {
        let ledger = Arc::new(MemoryLedger::new());
        let held = task.held_until.and_then(|_| ledger.hold(REPO).unwrap());
        let read = Mutex::new(task.state.clone());
        let host = Host { read, act: Act::default(), ledger, scope: "ada".to_owned() };
        let mishaps = Chance::named(&[seed, task.number, 1]);
        World { host, task, now: 0, changes: Changes::new(), running: Vec::new(), held, mishaps }
    }

    /// Makes a call, which takes some time.
    pub(crate) fn send(&mut self, call: &Call) -> Reply {
        self.pass();
        let (comes, mishap) = (self.mishaps.one_in(ONE_IN), self.mishaps.pick(&MISHAPS));
        let mishap = if comes { mishap } else { Mishap::Nothing };
        let reply = match call.verb {
            open_change::VERB => self.run(call, mishap, <Desk as open_change::Effect>::apply),
            land_change::VERB => self.run(call, mishap, <Desk as land_change::Effect>::apply),
            verb => {
                assert_eq!(verb, rerun_checks::VERB);
                self.run(call, mishap, <Desk as rerun_checks::Effect>::apply)
            }
        };
        self.leave_traces();
        reply
    }

    fn run<V: Effectful<World = Desk> + 'static>(
        &mut self,
        call: &Call,
        mishap: Mishap,
        apply: fn(&Act, Reserved<V>) -> Settled<V>,
    ) -> Reply {
        let due = self.now + SLOW;
        let (mut slow, mut arrives) = (None, !matches!(mishap, Mishap::ReplyLost));
        let act_unrecorded = |act: &Act| held(&act.log).push(effect_of(call));
        let outcome = forecheck::run::<V>(call.text().as_bytes(), &self.host, |act, reserved| match mishap {
            Mishap::Nothing | Mishap::ReplyLost => apply(act, reserved),
            Mishap::Fails => reserved.nothing_happened("the service said no"),
            Mishap::Doubt { acted } => {
                acted.then(|| act_unrecorded(act));
                reserved.in_doubt("the connection to the service was lost")
            }
            Mishap::Dies { acted } => {
                acted.then(|| act_unrecorded(act));
                arrives = false;
                drop(reserved);
                resume_unwind(Box::new("the process died"))
            }
            // The claim stays with the effect, which is at work, and the caller has gone.
            Mishap::Slow => {
                let finish = Box::new(move |act: &Act| drop(apply(act, reserved)));
                slow = Some(Running { due, finish });
                arrives = false;
                resume_unwind(Box::new("the caller is gone"))
            }
        });
        self.running.extend(slow);
        Reply { outcome, arrives }
    }

    /// Waits; false when the day is over before.
    pub(crate) fn wait(&mut self, when: &When) -> bool {
        let before = self.changes.clone();
        let begin = self.now;
        let over = |world: &World<'_>| match when {
            When::After(ticks) => world.now >= begin + ticks,
            When::Changed { facts, or_after } => {
                facts.iter().any(|fact| world.changes.get(&**fact) != before.get(&**fact))
                    || or_after.is_some_and(|ticks| world.now >= begin + ticks)
            }
        };
        while !over(self) && self.now < DAY {
            self.pass();
        }
        self.now < DAY
    }

    /// Lets the rest of the day pass.
    pub(crate) fn end(&mut self) {
        while self.now < DAY + SLOW {
            self.pass();
        }
    }

    fn pass(&mut self) {
        self.now += 1;
        let mut state = held(&self.host.read);
        state.now = self.now;
        for turn in self.task.turns.iter().filter(|turn| turn.at == self.now) {
            (turn.change)(&mut state);
            *self.changes.entry(turn.fact).or_default() += 1;
        }
        drop(state);
        if self.task.held_until.is_some_and(|until| until <= self.now)
            && let Some(hold) = self.held.take()
        {
            self.host.ledger.release(&hold).unwrap();
        }
        for running in self.running.extract_if(.., |running| running.due <= self.now) {
            (running.finish)(&self.host.act);
        }
        self.leave_traces();
    }

    /// What was opened has a branch, and what has landed can be seen.
    fn leave_traces(&mut self) {
        let mut state = held(&self.host.read);
        if held(&self.host.act.log).iter().any(|effect| effect.starts_with("land_change ")) {
            state.landing = Landing::Landed;
        }
        for effect in held(&self.host.act.log).iter() {
            if let Some(branch) = effect.strip_prefix("open_change ")
                && !state.branches.iter().any(|name| name == branch)
            {
                state.branches.push(branch.to_owned());
                *self.changes.entry("branches").or_default() += 1;
            }
        }
    }

    /// How often each fact has changed so far.
    pub(crate) fn changes(&self) -> &Changes {
        &self.changes
    }

    /// How many effects took place.
    pub(crate) fn effects(&self) -> u64 {
        held(&self.host.act.log).len() as u64
    }

    /// How many effects took place or are under way.
    pub(crate) fn begun(&self) -> u64 {
        self.effects() + self.running.len() as u64
    }

    /// What a call would come to, were nobody else at its target.
    pub(crate) fn look(&self, call: &Call) -> Status {
        generated::preflight(&self.host, call.verb, call.text().as_bytes()).unwrap().status
    }

    /// Whether somebody else has the target to themselves.
    pub(crate) fn is_held(&self) -> bool {
        self.held.is_some()
    }
}

/// An effect as the world of the tests writes it down.
fn effect_of(call: &Call) -> String {
    let what = ["branch", "number", "intent"].into_iter().find_map(|name| call.input.get(name)).unwrap();
    let what = what.as_str().map_or_else(|| what.to_string(), str::to_owned);
    format!("{} {what}", call.verb)
}
