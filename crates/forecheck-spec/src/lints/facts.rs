//! What facts are `of`: names that exist, and fields that mean the same to every verb.

use std::collections::BTreeMap;

use forecheck_contract::canonical;
use forecheck_contract::json::Node;
use forecheck_contract::pointer;

use crate::file::FactFile;
use crate::instance::{fields_at, unconditional};
use crate::problem::{Lint, Located, Problem};
use crate::raw::RawSurface;
use crate::surface::Verb;
use crate::text::quoted;

pub(crate) fn check(raw: &RawSurface<'_>, verbs: &[Verb<'_>], problems: &mut Vec<Problem>) {
    for (name, (_, fact)) in &raw.facts {
        for of in fact.of.iter().flatten() {
            if !matches!(of.value, "target" | "input")
                && (of.value.is_empty() || pointer::tokens(of.value).is_none())
            {
                let message = format!("{} is neither `target` nor `input` nor a field", quoted(of.value));
                problems.push(
                    Problem::new(Lint::UnknownRead, of.at, message).help("a field is written `/field`"),
                );
            } else if of.value.starts_with('/') {
                one_type(raw, name, fact, *of, verbs, problems);
            }
        }
    }
}

/// One gatherer serves every verb, so the field has one type in all that read the fact.
fn one_type(
    raw: &RawSurface<'_>,
    name: &str,
    fact: &FactFile<'_>,
    of: Located<&str>,
    verbs: &[Verb<'_>],
    problems: &mut Vec<Problem>,
) {
    let mut types: BTreeMap<String, &str> = BTreeMap::new();
    for verb in verbs.iter().filter(|verb| reads(verb, name)) {
        for place in fields_at(&raw.schemas, &verb.input(), of.value) {
            let stated =
                unconditional(&raw.schemas, &place).into_iter().find_map(|place| place.node.get("type"));
            types
                .entry(stated.map_or_else(|| "any".to_owned(), |node: &Node<'_>| canonical::to_string(node)))
                .or_insert(verb.name());
        }
    }
    if types.len() > 1 {
        let all: Vec<String> =
            types.iter().map(|(kind, verb)| format!("{kind} in {}", quoted(verb))).collect();
        let message = format!(
            "the fact {} is of {}, which is {}",
            quoted(fact.fact.value),
            quoted(of.value),
            all.join(" and ")
        );
        problems.push(
            Problem::new(Lint::FactType, of.at, message)
                .help("give the field one type in every verb that reads the fact"),
        );
    }
}

/// Whether a check of the verb declares that it reads the fact.
pub(super) fn reads(verb: &Verb<'_>, fact: &str) -> bool {
    let reads = verb.constraints.iter().filter_map(|constraint| constraint.reads.as_ref());
    reads.flat_map(|reads| &reads.facts).any(|read| read.fact == fact)
}
