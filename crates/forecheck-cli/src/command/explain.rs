//! `forecheck explain`: the verb `explain`.

use std::collections::{BTreeMap, BTreeSet};

use forecheck::{Cleared, Settled};
use forecheck_contract::resend::{Change, Resend};
use forecheck_contract::table::{Deprecated, ErrorTable, Retired, Row, RuntimeRow};
use forecheck_spec::text::{nearest, visible};
use forecheck_verbs::generated::explain::{self, Output, OutputKind};
use serde_json::Value;

use super::text;
use crate::answer::{Exit, Failure, deliver};
use crate::arguments::ExplainArguments;
use crate::world::{Disk, Reading, host};

pub(crate) fn run(arguments: &ExplainArguments) -> Result<Exit, Failure> {
    let errors = arguments.errors.as_deref().map(text).transpose()?;
    let input = explain::Input { code: arguments.code.clone(), errors: errors.clone() };
    let host = host();
    let outcome = explain::call(&host, &serde_json::to_vec(&input)?);
    deliver(
        &outcome,
        arguments.json,
        |_| false,
        |output: &Output| {
            let table = host.read.table(errors.as_deref()).map_err(String::as_str)?;
            Ok(find(table, &output.code).map_or_else(String::new, |found| found.in_words()))
        },
    )
}

impl explain::Answer for Disk {
    fn answer(read: &Reading, call: Cleared<explain::Verb<Disk>>) -> Settled<explain::Verb<Disk>> {
        let (code, errors) = (call.input().code.clone(), call.input().errors.as_deref());
        let answer = read.table(errors).map_err(Clone::clone).and_then(|table| {
            let found = find(table, &code).ok_or("the table has no such code")?;
            let row = found.as_json().map_err(|error| error.to_string())?;
            Ok(Output { code, kind: found.kind(), surface: table.surface.name.clone(), row })
        });
        match answer {
            Ok(output) => call.answered(&output),
            Err(reason) => call.failed(reason),
        }
    }
}

/// What a table says about a code.
pub(crate) enum Found<'t> {
    Constraint(&'t Row),
    Runtime(&'t RuntimeRow),
    Retired(&'t Retired),
}

pub(crate) fn find<'t>(table: &'t ErrorTable, code: &str) -> Option<Found<'t>> {
    let constraint = table.codes.iter().find(|row| row.code == code).map(Found::Constraint);
    let runtime = || table.runtime_codes.iter().find(|row| row.code == code).map(Found::Runtime);
    let retired = || {
        table
            .retired
            .iter()
            .find(|row| row.code.as_deref().or(row.verb.as_deref()) == Some(code))
            .map(Found::Retired)
    };
    constraint.or_else(runtime).or_else(retired)
}

/// The codes of a table that are spelled most alike, best first.
pub(crate) fn nearest_codes(table: &ErrorTable, code: &str) -> Vec<String> {
    let constraints = table.codes.iter().map(|row| &*row.code);
    let runtime = table.runtime_codes.iter().map(|row| &*row.code);
    let retired =
        table.retired.iter().filter_map(|retired| retired.code.as_deref().or(retired.verb.as_deref()));
    let wanted = code.to_ascii_uppercase().replace('-', "_");
    nearest(&wanted, constraints.chain(runtime).chain(retired)).into_iter().map(str::to_owned).collect()
}

impl Found<'_> {
    fn kind(&self) -> OutputKind {
        match self {
            Found::Constraint(_) => OutputKind::Constraint,
            Found::Runtime(_) => OutputKind::Runtime,
            Found::Retired(_) => OutputKind::Retired,
        }
    }

    fn as_json(&self) -> serde_json::Result<BTreeMap<String, Value>> {
        let value = match self {
            Found::Constraint(row) => serde_json::to_value(row),
            Found::Runtime(row) => serde_json::to_value(row),
            Found::Retired(row) => serde_json::to_value(row),
        };
        value.and_then(serde_json::from_value)
    }

    fn in_words(&self) -> String {
        let lines = match self {
            Found::Constraint(row) => constraint_in_words(row),
            Found::Runtime(row) => vec![
                row.code.clone(),
                format!("  {}", row.description),
                format!("  What mends it: {}", row.help),
                "  Verbs: every verb of every surface".to_owned(),
                format!("  Resend: {}", resend_in_words(row.resend, None)),
            ],
            Found::Retired(row) => retired_in_words(row),
        };
        lines.iter().map(|line| visible(line) + "\n").collect()
    }
}

fn constraint_in_words(row: &Row) -> Vec<String> {
    let mut lines = vec![row.code.clone()];
    lines.push(format!(
        "  {}",
        if row.description.is_empty() { "(no description)" } else { &row.description }
    ));
    lines.extend(row.help.as_ref().map(|help| format!("  What mends it: {help}")));
    lines.push(format!("  Verbs: {}", some_of(&row.verbs)));
    lines.push(format!("  Resend: {}", resend_in_words(row.resend, row.change.as_ref())));
    lines.push(format!("  Basis: {}", row.basis.in_words()));
    for group in &row.by_verb {
        let meaning = resend_in_words(group.resend, group.change.as_ref());
        lines.push(format!("    for {}: {meaning}", some_of(&group.verbs)));
        lines.extend(group.help.as_ref().map(|help| format!("      what mends it: {help}")));
        lines.extend(group.since.as_ref().map(|since| format!("      since {since}")));
        if let Some(deprecated) = &group.deprecated {
            let Deprecated { since, note, replaced_by } = deprecated;
            lines.push(format!("      deprecated since {since}.{}", self::note(note.as_deref())));
            lines.extend(replaced_by.as_ref().map(|successor| format!("      use {successor} instead")));
        }
    }
    for variant in row.variants.iter().skip(1).take(5) {
        lines.push(format!("  In other words, for {}: {}", some_of(&variant.verbs), variant.description));
    }
    if row.policy {
        lines.push("  The check runs even for a repeat, before the record of calls is asked.".to_owned());
    }
    if let Some(deprecated) = &row.deprecated {
        lines.push(format!("  Deprecated since {}.{}", deprecated.since, note(deprecated.note.as_deref())));
        lines.extend(deprecated.replaced_by.as_ref().map(|successor| format!("  Use {successor} instead.")));
    }
    lines.extend(row.since.as_ref().map(|since| format!("  Since: {since}")));
    if !row.see.is_empty() {
        lines.push(format!("  See also: {}", some_of(&row.see)));
    }
    lines.push("  Of every refusal: nothing was done, so sending the call again is safe.".to_owned());
    lines
}

fn retired_in_words(row: &Retired) -> Vec<String> {
    let mut lines = vec![row.code.clone().or(row.verb.clone()).unwrap_or_default()];
    lines.push(format!("  Retired since {}.{}", row.since, note(row.note.as_deref())));
    lines.extend(row.replaced_by.as_ref().map(|successor| format!("  Use {successor} instead.")));
    lines
}

fn note(note: Option<&str>) -> String {
    note.map_or_else(String::new, |note| format!(" {note}"))
}

/// A list that stays readable when a code is shared by thousands.
fn some_of(names: &BTreeSet<String>) -> String {
    const SHOWN: usize = 12;
    let shown: Vec<&str> = names.iter().take(SHOWN).map(String::as_str).collect();
    match names.len().saturating_sub(SHOWN) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

fn resend_in_words(resend: Resend, change: Option<&Change>) -> String {
    let change = change.cloned().unwrap_or_default();
    let fields = change
        .input
        .iter()
        .map(|at| if at.is_empty() { "the input" } else { at })
        .collect::<Vec<_>>()
        .join(" or ");
    let facts = change.facts.iter().map(|fact| match fact.changed_by {
        Some(by) => format!("{} (changed by {})", fact.fact, by.in_words()),
        None => fact.fact.clone(),
    });
    let facts = facts.collect::<Vec<_>>().join(" or ");
    match (resend, fields.is_empty(), facts.is_empty()) {
        (Resend::ChangeInput, false, _) => {
            format!("change_input: the identical call is refused again; change {fields}")
        }
        (Resend::ChangeInput, true, _) => {
            "change_input: the identical call is refused again; change the input".to_owned()
        }
        (Resend::SameInput, _, false) => {
            format!("same_input: the identical call may pass once this changes: {facts}")
        }
        (Resend::SameInput, _, true) => {
            "same_input: the identical call may pass once what it met outside changes".to_owned()
        }
        (Resend::Either, false, false) => format!("either: it may take a change of {fields}, or of {facts}"),
        (Resend::Either, ..) => {
            "either: it is not known whether the input or something outside has to change".to_owned()
        }
    }
}
