//! Shared constraints, facts and definitions that nothing uses.

use std::collections::BTreeSet;

use forecheck_contract::json::{Member, Node, Span};

use crate::file::ConstraintEntry;
use crate::lints::schemas::{Seen, SeenResource};
use crate::problem::{Lint, Location, Problem};
use crate::raw::RawSurface;
use crate::schema::{Resource, ResourceId};
use crate::text::quoted;

pub(crate) fn check<'s>(raw: &RawSurface<'s>, seen: &Seen<'s>, problems: &mut Vec<Problem>) {
    let mut report = |file, span, what: &str, name: &str| {
        let message = format!("nothing uses the {what} {}", quoted(name));
        problems.push(
            Problem::new(Lint::Unused, Location { file: Some(file), span }, message)
                .help("use it or remove it"),
        );
    };
    let constraints = used_constraints(raw);
    for (name, (file, constraint)) in raw.constraints.iter().filter(|(name, _)| !constraints.contains(*name))
    {
        report(*file, constraint.code.at.span, "shared constraint", name);
    }
    let reads = raw.constraints().flat_map(|(_, file)| file.named_reads());
    let facts: BTreeSet<&str> = reads.map(|read| read.value).collect();
    for (name, (file, fact)) in raw.facts.iter().filter(|(name, _)| !facts.contains(*name)) {
        report(*file, fact.fact.at.span, "fact", name);
    }
    for SeenResource { file, resource, .. } in seen.resources.iter().copied() {
        if let ResourceId::Defs(name) = resource.id
            && !seen.files.contains(name)
        {
            let start = resource.root.span.start;
            report(file, Span { start, end: start + 1 }, "definition", name);
        }
        if resource.id != ResourceId::Common {
            for member in unused_definitions(seen, resource) {
                report(file, member.name_span, "definition", &member.name);
            }
        }
    }
}

fn used_constraints<'s>(raw: &RawSurface<'s>) -> BTreeSet<&'s str> {
    let entries = raw.verbs.iter().flat_map(|(_, verb)| &verb.constraints);
    entries
        .filter_map(|entry| match entry {
            ConstraintEntry::Shared(name) => Some(name.value),
            ConstraintEntry::Own(_) => None,
        })
        .collect()
}

/// The members of `$defs` that no `$ref` leads to or through.
fn unused_definitions<'s>(seen: &Seen<'s>, resource: Resource<'s>) -> impl Iterator<Item = &'s Member<'s>> {
    let definitions = resource.root.get("$defs").and_then(Node::as_object).unwrap_or_default();
    definitions.iter().filter(|member| !seen.definitions.contains(&std::ptr::from_ref(&member.node)))
}
