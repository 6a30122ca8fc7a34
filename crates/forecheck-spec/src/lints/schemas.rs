//! Every schema of a surface: keywords, their values, and where `$ref` leads.

use std::collections::{BTreeMap, BTreeSet};

use forecheck_contract::json::{Member, Node};
use forecheck_contract::validator::compiles;

use crate::instance::names_of;
use crate::problem::{FileId, Lint, Location, Problem};
use crate::raw::RawSurface;
use crate::schema::keyword::{FORMATS, Holds, fault, holds, is_schema, subschemas};
use crate::schema::{RefError, Resource, Schemas};
use crate::text::{nearest, quoted};

/// The dialect that schemas are read as.
const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

pub(crate) fn check(raw: &RawSurface<'_>, problems: &mut Vec<Problem>) {
    let mut patterns = BTreeMap::new();
    for (file, resource) in raw.resources() {
        let (seen, referred) = (BTreeSet::new(), Vec::new());
        Walk { file, resource, schemas: &raw.schemas, problems, patterns: &mut patterns, seen, referred }
            .walk();
    }
    for (file, constraint) in raw.constraints() {
        if let Some(details) = constraint.details {
            every_property_is_required(file, details, problems);
        }
    }
}

/// A refusal carries all of its details or none.
fn every_property_is_required(file: FileId, details: &Node<'_>, problems: &mut Vec<Problem>) {
    for member in details.get("properties").and_then(Node::as_object).unwrap_or_default() {
        if !names_of(details, "required").any(|name| name == member.name) {
            let message = format!("the property {} of `details` is not required", quoted(&member.name));
            let at = Location { file: Some(file), span: member.name_span };
            problems.push(
                Problem::new(Lint::DetailsOptional, at, message)
                    .help("list it in `required`; a value that may be missing can be null"),
            );
        }
    }
}

/// A walk over all schemas of one resource.
struct Walk<'r, 's> {
    file: FileId,
    resource: Resource<'s>,
    schemas: &'r Schemas<'s>,
    problems: &'r mut Vec<Problem>,
    /// Patterns that were looked at, and whether they compile.
    patterns: &'r mut BTreeMap<&'s str, bool>,
    seen: BTreeSet<*const Node<'s>>,
    referred: Vec<&'s Node<'s>>,
}

impl<'s> Walk<'_, 's> {
    fn walk(&mut self) {
        let root = self.resource.root;
        if root.as_object().is_none() && root.as_bool().is_none() {
            let message = format!("a schema must be an object, not {}", root.kind());
            self.report(Problem::new(Lint::WrongType, self.at(root), message));
        }
        let mut open = vec![root];
        while let Some(schema) = open.pop().or_else(|| self.referred_elsewhere()) {
            self.seen.insert(std::ptr::from_ref(schema));
            for member in schema.as_object().unwrap_or_default() {
                self.keyword(member);
            }
            open.extend(subschemas(schema));
        }
    }

    /// A schema that a `$ref` leads to and that stands where no keyword holds schemas.
    fn referred_elsewhere(&mut self) -> Option<&'s Node<'s>> {
        std::iter::from_fn(|| self.referred.pop())
            .find(|node| !self.seen.contains(&std::ptr::from_ref(*node)))
    }

    fn keyword(&mut self, member: &'s Member<'s>) {
        if member.name == "patternProperties" {
            for each in member.node.as_object().unwrap_or_default() {
                self.pattern(&each.name, self.name_of(each));
            }
        }
        match holds(&member.name) {
            None => self.unknown(member),
            Some(Holds::Unsupported) => self.unsupported(member),
            Some(holds) => match fault(holds, &member.node) {
                Some(fault) => self.fault(member, &fault),
                None => self.meaning(holds, member),
            },
        }
    }

    fn unknown(&mut self, member: &Member<'_>) {
        let name = &*member.name;
        if name.starts_with("x-") {
            return;
        }
        let message = format!("{} is no keyword of JSON Schema 2020-12 and constrains nothing", quoted(name));
        let help = match name {
            "nullable" => Some("write \"type\": [\"string\", \"null\"]".to_owned()),
            "dependencies" => Some("2020-12 says `dependentRequired` or `dependentSchemas`".to_owned()),
            "additionalItems" => Some("2020-12 says `prefixItems` and `items`".to_owned()),
            "id" => None,
            _ => {
                nearest(name, KEYWORDS.iter().copied()).first().map(|near| format!("did you mean `{near}`?"))
            }
        };
        let problem = Problem::new(Lint::UnknownKeyword, self.name_of(member), message);
        self.report(Problem { help, ..problem });
    }

    fn unsupported(&mut self, member: &Member<'_>) {
        let message = format!("{} is not honoured by the generators", quoted(&member.name));
        let help = "name the schema in `$defs` or in a file under defs/ and refer to it by `$ref` with a JSON Pointer";
        self.report(Problem::new(Lint::UnsupportedKeyword, self.name_of(member), message).help(help));
    }

    fn fault(&mut self, member: &Member<'_>, fault: &str) {
        let problem =
            Problem::new(Lint::Schema, self.at(&member.node), format!("{} {fault}", quoted(&member.name)));
        let tuple = &*member.name == "items" && member.node.as_array().is_some();
        self.report(if tuple { problem.help("2020-12 spells a tuple `prefixItems`") } else { problem });
    }

    /// What a well-formed keyword says about the world outside its value.
    fn meaning(&mut self, holds: Holds, member: &'s Member<'s>) {
        let Some(text) = member.node.as_str() else { return };
        match holds {
            Holds::Reference => self.reference(&member.node, text),
            Holds::Format if !FORMATS.contains(&text) => {
                let message = format!("JSON Schema defines no format {}", quoted(text));
                let help = nearest(text, FORMATS.iter().copied())
                    .first()
                    .map(|near| format!("did you mean `{near}`?"));
                self.report(Problem {
                    help,
                    ..Problem::new(Lint::UnknownFormat, self.at(&member.node), message)
                });
            }
            Holds::Text if &*member.name == "pattern" => self.pattern(text, self.at(&member.node)),
            Holds::Text if &*member.name == "$schema" && text.trim_end_matches('#') != DIALECT => {
                let message = format!("the schema is read as 2020-12, not as {}", quoted(text));
                self.report(Problem::new(Lint::Dialect, self.at(&member.node), message));
            }
            _ => {}
        }
    }

    fn pattern(&mut self, pattern: &'s str, at: Location) {
        if !*self.patterns.entry(pattern).or_insert_with(|| compiles(pattern)) {
            let message =
                format!("the pattern {} cannot be compiled, so nothing enforces it", quoted(pattern));
            self.report(
                Problem::new(Lint::Pattern, at, message).help("write it as an ECMA-262 regular expression"),
            );
        }
    }

    fn reference(&mut self, node: &Node<'_>, reference: &str) {
        let error = match self.schemas.resolve(self.resource, reference) {
            Ok(place) if !is_schema(place.node) => {
                let message = format!(
                    "the `$ref` {} leads to {}, not to a schema",
                    quoted(reference),
                    place.node.kind()
                );
                self.report(Problem::new(Lint::UnresolvedRef, self.at(node), message));
                return;
            }
            Ok(place) => {
                if std::ptr::eq(place.resource.root, self.resource.root) {
                    self.referred.push(place.node);
                }
                return;
            }
            Err(error) => error,
        };
        let (why, help) = match error {
            RefError::Outside => (
                "leads out of the surface",
                "refer to `#/...`, `_common.schema.json#/...` or `../defs/NAME.schema.json#/...`",
            ),
            RefError::NoSuchDocument => {
                ("names a file that the surface does not have", "add the file under defs/")
            }
            RefError::NoSuchPlace => (
                "names a place that its document does not have",
                "a `#` starts at the root of this input or output",
            ),
            RefError::Anchor => ("names an anchor", "refer to the place by its JSON Pointer: `#/$defs/NAME`"),
        };
        let message = format!("the `$ref` {} {why}", quoted(reference));
        self.report(Problem::new(Lint::UnresolvedRef, self.at(node), message).help(help));
    }

    fn at(&self, node: &Node<'_>) -> Location {
        Location { file: Some(self.file), span: node.span }
    }

    fn name_of(&self, member: &Member<'_>) -> Location {
        Location { file: Some(self.file), span: member.name_span }
    }

    fn report(&mut self, problem: Problem) {
        self.problems.push(problem);
    }
}

/// Keywords that a misspelt one may stand for.
const KEYWORDS: [&str; 36] = [
    "additionalProperties",
    "allOf",
    "anyOf",
    "const",
    "contains",
    "default",
    "dependentRequired",
    "dependentSchemas",
    "deprecated",
    "description",
    "enum",
    "examples",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "items",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "oneOf",
    "pattern",
    "patternProperties",
    "prefixItems",
    "properties",
    "propertyNames",
    "required",
    "title",
    "type",
    "unevaluatedProperties",
    "uniqueItems",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggested_keywords_are_known() {
        assert_eq!(KEYWORDS.iter().find(|name| holds(name).is_none()), None);
    }
}
