//! Shared constraints, facts and definitions that nothing uses.

use std::collections::BTreeSet;

use forecheck_contract::json::{Node, Span};

use crate::file::ConstraintEntry;
use crate::problem::{FileId, Lint, Location, Problem};
use crate::raw::RawSurface;
use crate::schema::keyword::subschemas;
use crate::schema::{Place, Resource, ResourceId};
use crate::text::quoted;

pub(crate) fn check(raw: &RawSurface<'_>, problems: &mut Vec<Problem>) {
    let mut report = |file, span, what: &str, name: &str| {
        let message = format!("nothing uses the {what} {}", quoted(name));
        problems
            .push(Problem::new(Lint::Unused, Location { file, span }, message).help("use it or remove it"));
    };
    let constraints = used_constraints(raw);
    for (name, (file, constraint)) in raw.constraints.iter().filter(|(name, _)| !constraints.contains(*name))
    {
        report(*file, constraint.code.at.span, "shared constraint", name);
    }
    let facts = used_facts(raw);
    for (name, (file, fact)) in raw.facts.iter().filter(|(name, _)| !facts.contains(*name)) {
        report(*file, fact.fact.at.span, "fact", name);
    }
    let defs = used_defs(raw);
    for (file, name, root) in raw.schema_files.iter().filter(|(_, name, _)| !name.is_empty()) {
        if !defs.contains(name) {
            report(*file, Span { start: root.span.start, end: root.span.start + 1 }, "definition", name);
        }
    }
    for (file, resource) in resources(raw).into_iter().filter(|(_, resource)| resource.id == ResourceId::Own)
    {
        let Some(definitions) = resource.root.get("$defs").and_then(Node::as_object) else { continue };
        let used = used_own_definitions(resource.root);
        for member in definitions.iter().filter(|member| !used.contains(&*member.name)) {
            report(file, member.name_span, "definition", &member.name);
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

fn used_facts<'s>(raw: &RawSurface<'s>) -> BTreeSet<&'s str> {
    let own = raw.verbs.iter().flat_map(|(_, verb)| &verb.constraints).filter_map(|entry| match entry {
        ConstraintEntry::Own(file) => Some(&**file),
        ConstraintEntry::Shared(_) => None,
    });
    let all = raw.constraints.values().map(|(_, file)| file).chain(own);
    all.flat_map(|file| file.reads.iter().flatten()).map(|read| read.value).collect()
}

fn used_defs<'s>(raw: &RawSurface<'s>) -> BTreeSet<&'s str> {
    let mut used = BTreeSet::new();
    for (_, resource) in resources(raw) {
        for reference in references(resource.root) {
            if let Ok(Place { resource: Resource { id: ResourceId::Defs(name), .. }, .. }) =
                raw.schemas.resolve(resource, reference)
                && resource.id != ResourceId::Defs(name)
            {
                used.insert(name);
            }
        }
    }
    used
}

/// The names in `$defs` that some `$ref` of the resource goes through.
fn used_own_definitions<'s>(root: &'s Node<'s>) -> BTreeSet<String> {
    let name = |reference: &'s str| {
        let token = reference.strip_prefix("#/$defs/")?.split('/').next()?;
        let decoded = token.replace("%25", "%").replace("%20", " ");
        Some(decoded.replace("~1", "/").replace("~0", "~"))
    };
    references(root).filter_map(name).collect()
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

/// Every schema resource of the surface, with its file.
fn resources<'s>(raw: &RawSurface<'s>) -> Vec<(FileId, Resource<'s>)> {
    let mut all = Vec::new();
    for (file, verb) in &raw.verbs {
        all.push((*file, Resource::own(verb.input)));
        all.extend(verb.output.map(|output| (*file, Resource::own(output))));
    }
    all
}
