//! Shared constraints, facts and definitions that nothing uses.

use std::collections::{BTreeMap, BTreeSet};

use forecheck_contract::json::{Member, Node, Span};
use forecheck_contract::pointer;

use crate::file::ConstraintEntry;
use crate::problem::{Lint, Location, Problem};
use crate::raw::RawSurface;
use crate::schema::keyword::subschemas;
use crate::schema::{Resource, ResourceId};
use crate::text::quoted;

pub(crate) fn check(raw: &RawSurface<'_>, problems: &mut Vec<Problem>) {
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
    let used = Used::of(raw);
    for (file, resource) in raw.resources() {
        if let ResourceId::Defs(name) = resource.id
            && !used.files.contains(name)
        {
            let start = resource.root.span.start;
            report(file, Span { start, end: start + 1 }, "definition", name);
        }
        if resource.id != ResourceId::Common {
            for member in used.unused_definitions(resource) {
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

/// What the `$ref`s of a surface lead to.
struct Used<'s> {
    /// Files under `defs/` that another resource refers to.
    files: BTreeSet<&'s str>,
    /// The pointers that are referred to in each resource, by its root.
    pointers: BTreeMap<*const Node<'s>, BTreeSet<String>>,
}

impl<'s> Used<'s> {
    fn of(raw: &RawSurface<'s>) -> Used<'s> {
        let mut used = Used { files: BTreeSet::new(), pointers: BTreeMap::new() };
        for (_, resource) in raw.resources() {
            for place in references(resource.root).filter_map(|name| raw.schemas.resolve(resource, name).ok())
            {
                if let ResourceId::Defs(name) = place.resource.id
                    && resource.id != place.resource.id
                {
                    used.files.insert(name);
                }
                used.pointers
                    .entry(std::ptr::from_ref(place.resource.root))
                    .or_default()
                    .insert(place.pointer);
            }
        }
        used
    }

    /// The members of `$defs` that no `$ref` leads to or through.
    fn unused_definitions(&self, resource: Resource<'s>) -> Vec<&'s Member<'s>> {
        let definitions = resource.root.get("$defs").and_then(Node::as_object).unwrap_or_default();
        let none = BTreeSet::new();
        let pointers = self.pointers.get(&std::ptr::from_ref(resource.root)).unwrap_or(&none);
        let is_unused = |member: &&Member<'_>| {
            let at = pointer::join("/$defs", &member.name);
            !pointers.contains(&at) && !pointers.iter().any(|used| pointer::is_within(used, &at))
        };
        definitions.iter().filter(is_unused).collect()
    }
}

fn references<'s>(root: &'s Node<'s>) -> impl Iterator<Item = &'s str> {
    let mut open = vec![root];
    std::iter::from_fn(move || {
        let schema = open.pop()?;
        open.extend(subschemas(schema));
        Some(schema.get("$ref").and_then(Node::as_str))
    })
    .flatten()
}
