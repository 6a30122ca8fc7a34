//! A task from its first call to its end, and what is counted on the way.

use std::collections::BTreeMap;

use forecheck::outcome::{Refusal, Status};
use forecheck_contract::table::ErrorTable;

use super::call::Call;
use super::caller::{Agent, Caller, Move};
use super::task::Task;
use super::world::{Changes, Reply, World};

/// What one kind of caller came to.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Tasks of which the caller knows that they are done.
    pub(crate) done: u64,
    /// Tasks that were left to whoever runs the environment, since a call is in doubt.
    pub(crate) asked: u64,
    /// Those of them of which nothing had happened.
    pub(crate) asked_undone: u64,
    /// Tasks given up that could not be done, or of which nobody knows.
    pub(crate) right_give_ups: u64,
    /// Tasks given up although a call with a better input, or a repeat of one that was sent, would have
    /// succeeded within the day.
    pub(crate) wrong_give_ups: u64,
    /// Calls.
    pub(crate) calls: u64,
    /// Calls after the first of a task that could not help, see [`is_useless`], by the code or the status before
    /// them.
    pub(crate) useless_resends: BTreeMap<String, u64>,
    /// Effects of a task beyond its first.
    pub(crate) double_effects: u64,
}

/// A call that was made.
struct Sent {
    call: Call,
    reply: Reply,
    /// The world when it was made.
    changes: Changes,
    /// Effects that had begun before.
    begun: u64,
}

impl Sent {
    /// The code or the status that the caller saw.
    fn answer(&self) -> String {
        match self.reply.seen() {
            None => "no answer".to_owned(),
            Some(outcome) => {
                let code = outcome.refusal.as_ref().map(|refusal| &*refusal.code);
                code.unwrap_or_else(|| outcome.status.as_str()).to_owned()
            }
        }
    }
}

impl Tally {
    /// All calls that could not help.
    pub(crate) fn useless(&self) -> u64 {
        self.useless_resends.values().sum()
    }

    /// Plays a task to its end.
    pub(crate) fn add(&mut self, caller: Caller, task: &Task, table: &ErrorTable, seed: u64) {
        let mut world = World::new(task, seed);
        let mut agent = Agent::new(caller, task, table, seed);
        let mut sent: Vec<Sent> = Vec::new();
        let mut call = task.first.clone();
        let ended = loop {
            let begun = world.begun();
            let reply = world.send(&call);
            let now = Sent { call, reply, changes: world.changes().clone(), begun };
            if let Some(before) = sent.last().filter(|before| is_useless(before, &now)) {
                *self.useless_resends.entry(before.answer()).or_default() += 1;
            }
            let next = agent.decide(&now.call, now.reply.seen());
            sent.push(now);
            match next {
                Move::Send { call: next, when } if world.wait(&when) => call = next,
                Move::Send { .. } => break Move::GiveUp,
                ended => break ended,
            }
        };
        world.end();
        self.calls += sent.len() as u64;
        self.double_effects += world.effects().saturating_sub(1);
        self.asked_undone += u64::from(matches!(ended, Move::Ask) && world.effects() == 0);
        let count = match ended {
            Move::Done => &mut self.done,
            Move::Ask => &mut self.asked,
            Move::GiveUp | Move::Send { .. } if could_be_done(&world, task, &sent) => {
                &mut self.wrong_give_ups
            }
            Move::GiveUp | Move::Send { .. } => &mut self.right_give_ups,
        };
        *count += 1;
    }
}

/// Whether a resend could not help: the caller had been answered, and nothing that the answer hangs on has
/// changed since; or the effect had begun, and this call neither asks for an answer that was lost nor
/// hears that it is done.
fn is_useless(before: &Sent, now: &Sent) -> bool {
    let status = now.reply.outcome.status;
    let same = before.call == now.call;
    match before.reply.seen() {
        _ if status == Status::SkippedIdempotent => false,
        None if same => false,
        _ if now.begun > 0 => true,
        None => false,
        Some(outcome) => match (outcome.status, &outcome.refusal) {
            (Status::InFlight, _) => status == Status::InFlight,
            (Status::InDoubt, _) => same,
            (Status::Refused, Some(refusal)) => !has_changed(refusal, before, now),
            _ => false,
        },
    }
}

/// Whether something changed that one of the failed checks reads. What `QUOTA_SPENT` reads is not published; it
/// is the principal.
fn has_changed(refusal: &Refusal, before: &Sent, now: &Sent) -> bool {
    std::iter::once(refusal).chain(&refusal.also).any(|refusal| {
        let fact_changed = |fact: &str| before.changes.get(fact) != now.changes.get(fact);
        match &refusal.change {
            None => fact_changed("principal"),
            Some(change) => {
                change.facts.iter().any(|fact| fact_changed(&fact.fact))
                    || change.input.iter().any(|field| before.call.field(field) != now.call.field(field))
            }
        }
    })
}

/// Whether a task that was given up could have been done at the end of the day. Not where a call is in doubt:
/// then nobody knows.
fn could_be_done(world: &World<'_>, task: &Task, sent: &[Sent]) -> bool {
    let looks: Vec<Status> = sent.iter().map(|sent| world.look(&sent.call)).collect();
    looks.contains(&Status::SkippedIdempotent)
        || !looks.contains(&Status::InDoubt)
            && world.effects() == 0
            && !world.is_held()
            && world.look(&task.mended) == Status::Cleared
}
