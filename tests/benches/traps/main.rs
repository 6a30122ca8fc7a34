//! Schemas that generators of types get wrong: what ours and four others make of them.
//!
//! `cargo xtask bench traps`. A tool generates types with its default options, the types are compiled or
//! type-checked, and then asked about instances. What is right, the `jsonschema` crate says.

#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark prints what it finds, and stops where it cannot go on"
)]

mod cases;
mod judges;
#[path = "../peers.rs"]
mod peers;
#[path = "../table.rs"]
mod table;
mod tools;

use forecheck_contract::validator::Validator;

use cases::Trap;
use judges::{Answers, answers};
use table::Table;
use tools::{TOOLS, Tool, Types};

fn main() {
    let traps = Trap::all();
    let all: Vec<Types<'_>> =
        TOOLS.iter().flat_map(|tool| traps.iter().filter_map(|trap| tool.generate(trap))).collect();
    let answers = answers(&all);
    let answer = |tool: &Tool, trap: &Trap| {
        let found = all.iter().zip(&answers).find(|(types, _)| is_of(types, tool, trap));
        found.map(|(_, answers)| answers)
    };
    let [ours, others @ ..] = &TOOLS;
    let names = others.iter().map(|tool| tool.name);
    let head = ["trap", "instances", "forecheck: validator and type", "forecheck: type alone"];
    let mut table = Table::new(head.into_iter().chain(names));
    let mut wrong = 0;
    for trap in &traps {
        let alone = answer(ours, trap);
        let together = alone.map(|types| types.as_ref().map(|types| both(&violations(trap), types)));
        let found = others.iter().map(|tool| verdict(trap, answer(tool, trap)));
        let ours = verdict(trap, together.as_ref());
        wrong += usize::from(ours != RIGHT);
        let cells = [trap.name.clone(), trap.instances.len().to_string(), ours, verdict(trap, alone)];
        table.row(cells.into_iter().chain(found));
    }
    println!("\n{table}");
    println!("{wrong} of {} traps wrong with the validator and the types of forecheck", traps.len());
}

fn is_of(types: &Types<'_>, tool: &Tool, trap: &Trap) -> bool {
    types.tool.id == tool.id && types.trap.name == trap.name
}

/// Whether our validator accepts each instance.
fn violations(trap: &Trap) -> Vec<bool> {
    let validator = Validator::new(serde_json::from_str(&trap.text).unwrap()).unwrap();
    let accepts = |text: &str| validator.violations(&serde_json::from_str(text).unwrap()).is_empty();
    trap.instances.iter().map(|instance| accepts(&instance.text)).collect()
}

fn both(a: &[bool], b: &[bool]) -> Vec<bool> {
    a.iter().zip(b).map(|(a, b)| *a && *b).collect()
}

const RIGHT: &str = "right";

/// What a reader wants to know of a tool and a trap.
fn verdict(trap: &Trap, answers: Option<&Answers>) -> String {
    let Some(answers) = answers else { return "does not generate".to_owned() };
    let Some(answers) = answers else { return "does not compile".to_owned() };
    let count = |is_valid: bool| {
        let wrong = |(instance, accepted): &(&cases::Instance, &bool)| {
            instance.is_valid == is_valid && **accepted != is_valid
        };
        trap.instances.iter().zip(answers).filter(wrong).count()
    };
    match (count(true), count(false)) {
        (0, 0) => RIGHT.to_owned(),
        (0, accepted) => format!("accepts {accepted} invalid"),
        (refused, 0) => format!("refuses {refused} valid"),
        (refused, accepted) => format!("refuses {refused} valid, accepts {accepted} invalid"),
    }
}
