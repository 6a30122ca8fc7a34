//! How verbs, codes and facts are spelled, and that no two make one identifier.

use std::collections::{BTreeMap, BTreeSet};

use forecheck_contract::runtime_code::RuntimeCode;

use crate::file::RetiredEntry;
use crate::fold::{is_windows_device, type_identifier};
use crate::problem::{Lint, Located, Location, Problem};
use crate::raw::RawSurface;
use crate::text::quoted;

/// The longest name of a verb, a code or a fact.
const MAX_NAME: usize = 128;
/// The longest name of a tool that MCP clients take.
const MAX_TOOL_NAME: usize = 64;
/// Names that a fact cannot take, because `reads` gives them another meaning.
const RESERVED_FACTS: [&str; 3] = ["target", "input", "now"];

pub(crate) fn check(raw: &RawSurface<'_>, problems: &mut Vec<Problem>) {
    let mut verbs = BTreeMap::new();
    for (_, verb) in &raw.verbs {
        verb_name(verb.verb, verb.tool_name.is_some(), problems);
        folds(&mut verbs, "verbs", verb.verb, verb.x_name, problems);
        if let Some(probe) = verb.probe {
            probe_name(probe, verb.settle_after.is_some(), problems);
        }
    }
    let mut codes = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for (_, constraint) in raw.constraints() {
        if seen.insert(constraint.code.at) {
            code_name(constraint.code, problems);
            folds(&mut codes, "codes", constraint.code, constraint.x_name, problems);
        }
    }
    for (_, fact) in raw.facts.values() {
        fact_name(fact.fact, problems);
    }
    for RetiredEntry { entry, at } in &raw.retired {
        let located = |value| Located { value, at: *at };
        if let Some(code) = entry.code.as_deref() {
            code_name(located(code), problems);
        }
        if let Some(verb) = entry.verb.as_deref() {
            verb_name(located(verb), true, problems);
        }
    }
}

fn probe_name(probe: Located<&str>, has_time: bool, problems: &mut Vec<Problem>) {
    if !is_snake(probe.value) {
        let message = format!("{} is no name of a probe", quoted(probe.value));
        let help = "lower-case words joined by single underscores, at most 128 characters: `find_branch`";
        problems.push(Problem::new(Lint::WrongValue, probe.at, message).help(help));
    }
    if !has_time {
        let message = "a `probe` needs `settle_after`: how long an effect may still be on its way";
        let help = "say it as an ISO 8601 duration: `\"settle_after\": \"PT10M\"`";
        problems.push(Problem::new(Lint::MissingField, probe.at, message).help(help));
    }
}

fn verb_name(verb: Located<&str>, has_tool_name: bool, problems: &mut Vec<Problem>) {
    if !is_snake(verb.value) {
        let message = format!("{} is no name of a verb", quoted(verb.value));
        let help = "lower-case words joined by single underscores, at most 128 characters: `open_pr`";
        problems.push(Problem::new(Lint::VerbGrammar, verb.at, message).help(help));
    } else if is_windows_device(verb.value) {
        let message = format!(
            "{} is the name of a device on Windows, where its file could not exist",
            quoted(verb.value)
        );
        problems.push(Problem::new(Lint::VerbGrammar, verb.at, message).help("choose another name"));
    } else if verb.value.len() > MAX_TOOL_NAME && !has_tool_name {
        let message = format!("MCP clients refuse tool names of more than {MAX_TOOL_NAME} characters");
        problems.push(Problem::new(Lint::LongName, verb.at, message).help("give it a shorter `tool_name`"));
    }
}

fn code_name(code: Located<&str>, problems: &mut Vec<Problem>) {
    if !is_screaming(code.value) {
        let message = format!("{} is no code", quoted(code.value));
        let help = "upper-case letters, digits and underscores, from a letter to a letter or digit, 2 to 128 characters: `NO_SUCH_REPO`";
        problems.push(Problem::new(Lint::CodeGrammar, code.at, message).help(help));
    } else if is_windows_device(code.value) {
        let message = format!(
            "{} is the name of a device on Windows, where its page could not exist",
            quoted(code.value)
        );
        problems.push(Problem::new(Lint::CodeGrammar, code.at, message).help("choose another name"));
    } else if RuntimeCode::ALL.iter().any(|runtime| runtime.as_str() == code.value) {
        let message =
            format!("{} is a code of the runtime, for every verb of every surface", quoted(code.value));
        problems.push(Problem::new(Lint::ReservedCode, code.at, message).help("choose another name"));
    }
}

fn fact_name(fact: Located<&str>, problems: &mut Vec<Problem>) {
    if !is_snake(fact.value) {
        let message = format!("{} is no name of a fact", quoted(fact.value));
        let help = "lower-case words joined by single underscores, at most 128 characters: `worktree`";
        problems.push(Problem::new(Lint::FactGrammar, fact.at, message).help(help));
    } else if RESERVED_FACTS.contains(&fact.value) {
        let message = format!("{} means something else in `reads`", quoted(fact.value));
        problems.push(Problem::new(Lint::FactGrammar, fact.at, message).help("choose another name"));
    }
}

/// `[a-z][a-z0-9]*(_[a-z0-9]+)*`
fn is_snake(name: &str) -> bool {
    let is_word =
        |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    name.len() <= MAX_NAME
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.split('_').all(is_word)
}

/// `[A-Z][A-Z0-9_]*[A-Z0-9]`
fn is_screaming(name: &str) -> bool {
    (2..=MAX_NAME).contains(&name.len())
        && name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
        && name.starts_with(|c: char| c.is_ascii_uppercase())
        && !name.ends_with('_')
}

/// Reports a name whose identifier another name of its kind has already taken.
fn folds<'s>(
    taken: &mut BTreeMap<String, (&'s str, Location)>,
    kind: &str,
    name: Located<&'s str>,
    x_name: Option<Located<&'s str>>,
    problems: &mut Vec<Problem>,
) {
    let identifier = x_name.map_or_else(|| type_identifier(name.value), |x_name| x_name.value.to_owned());
    if let Some(x_name) = x_name
        && !is_type_identifier(x_name.value)
    {
        let message = format!("{} is no identifier of a type", quoted(x_name.value));
        problems.push(Problem::new(Lint::WrongValue, x_name.at, message).help("write it as `OpenPr`"));
    }
    match taken.get(&identifier) {
        Some((other, first)) if *other != name.value => {
            let message = format!(
                "the {kind} {} and {} make one identifier, `{identifier}`, in generated code",
                quoted(other),
                quoted(name.value)
            );
            problems.push(
                Problem::new(Lint::NamesFold, name.at, message)
                    .related(*first, "the first one")
                    .help("rename one, or give it an `x-name`"),
            );
        }
        Some(_) => {}
        None => drop(taken.insert(identifier, (name.value, name.at))),
    }
}

fn is_type_identifier(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase()) && name.bytes().all(|b| b.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_and_facts_are_snake_case() {
        let long = "a".repeat(128);
        for good in ["a", "open_pr", "a1", "a_1", "x2_3y", &long] {
            assert!(is_snake(good), "{good}");
        }
        let longer = "a".repeat(129);
        for bad in ["", "1a", "_a", "a_", "a__b", "A", "open-pr", "ä", &longer] {
            assert!(!is_snake(bad), "{bad}");
        }
    }

    #[test]
    fn codes_are_screaming() {
        let long = "A".repeat(128);
        for good in ["AB", "A1", "NO_PRIVILEGED_PATHS", "A__B", &long] {
            assert!(is_screaming(good), "{good}");
        }
        let longer = "A".repeat(129);
        for bad in ["", "A", "1A", "_A", "A_", "Ab", "A-B", "Ä1", &longer] {
            assert!(!is_screaming(bad), "{bad}");
        }
    }
}
