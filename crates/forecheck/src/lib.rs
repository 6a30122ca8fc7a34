//! The runtime of a surface: refuse before acting, act once.
//!
//! A call passes through stages, each a type that only the one before can make:
//!
//! ```text
//! text -> Call -> (policy, ledger, checks; a fact at a time) -> Cleared -> Reserved -> Settled -> Outcome
//! ```
//!
//! `forecheck gen` writes the rest of a surface against this crate: the types of each verb, one
//! trait method per check and per fact, and the order in which they are asked. What is left to its
//! author is a [`World`](verb::World), the checks, the gatherers and the effects. An effect takes a
//! [`Reserved`](stage::Reserved) by value, and nothing but the evaluation of every constraint makes
//! one.

pub mod conform;
pub mod definition;
mod envelope;
pub mod ledger;
pub mod run;
mod secrets;
pub mod stage;
pub mod verb;

pub use forecheck_contract::key::Key;
pub use forecheck_contract::{outcome, predicate};

pub use definition::Definition;
pub use ledger::Ledger;
pub use ledger::memory::MemoryLedger;
#[cfg(feature = "sqlite")]
pub use ledger::sqlite::SqliteLedger;
pub use run::{Host, answer, answer_async, preflight, preflight_async, run, run_async};
pub use stage::{Cleared, Doubtful, Reserved, Settled};
pub use verb::{
    Class, Effectful, FactName, FactSlots, FactUnavailable, Failed, Look, NoSlot, ReadOnly, Refusing, Seen,
    Time, Verb, Verdict, World, as_json, fact_from_json, seconds, time_from_json,
};
