//! `forecheck explain`: the verb `explain`.

use std::fs;
use std::path::Path;

use forecheck_contract::outcome::Effects;
use forecheck_contract::resend::{Basis, Change, ChangedBy, Resend};
use forecheck_contract::table::{ERRORS_FORMAT, ErrorTable, Retired, Row, RuntimeRow};
use forecheck_verbs::generated::details;
use forecheck_verbs::generated::explain as verb;
use serde_json::{Map, Value};

use crate::answer::{Call, Exit, Failure, Raised};
use crate::arguments::ExplainArguments;
use crate::own_table::own_table;
use crate::terminal::lines_visible;

/// How many codes are named when one is not found.
const NEAREST: usize = 3;

pub(crate) fn run(arguments: &ExplainArguments) -> Result<Exit, Failure> {
    let call = Call { verb: verb::VERB, json: arguments.json };
    let table = match &arguments.errors {
        None => own_table()?,
        Some(file) => match read(file) {
            Ok(table) => table,
            Err(reason) => return unreadable(&call, file, reason),
        },
    };
    let Some(found) = find(&table, &arguments.code) else { return unknown(&call, &table, &arguments.code) };
    let output = verb::Output {
        code: arguments.code.clone(),
        kind: found.kind(),
        surface: table.surface.name.clone(),
        row: found.as_json()?,
    };
    call.answered(Effects::None, &output, &found.in_words(&table))?;
    Ok(Exit::Done)
}

fn read(file: &Path) -> Result<ErrorTable, String> {
    let text = fs::read(file).map_err(|error| error.to_string())?;
    let table: ErrorTable = serde_json::from_slice(&text).map_err(|error| error.to_string())?;
    if table.format == ERRORS_FORMAT {
        Ok(table)
    } else {
        Err(format!("its format is {}, this program reads {ERRORS_FORMAT}", table.format))
    }
}

fn unreadable(call: &Call, file: &Path, reason: String) -> Result<Exit, Failure> {
    let message = format!("`{}` is no errors.json that can be read: {reason}", file.display());
    let refusal = verb::Refusal::ErrorsUnreadable(details::ErrorsUnreadable { reason });
    call.refused(Raised { code: refusal.code(), details: refusal.details()?, message, at: &["/errors"] })
}

fn unknown(call: &Call, table: &ErrorTable, code: &str) -> Result<Exit, Failure> {
    let nearest = nearest(table, code);
    let or = match nearest.as_slice() {
        [] => String::new(),
        near => format!("; the nearest are {}", near.join(", ")),
    };
    let message = format!("the table of `{}` has no code `{code}`{or}", table.surface.name);
    let refusal = verb::Refusal::CodeUnknown(details::CodeUnknown { nearest });
    call.refused(Raised { code: refusal.code(), details: refusal.details()?, message, at: &["/code"] })
}

/// The codes that are spelled most alike, best first; none that is spelled quite differently.
fn nearest(table: &ErrorTable, code: &str) -> Vec<String> {
    let wanted = code.to_ascii_uppercase().replace('-', "_");
    let constraints = table.codes.iter().map(|row| &row.code);
    let runtime = table.runtime_codes.iter().map(|row| &row.code);
    let retired = table.retired.iter().filter_map(|retired| retired.code.as_ref());
    let all = constraints.chain(runtime).chain(retired);
    let mut near: Vec<(usize, &String)> = all
        .map(|known| (strsim::damerau_levenshtein(&wanted, known), known))
        .filter(|(distance, known)| *distance <= 2 + known.len() / 3)
        .collect();
    near.sort();
    near.into_iter().take(NEAREST).map(|(_, known)| known.clone()).collect()
}

/// What a table says about a code.
enum Found<'t> {
    Constraint(&'t Row),
    Runtime(&'t RuntimeRow),
    Retired(&'t Retired),
}

fn find<'t>(table: &'t ErrorTable, code: &str) -> Option<Found<'t>> {
    let constraint = table.codes.iter().find(|row| row.code == code).map(Found::Constraint);
    let runtime = || table.runtime_codes.iter().find(|row| row.code == code).map(Found::Runtime);
    let retired = || table.retired.iter().find(|row| row.code.as_deref() == Some(code)).map(Found::Retired);
    constraint.or_else(runtime).or_else(retired)
}

impl Found<'_> {
    fn kind(&self) -> verb::OutputKind {
        match self {
            Found::Constraint(_) => verb::OutputKind::Constraint,
            Found::Runtime(_) => verb::OutputKind::Runtime,
            Found::Retired(_) => verb::OutputKind::Retired,
        }
    }

    fn as_json(&self) -> Result<std::collections::BTreeMap<String, Value>, Failure> {
        let value = match self {
            Found::Constraint(row) => serde_json::to_value(row)?,
            Found::Runtime(row) => serde_json::to_value(row)?,
            Found::Retired(row) => serde_json::to_value(row)?,
        };
        let members = serde_json::from_value::<Map<String, Value>>(value)?;
        Ok(members.into_iter().collect())
    }

    fn in_words(&self, table: &ErrorTable) -> String {
        let lines = match self {
            Found::Constraint(row) => constraint_in_words(row, table),
            Found::Runtime(row) => vec![
                row.code.clone(),
                format!("  {}", row.description),
                format!("  What mends it: {}", row.help),
                "  Verbs: every verb of every surface".to_owned(),
                format!("  Resend: {}", resend_in_words(row.resend, None)),
            ],
            Found::Retired(row) => retired_in_words(row),
        };
        lines_visible(&lines.join("\n")) + "\n"
    }
}

fn constraint_in_words(row: &Row, table: &ErrorTable) -> Vec<String> {
    let mut lines = vec![row.code.clone()];
    lines.push(format!(
        "  {}",
        if row.description.is_empty() { "(no description)" } else { &row.description }
    ));
    lines.extend(row.help.as_ref().map(|help| format!("  What mends it: {help}")));
    lines.push(format!("  Verbs: {}", some_of(&row.verbs)));
    lines.push(format!("  Resend: {}", resend_in_words(row.resend, row.change.as_ref())));
    lines.push(format!("  Basis: {}", basis_in_words(row.basis)));
    for group in &row.by_verb {
        let meaning = resend_in_words(group.resend, group.change.as_ref());
        lines.push(format!("    for {}: {meaning}", some_of(&group.verbs)));
        lines.extend(group.help.as_ref().map(|help| format!("      what mends it: {help}")));
    }
    for variant in row.variants.iter().skip(1).take(5) {
        lines.push(format!("  In other words, for {}: {}", some_of(&variant.verbs), variant.description));
    }
    if row.policy {
        lines.push("  The check runs even for a repeat, before the record of calls is asked.".to_owned());
    }
    if let Some(deprecated) = &row.deprecated {
        lines.push(format!("  Deprecated since {}.{}", deprecated.since, note(deprecated.note.as_deref())));
    }
    if !row.see.is_empty() {
        lines.push(format!("  See also: {}", some_of(&row.see)));
    }
    lines.push(format!("  Of every refusal: {}", table.retry.statement));
    lines
}

fn retired_in_words(row: &Retired) -> Vec<String> {
    let mut lines = vec![row.code.clone().unwrap_or_default()];
    lines.push(format!("  Retired since {}.{}", row.since, note(row.note.as_deref())));
    lines.extend(row.replaced_by.as_ref().map(|successor| format!("  Use {successor} instead.")));
    lines
}

fn note(note: Option<&str>) -> String {
    note.map_or_else(String::new, |note| format!(" {note}"))
}

/// A list that stays readable when a code is shared by thousands.
fn some_of(names: &std::collections::BTreeSet<String>) -> String {
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
        Some(by) => format!("{} (changed by {})", fact.fact, changed_by(by)),
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

fn changed_by(by: ChangedBy) -> &'static str {
    match by {
        ChangedBy::Agent => "the agent",
        ChangedBy::User => "the user",
        ChangedBy::Operator => "the operator",
        ChangedBy::Time => "time",
    }
}

fn basis_in_words(basis: Basis) -> &'static str {
    match basis {
        Basis::Undeclared => "undeclared: the spec does not say what the check reads",
        Basis::Signature => "signature: the spec declares that the check reads nothing else",
    }
}
