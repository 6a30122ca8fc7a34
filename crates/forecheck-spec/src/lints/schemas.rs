//! Every schema of a surface: keywords, their values, and where `$ref` leads.

use std::collections::{BTreeMap, BTreeSet};

use forecheck_contract::json::{Member, Node};
use forecheck_contract::validator::compiles;

use crate::instance::names_of;
use crate::pattern::is_simple;
use crate::problem::{FileId, Lint, Location, Problem};
use crate::raw::RawSurface;
use crate::schema::keyword::{FORMATS, Holds, children, fault, holds, is_schema};
use crate::schema::{RefError, Resource, ResourceId, Schemas, Target};
use crate::text::{nearest, quoted};

/// The dialect that schemas are read as.
const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// What the walk over all schemas came by that other rules ask for. Schemas that stand where no keyword
/// holds schemas count for nothing here.
#[derive(Debug, Default)]
pub(crate) struct Seen<'s> {
    /// Every resource, in the order of [`RawSurface::resources`].
    pub(crate) resources: Vec<SeenResource<'s>>,
    /// Every `x-key`, with the file and the resource that it stands in.
    pub(crate) marks: Vec<(FileId, Resource<'s>, &'s Member<'s>)>,
    /// Files under `defs/` that another resource refers to.
    pub(crate) files: BTreeSet<&'s str>,
    /// Members of `$defs` that a `$ref` leads to or through, by address.
    pub(crate) definitions: BTreeSet<*const Node<'s>>,
}

/// What was seen of one resource.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SeenResource<'s> {
    pub(crate) file: FileId,
    pub(crate) resource: Resource<'s>,
    /// Whether one value may be checked against several of its schemas.
    pub(crate) joins: bool,
    /// Whether it refers to a shared resource.
    pub(crate) refers_outside: bool,
}

pub(crate) fn check<'s>(raw: &RawSurface<'s>, problems: &mut Vec<Problem>) -> Seen<'s> {
    let mut patterns = BTreeMap::new();
    let mut seen = Seen::default();
    for (file, resource) in raw.resources() {
        let here = SeenResource { file, resource, joins: false, refers_outside: false };
        let mut walk = Walk {
            here,
            schemas: &raw.schemas,
            problems,
            patterns: &mut patterns,
            seen: &mut seen,
            visited: Vec::new(),
            referred: Vec::new(),
            is_elsewhere: false,
        };
        walk.walk();
        let here = walk.here;
        seen.resources.push(here);
    }
    for (file, constraint) in raw.constraints() {
        if let Some(details) = constraint.details {
            every_property_is_required(file, details, problems);
        }
    }
    seen
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
    here: SeenResource<'s>,
    schemas: &'r Schemas<'s>,
    problems: &'r mut Vec<Problem>,
    /// Patterns that were looked at, and whether they compile.
    patterns: &'r mut BTreeMap<&'s str, bool>,
    seen: &'r mut Seen<'s>,
    visited: Vec<*const Node<'s>>,
    referred: Vec<&'s Node<'s>>,
    /// Whether the walk has come to schemas that stand where no keyword holds schemas.
    is_elsewhere: bool,
}

impl<'s> Walk<'_, 's> {
    fn walk(&mut self) {
        let root = self.here.resource.root;
        if root.as_object().is_none() && root.as_bool().is_none() {
            let message = format!("a schema must be an object, not {}", root.kind());
            self.report(Problem::new(Lint::WrongType, self.at(root), message));
        }
        let mut open = vec![root];
        while let Some(schema) = open.pop().or_else(|| self.referred_elsewhere()) {
            self.visited.push(std::ptr::from_ref(schema));
            let (mut refers, mut applies) = (false, false);
            for member in schema.as_object().unwrap_or_default() {
                let Some(holds) = self.keyword(member) else { continue };
                refers |= holds == Holds::Reference;
                applies |= holds.is_applicator() && !matches!(&*member.name, "$defs" | "definitions");
                open.extend(children(holds, &member.node));
            }
            self.here.joins |= refers && applies;
        }
    }

    /// A schema that a `$ref` leads to and that stands where no keyword holds schemas.
    fn referred_elsewhere(&mut self) -> Option<&'s Node<'s>> {
        if self.referred.is_empty() {
            return None;
        }
        self.visited.sort_unstable();
        let found = std::iter::from_fn(|| self.referred.pop())
            .find(|node| self.visited.binary_search(&std::ptr::from_ref(*node)).is_err());
        self.is_elsewhere |= found.is_some();
        found
    }

    /// Reports on one keyword, and says what it holds.
    fn keyword(&mut self, member: &'s Member<'s>) -> Option<Holds> {
        let holds = holds(&member.name);
        match holds {
            None => self.unknown(member),
            Some(Holds::Unsupported) => self.unsupported(member),
            Some(holds) => {
                self.here.joins |= may_join(&member.name);
                self.note(holds, member);
                match fault(holds, &member.node) {
                    Some(fault) => self.fault(member, &fault),
                    None => self.meaning(holds, member),
                }
            }
        }
        holds
    }

    fn note(&mut self, holds: Holds, member: &'s Member<'s>) {
        if holds == Holds::KeyMark && !self.is_elsewhere {
            self.seen.marks.push((self.here.file, self.here.resource, member));
        }
        if holds == Holds::SchemaMap && member.name == "patternProperties" {
            for each in member.node.as_object().unwrap_or_default() {
                self.pattern(&each.name, self.name_of(each));
            }
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
        if !*self.patterns.entry(pattern).or_insert_with(|| is_simple(pattern) || compiles(pattern)) {
            let message =
                format!("the pattern {} cannot be compiled, so nothing enforces it", quoted(pattern));
            self.report(
                Problem::new(Lint::Pattern, at, message).help("write it as an ECMA-262 regular expression"),
            );
        }
    }

    fn reference(&mut self, node: &Node<'_>, reference: &str) {
        match self.schemas.follow(self.here.resource, reference) {
            Ok(target) => {
                if !is_schema(target.node) {
                    let kind = target.node.kind();
                    let message =
                        format!("the `$ref` {} leads to {kind}, not to a schema", quoted(reference));
                    self.report(Problem::new(Lint::UnresolvedRef, self.at(node), message));
                }
                self.used(&target);
            }
            Err(error) => self.leads_nowhere(node, reference, &error),
        }
    }

    /// Notes what a `$ref` leads to.
    fn used(&mut self, target: &Target<'_, 's>) {
        let own = self.here.resource;
        let is_inside = std::ptr::eq(target.resource.root, own.root);
        if is_inside && is_schema(target.node) {
            self.referred.push(target.node);
        }
        self.here.refers_outside |= !is_inside;
        self.here.joins |= target.node.get("$ref").is_some();
        if self.is_elsewhere {
            return;
        }
        if let (ResourceId::Defs(name), false) = (target.resource.id, own.id == target.resource.id) {
            self.seen.files.insert(name);
        }
        self.seen.definitions.extend(definition(target).map(std::ptr::from_ref));
    }

    fn leads_nowhere(&mut self, node: &Node<'_>, reference: &str, error: &RefError) {
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
        Location { file: Some(self.here.file), span: node.span }
    }

    fn name_of(&self, member: &Member<'_>) -> Location {
        Location { file: Some(self.here.file), span: member.name_span }
    }

    fn report(&mut self, problem: Problem) {
        self.problems.push(problem);
    }
}

/// The member of `$defs` at the root of its resource that a `$ref` leads to or through.
fn definition<'s>(target: &Target<'_, 's>) -> Option<&'s Node<'s>> {
    let below = target.pointer.strip_prefix("/$defs/")?;
    let Some((name, _)) = below.split_once('/') else { return Some(target.node) };
    let length = target.pointer.len() - below.len() + name.len();
    target.resource.root.at(target.pointer.get(..length)?)
}

/// Whether a keyword may have one value checked against a schema more than its own.
fn may_join(keyword: &str) -> bool {
    matches!(
        keyword.as_bytes(),
        b"allOf"
            | b"anyOf"
            | b"oneOf"
            | b"not"
            | b"if"
            | b"then"
            | b"else"
            | b"dependentSchemas"
            | b"patternProperties"
            | b"unevaluatedProperties"
            | b"unevaluatedItems"
            | b"contains"
    )
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
