//! The kinds of callers, and what each does about an answer.
//!
//! All have the same time, and those that do not read the table send up to [`MOST_CALLS`] calls with doubling
//! waits, which span it. None reads the prose of a refusal.

use forecheck::outcome::{Next, Outcome, Refusal, Status};
use forecheck_contract::resend::{Change, ChangedBy, Resend};
use forecheck_contract::table::ErrorTable;

use super::call::Call;
use super::chance::Chance;
use super::task::Task;
use super::world::When;

/// How many calls a caller makes that does not read the table.
pub(crate) const MOST_CALLS: u32 = 7;

/// After how long the reader of the table looks again at what it is not told of. The waits double after that.
const FIRST_LOOK: u64 = 4;

/// A kind of caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Caller {
    /// Sends the call again, written anew, until it is done.
    Blind,
    /// Sends the identical call until it is done: what the runtime alone is good for.
    Stubborn,
    /// Reads only `status`: gives up on `refused`, and sends the call again, written anew, on all else that is
    /// not done.
    StatusReader,
    /// Reads `status`, `next` and, of the code's row, `resend` and `change`. Sends the identical call again
    /// unless that says to change it.
    TableReader,
}

/// What a caller does next.
#[derive(Debug)]
pub(crate) enum Move {
    /// It knows that the task is done.
    Done,
    /// It leaves it.
    GiveUp,
    /// It asks whoever runs the environment what became of the call, and does not act again.
    Ask,
    /// It sends a call.
    Send { call: Call, when: When },
}

/// A caller at its task.
pub(crate) struct Agent<'t> {
    caller: Caller,
    task: &'t Task,
    table: &'t ErrorTable,
    habits: Chance,
    calls: u32,
    /// How the last call ended, and how often in a row that made the caller wait.
    waits: (Option<(Status, String)>, u32),
}

impl<'t> Agent<'t> {
    pub(crate) fn new(caller: Caller, task: &'t Task, table: &'t ErrorTable, seed: u64) -> Agent<'t> {
        let habits = Chance::named(&[seed, task.number, 2]);
        Agent { caller, task, table, habits, calls: 0, waits: (None, 0) }
    }

    /// What the caller does about the answer to `call`; `None` where none arrived.
    pub(crate) fn decide(&mut self, call: &Call, seen: Option<&Outcome>) -> Move {
        self.calls += 1;
        match seen.map(|outcome| outcome.status) {
            Some(Status::Succeeded | Status::SkippedIdempotent | Status::Cleared) => return Move::Done,
            Some(Status::Refused | Status::Failed | Status::InFlight | Status::InDoubt) | None => {}
        }
        match (self.caller, seen) {
            (Caller::TableReader, Some(outcome)) => self.read(call, outcome),
            // An answer that was lost is asked for: the same call has the same key.
            (Caller::TableReader, None) => {
                self.waits = (None, 0);
                Move::Send { call: call.clone(), when: When::After(1) }
            }
            (Caller::StatusReader, Some(outcome)) if outcome.status == Status::Refused => Move::GiveUp,
            (Caller::Blind | Caller::Stubborn | Caller::StatusReader, _) => self.resend(call),
        }
    }

    fn resend(&mut self, call: &Call) -> Move {
        if self.calls == MOST_CALLS {
            return Move::GiveUp;
        }
        let call = match self.caller {
            Caller::Stubborn | Caller::TableReader => call.clone(),
            Caller::Blind | Caller::StatusReader => {
                call.written_anew(&self.task.first, self.calls.into(), &mut self.habits)
            }
        };
        Move::Send { call, when: When::After(1 << (self.calls - 1)) }
    }

    fn read(&mut self, call: &Call, outcome: &Outcome) -> Move {
        let code = outcome.refusal.as_ref().map(|refusal| refusal.code.clone()).unwrap_or_default();
        let ended = Some((outcome.status, code));
        let times = if self.waits.0 == ended { self.waits.1 + 1 } else { 0 };
        self.waits = (ended, times);
        let again = |when| Move::Send { call: call.clone(), when };
        match (&outcome.refusal, outcome.next) {
            (Some(refusal), _) => self.mend(call, refusal, FIRST_LOOK << times),
            (None, Some(Next::AskOperator)) => Move::Ask,
            (None, Some(Next::Probe)) => again(When::After(1)),
            (None, Some(Next::Wait) | None) => again(When::After(FIRST_LOOK << times)),
        }
    }

    /// Does what the table says of the code. Where it does not say what has to change, or time may be what has
    /// to pass, the caller looks again after a while.
    fn mend(&self, call: &Call, refusal: &Refusal, looks_after: u64) -> Move {
        let Some((resend, change)) = self.row(&refusal.code) else { return Move::GiveUp };
        let again = |when| Move::Send { call: call.clone(), when };
        let changed = || self.with_changed_input(call, refusal);
        match (resend, change) {
            (Resend::ChangeInput, _) => {
                changed().map_or(Move::GiveUp, |call| Move::Send { call, when: When::After(0) })
            }
            (Resend::SameInput | Resend::Either, None) => {
                again(When::Changed { facts: self.every_fact(), or_after: None })
            }
            (Resend::SameInput, Some(change)) => again(once_changed(change, looks_after)),
            (Resend::Either, Some(change)) => match changed() {
                Some(call) => Move::Send { call, when: When::After(0) },
                None => again(once_changed(change, looks_after)),
            },
        }
    }

    /// What may have to change where the table does not say.
    fn every_fact(&self) -> Vec<String> {
        let changes = self.table.codes.iter().filter_map(|row| row.change.as_ref());
        changes.flat_map(|change| &change.facts).map(|fact| fact.fact.clone()).collect()
    }

    fn row(&self, code: &str) -> Option<(Resend, Option<&Change>)> {
        let row = self.table.codes.iter().find(|row| row.code == code);
        let row = row.map(|row| (row.resend, row.change.as_ref()));
        let runtime = || self.table.runtime_codes.iter().find(|row| row.code == code);
        row.or_else(|| runtime().map(|row| (row.resend, None)))
    }

    /// The call with one field changed for each refusal that names one: what the refusal is about, if
    /// that is among them. `None` where the caller has nothing else to put there.
    fn with_changed_input(&self, call: &Call, refusal: &Refusal) -> Option<Call> {
        let mut changed = call.clone();
        for refusal in std::iter::once(refusal).chain(&refusal.also) {
            let change = self.row(&refusal.code).and_then(|(_, change)| change);
            let mut fields: Vec<&String> = change.into_iter().flat_map(|change| &change.input).collect();
            fields.sort_by_key(|field| !refusal.at.iter().any(|at| is_within(at, field)));
            let better = |field: &&String| self.task.mended.field(field) != call.field(field);
            if let Some(field) = fields.into_iter().find(better) {
                changed = changed.with_field_of(&self.task.mended, field);
            }
        }
        (changed != *call).then_some(changed)
    }
}

fn is_within(pointer: &str, field: &str) -> bool {
    pointer.strip_prefix(field).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Until one of the facts has changed. That time has passed is no news, so then the caller looks again, too.
fn once_changed(change: &Change, looks_after: u64) -> When {
    let (time, others): (Vec<_>, Vec<_>) =
        change.facts.iter().partition(|fact| fact.changed_by == Some(ChangedBy::Time));
    let facts = others.into_iter().map(|fact| fact.fact.clone()).collect();
    When::Changed { facts, or_after: (!time.is_empty()).then_some(looks_after) }
}
