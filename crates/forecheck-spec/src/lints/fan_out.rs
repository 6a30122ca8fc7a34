//! One value is not checked against a schema again and again: references under `allOf` and its like
//! that each lead to two more would take a validator exponential time.
//!
//! For each place in an instance, the schemas that its value is checked against are counted, with how
//! often each is: those that the schema around it names for it, and what these apply to the same value.
//! Places whose schemas are the same, as often, are looked at once.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use forecheck_contract::json::{Limits, Node, Span, Value};

use crate::lints::schemas::{Seen, SeenResource};
use crate::problem::{FileId, Lint, Location, Problem};
use crate::raw::RawSurface;
use crate::schema::keyword::is_schema;
use crate::schema::{Resource, Schemas};

/// The most schemas that one value may be checked against, each time counted. Of 7,000 schemas that
/// people wrote, the one that needs most needs 964.
const MOST: u64 = 10_000;

/// How many steps counting may take in all: so many, and so many for each resource.
const STEPS: usize = 2_000_000;
const STEPS_EACH: usize = 10_000;

pub(crate) fn check(raw: &RawSurface<'_>, seen: &Seen<'_>, problems: &mut Vec<Problem>) {
    let is_shared = |file: FileId| raw.schema_files.iter().any(|(shared, _)| *shared == file);
    let shared_joins = seen.resources.iter().any(|seen| seen.joins && is_shared(seen.file));
    let mut count = Count {
        schemas: &raw.schemas,
        steps: STEPS.saturating_add(seen.resources.len().saturating_mul(STEPS_EACH)),
        looked_at: BTreeSet::new(),
    };
    let to_count = |seen: &&SeenResource<'_>| seen.joins || (seen.refers_outside && shared_joins);
    for seen in seen.resources.iter().filter(to_count) {
        if let Err(refused) = count.resource(seen.resource) {
            problems.push(refused.problem(raw, seen));
        }
    }
}

/// A schema, and the resource in which its references are looked up.
#[derive(Debug, Clone, Copy)]
struct Spot<'s> {
    resource: Resource<'s>,
    node: &'s Node<'s>,
}

impl Spot<'_> {
    fn key(&self) -> Key {
        std::ptr::from_ref(self.node).addr()
    }
}

/// The address of a schema.
type Key = usize;

/// Schemas that a value is checked against, each with how often.
type Checks<'s> = BTreeMap<Key, (Spot<'s>, u64)>;

/// Why a resource is refused.
enum Refused<'s> {
    /// One value is checked too often; with this schema it is [`MOST`] times.
    TooOften(Spot<'s>),
    /// A schema that leads to itself for the same value.
    Endless(Spot<'s>),
    /// There is no counting it.
    Countless,
}

impl<'s> Refused<'s> {
    fn problem(&self, raw: &RawSurface<'s>, seen: &SeenResource<'s>) -> Problem {
        const ONCE: &str = "refer to a schema once for each value: drop the repeated `$ref`s under `allOf`, `anyOf`, `oneOf` and the like";
        let root = Spot { resource: seen.resource, node: seen.resource.root };
        let (spot, message, help) = match self {
            Refused::TooOften(spot) => {
                (spot, format!("with this schema, one value would be checked more than {MOST} times"), ONCE)
            }
            Refused::Endless(spot) => (
                spot,
                "the schema leads back to itself for the same value, without end".to_owned(),
                "let the reference stand under a property or an item, or drop it",
            ),
            Refused::Countless => (
                &root,
                "how often this schema has one value checked takes too long to count".to_owned(),
                ONCE,
            ),
        };
        let is_of = |shared: &&(FileId, Resource<'s>)| std::ptr::eq(shared.1.root, spot.resource.root);
        let file = raw.schema_files.iter().find(is_of).map_or(seen.file, |(file, _)| *file);
        let start = spot.node.span.start;
        let at = Location { file: Some(file), span: Span { start, end: start + 1 } };
        Problem::new(Lint::FanOut, at, message).help(help)
    }
}

struct Count<'r, 's> {
    schemas: &'r Schemas<'s>,
    /// Steps that may still be taken.
    steps: usize,
    /// What values were checked against at the places that were looked at.
    looked_at: BTreeSet<Vec<(Key, u64)>>,
}

impl<'s> Count<'_, 's> {
    /// Looks at every place of an instance of the resource, the nearest to the root first.
    fn resource(&mut self, resource: Resource<'s>) -> Result<(), Refused<'s>> {
        let root = Spot { resource, node: resource.root };
        let mut open = VecDeque::from([(0, Checks::from([(root.key(), (root, 1))]))]);
        while let Some((depth, named)) = open.pop_front() {
            let key = named.iter().map(|(key, (_, times))| (*key, *times)).collect();
            if depth > Limits::CALL.depth as usize || !self.looked_at.insert(key) {
                continue;
            }
            let all = self.in_place(named)?;
            for inside in self.inside(&all)? {
                open.push_back((depth + 1, inside));
            }
        }
        Ok(())
    }

    /// Adds what the schemas of a place apply to the same value.
    fn in_place(&mut self, named: Checks<'s>) -> Result<Vec<(Spot<'s>, u64)>, Refused<'s>> {
        let order = self.order(&named)?;
        let mut checks = named;
        let mut all = Vec::new();
        let mut total: u64 = 0;
        for spot in order {
            let times = checks.get(&spot.key()).map_or(0, |(_, times)| *times);
            total = total.saturating_add(times);
            if total > MOST {
                return Err(Refused::TooOften(spot));
            }
            for next in applied(self.schemas, spot) {
                add(&mut checks, next, times);
            }
            all.push((spot, times));
        }
        Ok(all)
    }

    /// The schemas that are reached for the same value, each after all that lead to it.
    fn order(&mut self, named: &Checks<'s>) -> Result<Vec<Spot<'s>>, Refused<'s>> {
        let mut is_left: BTreeMap<Key, bool> = BTreeMap::new();
        let mut open: Vec<(Spot<'s>, bool)> = named.values().map(|(spot, _)| (*spot, false)).collect();
        let mut order = Vec::new();
        while let Some((spot, leaves)) = open.pop() {
            self.step()?;
            if leaves {
                is_left.insert(spot.key(), true);
                order.push(spot);
                continue;
            }
            match is_left.get(&spot.key()) {
                Some(true) => {}
                Some(false) => return Err(Refused::Endless(spot)),
                None => {
                    is_left.insert(spot.key(), false);
                    open.push((spot, true));
                    open.extend(applied(self.schemas, spot).into_iter().map(|next| (next, false)));
                }
            }
        }
        order.reverse();
        Ok(order)
    }

    /// What values inside are checked against: one list for each name or index that some schema speaks
    /// of, one for every other member, one for every other item, one for the names of members.
    fn inside(&mut self, all: &[(Spot<'s>, u64)]) -> Result<Vec<Checks<'s>>, Refused<'s>> {
        let mut members = BTreeMap::from([(None, Named::new())]);
        let mut items = BTreeMap::from([(None, Named::new())]);
        for (index, (spot, _)) in all.iter().enumerate() {
            for member in spot.node.get("properties").and_then(Node::as_object).unwrap_or_default() {
                members.entry(Some(&*member.name)).or_default().insert(index, &member.node);
            }
            let first = spot.node.get("prefixItems").and_then(Node::as_array).unwrap_or_default();
            for (at, item) in first.iter().enumerate() {
                items.entry(Some(at)).or_default().insert(index, item);
            }
        }
        let around = |of: fn(&'s Node<'s>) -> Around<'s>| -> Vec<Around<'s>> {
            all.iter().map(|(spot, _)| of(spot.node)).collect()
        };
        let mut lists = self.lists(all, members.into_values(), &around(around_members))?;
        lists.extend(self.lists(all, items.into_values(), &around(around_items))?);
        lists.extend(self.lists(all, [Named::new()].into_iter(), &around(around_names))?);
        Ok(lists)
    }

    /// One list for each of `places`, which say by number which schemas name one for it.
    fn lists(
        &mut self,
        all: &[(Spot<'s>, u64)],
        places: impl Iterator<Item = Named<'s>>,
        around: &[Around<'s>],
    ) -> Result<Vec<Checks<'s>>, Refused<'s>> {
        let mut lists = Vec::new();
        for named in places {
            let mut checks = Checks::new();
            for (index, ((spot, times), around)) in all.iter().zip(around).enumerate() {
                let own = named.get(&index).copied().or(around.rest);
                self.step()?;
                for node in
                    own.into_iter().chain(around.always.iter().copied()).filter(|node| is_schema(node))
                {
                    self.step()?;
                    add(&mut checks, Spot { node, ..*spot }, *times);
                }
            }
            if !checks.is_empty() {
                lists.push(checks);
            }
        }
        Ok(lists)
    }

    fn step(&mut self) -> Result<(), Refused<'s>> {
        self.steps = self.steps.checked_sub(1).ok_or(Refused::Countless)?;
        Ok(())
    }
}

fn add<'s>(checks: &mut Checks<'s>, spot: Spot<'s>, times: u64) {
    let known = &mut checks.entry(spot.key()).or_insert((spot, 0)).1;
    *known = known.saturating_add(times);
}

/// The schemas that a schema applies to the value that it is itself applied to, each as often as it is.
fn applied<'s>(schemas: &Schemas<'s>, spot: Spot<'s>) -> Vec<Spot<'s>> {
    let mut found = Vec::new();
    for member in spot.node.as_object().unwrap_or_default() {
        let here = |node| Spot { node, ..spot };
        match (&*member.name, &member.node.value) {
            ("$ref", Value::String(reference)) => {
                let target = schemas.follow(spot.resource, reference).ok();
                found.extend(target.map(|target| Spot { resource: target.resource, node: target.node }));
            }
            ("allOf" | "anyOf" | "oneOf", Value::Array(items)) => found.extend(items.iter().map(here)),
            ("not" | "if" | "then" | "else", _) => found.push(here(&member.node)),
            ("dependentSchemas", Value::Object(members)) => {
                found.extend(members.iter().map(|member| here(&member.node)));
            }
            _ => {}
        }
    }
    found.retain(|spot| is_schema(spot.node));
    // To know what is unevaluated, a validator goes through all of them again.
    if ["unevaluatedProperties", "unevaluatedItems"].iter().any(|keyword| spot.node.get(keyword).is_some()) {
        found = [found.clone(), found.clone(), found].concat();
    }
    found
}

/// The schemas that are named for one place inside, by the number of the schema that names it.
type Named<'s> = BTreeMap<usize, &'s Node<'s>>;

/// What one schema applies to places inside that it names no schema for, and to all.
struct Around<'s> {
    rest: Option<&'s Node<'s>>,
    always: Vec<&'s Node<'s>>,
}

fn around_members<'s>(schema: &'s Node<'s>) -> Around<'s> {
    let patterns = schema.get("patternProperties").and_then(Node::as_object).unwrap_or_default();
    let patterns = patterns.iter().map(|member| &member.node);
    Around {
        rest: schema.get("additionalProperties"),
        always: patterns.chain(schema.get("unevaluatedProperties")).collect(),
    }
}

fn around_items<'s>(schema: &'s Node<'s>) -> Around<'s> {
    let always = ["contains", "unevaluatedItems"].into_iter().filter_map(|keyword| schema.get(keyword));
    Around { rest: schema.get("items"), always: always.collect() }
}

fn around_names<'s>(schema: &'s Node<'s>) -> Around<'s> {
    Around { rest: schema.get("propertyNames"), always: Vec::new() }
}

#[cfg(test)]
mod tests {
    use forecheck_contract::json;

    use super::*;
    use crate::schema::Resource;

    fn range(spot: Spot<'_>) -> std::ops::Range<usize> {
        spot.node.span.start as usize..spot.node.span.end as usize
    }

    /// How counting ends: nothing, or the text of the schema that it ends at.
    fn ending(schema: &str, steps: usize) -> String {
        let root = json::read(schema.as_bytes(), Limits::SPEC).unwrap();
        let schemas = Schemas::default();
        let mut count = Count { schemas: &schemas, steps, looked_at: BTreeSet::new() };
        let text = |spot: Spot<'_>| schema.get(range(spot)).unwrap().to_owned();
        match count.resource(Resource::own(&root)) {
            Ok(()) => String::new(),
            Err(Refused::TooOften(spot)) => format!("too often: {}", text(spot)),
            Err(Refused::Endless(spot)) => format!("endless: {}", text(spot)),
            Err(Refused::Countless) => "countless".to_owned(),
        }
    }

    #[track_caller]
    fn check(schema: &str, expected: &str) {
        assert_eq!(ending(schema, STEPS), expected, "{schema}");
    }

    #[test]
    fn recursion_that_looks_at_each_value_a_few_times_is_sound() {
        check("true", "");
        check(
            r##"{"anyOf": [{"type": "string"}, {"items": {"$ref": "#"}}, {"additionalProperties": {"$ref": "#"}}]}"##,
            "",
        );
        check(
            r##"{"anyOf": [{"properties": {"left": {"$ref": "#"}}}, {"properties": {"right": {"$ref": "#"}}}]}"##,
            "",
        );
        check(r##"{"properties": {"a": {"$ref": "#"}}, "additionalProperties": {"$ref": "#"}}"##, "");
        check(r##"{"prefixItems": [{"$ref": "#"}], "items": {"$ref": "#"}}"##, "");
        check(r##"{"properties": {"a": {"$ref": "#"}}, "allOf": [{"properties": {"a": true}}]}"##, "");
        check(
            r##"{"properties": {"a": {"$ref": "#"}}, "allOf": [{"$ref": "#/$defs/t"}],
                "$defs": {"t": {"properties": {"a": {"$ref": "#/$defs/t"}}}}}"##,
            "",
        );
        check(
            r##"{"propertyNames": {"$ref": "#"}, "contains": true, "patternProperties": {"a": true}}"##,
            "",
        );
    }

    #[test]
    fn recursion_that_doubles_at_each_level_is_refused() {
        let twice = [
            r##"{"properties": {"a": {"$ref": "#"}}, "patternProperties": {"a": {"$ref": "#"}}}"##,
            r##"{"properties": {"a": {"$ref": "#"}}, "unevaluatedProperties": {"$ref": "#"}}"##,
            r##"{"items": {"$ref": "#"}, "contains": {"$ref": "#"}}"##,
            r##"{"prefixItems": [{"$ref": "#"}], "unevaluatedItems": {"$ref": "#"}}"##,
            r##"{"items": {"allOf": [{"$ref": "#"}, {"$ref": "#"}]}}"##,
            r##"{"items": {"$ref": "#"}, "if": {"items": {"$ref": "#"}}}"##,
        ];
        for schema in twice {
            assert!(ending(schema, STEPS).starts_with("too often: "), "{schema}");
        }
    }

    /// What is unevaluated is known only after everything else was gone through once more.
    #[test]
    fn unevaluated_members_and_items_count() {
        for (applicator, keyword, last) in [
            ("\"allOf\": [NEXT]", "unevaluatedProperties", r#"{"properties": {"a": true}}"#),
            ("\"anyOf\": [NEXT]", "unevaluatedProperties", r#"{"properties": {"a": true}}"#),
            ("\"if\": NEXT", "unevaluatedItems", r#"{"items": true}"#),
        ] {
            let level = |n: usize| {
                let next = format!(r##"{{"$ref": "#/$defs/d{}"}}"##, n + 1);
                format!(r#""d{n}": {{{}, "{keyword}": false}}"#, applicator.replace("NEXT", &next))
            };
            let schema = |depth: usize| {
                let levels: Vec<String> = (0..depth).map(level).collect();
                format!(
                    r##"{{"$ref": "#/$defs/d0", "$defs": {{{}, "d{depth}": {last}}}}}"##,
                    levels.join(", ")
                )
            };
            assert_eq!(ending(&schema(4), STEPS), "", "{keyword}");
            assert!(ending(&schema(20), STEPS).starts_with("too often: "), "{applicator} {keyword}");
        }
    }

    #[test]
    fn every_applicator_counts() {
        let here = r##"[{"$ref": "#/$defs/DEEP"}, {"$ref": "#/$defs/DEEP"}]"##;
        let named = r##"{"a": {"$ref": "#/$defs/DEEP"}, "b": {"$ref": "#/$defs/DEEP"}}"##;
        let applicators = [
            format!(r#""allOf": {here}"#),
            format!(r#""anyOf": {here}"#),
            format!(r#""oneOf": {here}"#),
            format!(r#""dependentSchemas": {named}"#),
            r##""not": {"$ref": "#/$defs/DEEP"}, "$ref": "#/$defs/DEEP""##.to_owned(),
            r##""if": {"$ref": "#/$defs/DEEP"}, "then": {"$ref": "#/$defs/DEEP"}"##.to_owned(),
            r##""if": true, "then": {"$ref": "#/$defs/DEEP"}, "else": {"$ref": "#/$defs/DEEP"}"##.to_owned(),
        ];
        for applicator in applicators {
            let level =
                |at: usize| format!(r#""{at}": {{{}}}"#, applicator.replace("DEEP", &(at + 1).to_string()));
            let levels: Vec<String> = (0..40).map(level).collect();
            let schema =
                format!(r##"{{"$ref": "#/$defs/0", "$defs": {{{}, "40": true}}}}"##, levels.join(", "));
            assert!(ending(&schema, STEPS).starts_with("too often: "), "{schema}");
        }
    }

    #[test]
    fn a_schema_that_leads_to_itself_is_endless() {
        check(r##"{"allOf": [{"$ref": "#"}]}"##, r##"endless: {"allOf": [{"$ref": "#"}]}"##);
        check(r##"{"$ref": "#"}"##, r##"endless: {"$ref": "#"}"##);
    }

    #[test]
    fn counting_ends_with_its_steps() {
        let schema = r#"{"allOf": [{"items": true}, {"items": true}, {"items": true}]}"#;
        assert_eq!([ending(schema, 20), ending(schema, 100)], ["countless", ""]);
    }
}
