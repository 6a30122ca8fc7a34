//! Verbs with every name looked up: targets, shared constraints, reads, recipes.

use std::collections::BTreeMap;

use forecheck_contract::json::Span;
use forecheck_contract::pointer;
use forecheck_contract::recipe::TargetRecipe;
use forecheck_contract::resend::{ChangedBy, ChangingFact, Meaning, Reads};

use crate::file::{ConstraintEntry, ConstraintFile, Repeat, SurfaceTarget, VerbFile, nearest};
use crate::problem::{Lint, Location, Problem};
use crate::raw::RawSurface;
use crate::schema::keyword::subschemas;
use crate::surface::{Constraint, Verb};
use crate::text::quoted;
use crate::{instance, recipe};

/// What every verb of the surface is resolved against.
struct Resolver<'r, 's> {
    raw: &'r RawSurface<'s>,
    target: Option<&'r SurfaceTarget<'s>>,
    problems: &'r mut Vec<Problem>,
}

/// Resolves every verb; the result is sorted by name.
pub(crate) fn resolve_verbs<'s>(raw: &RawSurface<'s>, problems: &mut Vec<Problem>) -> Vec<Verb<'s>> {
    let target = raw.surface.as_ref().and_then(|surface| surface.target.as_ref());
    if let (Some(surface), None) = (&raw.surface, target) {
        let message = "the surface has no target: the middle part of every key is empty";
        problems.push(Problem::new(Lint::NoTarget, surface.name.at, message));
    }
    let mut resolver = Resolver { raw, target, problems };
    let mut verbs: Vec<Verb<'s>> = raw.verbs.iter().map(|(_, file)| resolver.verb(file)).collect();
    verbs.sort_by_key(Verb::name);
    verbs
}

impl<'s> Resolver<'_, 's> {
    fn verb(&mut self, file: &VerbFile<'s>) -> Verb<'s> {
        let target = self.target.filter(|_| file.without_target.is_none());
        let pointer = target.map(|target| target.pointer.value);
        let mut verb = Verb { file: file.clone(), target: pointer, constraints: Vec::new(), recipe: None };
        self.check_target(&verb);
        self.check_intent(&verb);
        if !verb.is_read_only() {
            let revision = verb.revision();
            let name =
                if revision > 1 { format!("{}@{revision}", verb.name()) } else { verb.name().to_owned() };
            let target = target.map(|target| TargetRecipe {
                pointer: target.pointer.value.to_owned(),
                spelling: target.spelling.clone().unwrap_or_default(),
            });
            verb.recipe = Some(recipe::derive(&self.raw.schemas, &verb.input(), name, target));
        }
        self.check_key_marks(&verb);
        verb.constraints = self.constraints(&verb);
        verb
    }

    fn check_target(&mut self, verb: &Verb<'s>) {
        let Some(pointer) = verb.target else { return };
        if !instance::is_required_string(&self.raw.schemas, &verb.input(), pointer) {
            let message =
                format!("the input needs a required string at the surface's target {}", quoted(pointer));
            let at = Location { file: verb.file.verb.at.file, span: verb.file.input.span };
            self.problems.push(
                Problem::new(Lint::TargetField, Location { span: head(at.span), ..at }, message).help(
                    "declare it with \"type\": \"string\" and list it in `required`, or say \"target\": null",
                ),
            );
        }
    }

    fn check_intent(&mut self, verb: &Verb<'s>) {
        let Some(repeat) = verb.file.repeat.filter(|repeat| repeat.value == Repeat::Intent) else { return };
        if !instance::is_required_string(&self.raw.schemas, &verb.input(), "/intent") {
            let message = "a verb that repeats by intent needs the required string `intent` in its input";
            self.problems.push(Problem::new(Lint::IntentField, repeat.at, message));
        }
    }

    /// Every `x-key` must be one that the recipe honours, and none on the target or the intent.
    fn check_key_marks(&mut self, verb: &Verb<'s>) {
        let Some(recipe) = &verb.recipe else { return };
        let honoured: Vec<_> = recipe
            .ignored
            .iter()
            .flat_map(|at| instance::fields_at(&self.raw.schemas, &verb.input(), at))
            .flat_map(|place| instance::unconditional(&self.raw.schemas, &place))
            .filter_map(|place| place.node.member("x-key"))
            .collect();
        let mut open = vec![verb.file.input];
        while let Some(schema) = open.pop() {
            open.extend(subschemas(schema));
            let Some(mark) = schema.member("x-key") else { continue };
            if !honoured.iter().any(|member| std::ptr::eq(*member, mark)) {
                let at = Location { file: verb.file.verb.at.file, span: mark.name_span };
                let message = "`x-key` counts only on properties that every input reaches through `properties` and `$ref`";
                self.problems.push(Problem::new(Lint::IgnoredField, at, message));
            }
        }
        let kept = verb.target.into_iter().chain((verb.repeat() == Repeat::Intent).then_some("/intent"));
        for at in kept.filter(|at| recipe.ignored.iter().any(|ignored| ignored == at)) {
            let message =
                format!("{} carries the identity of the call and cannot stay out of the key", quoted(at));
            self.problems.push(Problem::new(Lint::IgnoredField, verb.file.verb.at, message));
        }
    }

    fn constraints(&mut self, verb: &Verb<'s>) -> Vec<Constraint<'s>> {
        let mut seen: BTreeMap<&str, Location> = BTreeMap::new();
        let mut constraints: Vec<Constraint<'s>> = Vec::new();
        let mut places = Vec::new();
        for entry in &verb.file.constraints {
            let (file, at, shared) = match entry {
                ConstraintEntry::Own(file) => (&**file, file.code.at, false),
                ConstraintEntry::Shared(name) => match self.raw.constraints.get(name.value) {
                    Some((_, file)) => (file, name.at, true),
                    None => {
                        self.report_unknown_constraint(name.value, name.at);
                        continue;
                    }
                },
            };
            if let Some(first) = seen.insert(file.code.value, at) {
                let message =
                    format!("{} stands twice in this verb: one code, one check", quoted(file.code.value));
                self.problems.push(
                    Problem::new(Lint::CodeTwice, at, message)
                        .related(first, "the first one")
                        .help("give the second condition a code of its own"),
                );
                continue;
            }
            let reads = self.reads(verb, file, at);
            self.check_subject(verb, file);
            let meaning = Meaning::derive(reads.as_ref(), verb.target);
            constraints.push(Constraint { file: file.clone(), shared, reads, meaning });
            places.push(at);
        }
        self.check_class_order(&constraints, &places);
        constraints
    }

    fn report_unknown_constraint(&mut self, name: &str, at: Location) {
        let known = self.raw.constraints.keys().copied();
        let help = match nearest(name, known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "add its file under constraints/, or write the constraint out here".to_owned(),
        };
        let message = format!("no shared constraint is called {}", quoted(name));
        self.problems.push(Problem::new(Lint::UnknownConstraint, at, message).help(help));
    }

    /// What the check may look at, closed over what its facts are `of`.
    fn reads(&mut self, verb: &Verb<'s>, file: &ConstraintFile<'s>, used_at: Location) -> Option<Reads> {
        let declared = file.reads.as_ref()?;
        if declared.is_empty() {
            self.problems.push(
                Problem::new(
                    Lint::ReadsNothing,
                    file.code.at,
                    "`reads` is empty: the check would see nothing",
                )
                .help("name what it reads, or leave `reads` out"),
            );
        }
        let mut reads = Reads::default();
        for read in declared {
            self.add_read(verb, &mut reads, read.value, read.at, used_at);
        }
        Some(reads)
    }

    fn add_read(
        &mut self,
        verb: &Verb<'s>,
        reads: &mut Reads,
        name: &'s str,
        at: Location,
        used_at: Location,
    ) {
        match name {
            "target" => self.add_target(verb, reads, at, used_at),
            "input" => drop(reads.input.insert(String::new())),
            "now" => drop(
                reads.facts.insert(ChangingFact { fact: name.to_owned(), changed_by: Some(ChangedBy::Time) }),
            ),
            _ if name.starts_with('/') => self.add_field(verb, reads, name, at, used_at),
            _ => self.add_fact(verb, reads, name, at, used_at),
        }
    }

    fn add_target(&mut self, verb: &Verb<'s>, reads: &mut Reads, at: Location, used_at: Location) {
        reads.target = true;
        if verb.target.is_none() {
            let message = format!("the verb {} has no target to read", quoted(verb.name()));
            self.problems.push(Problem::new(Lint::UnknownRead, at, message).related(used_at, "used here"));
        }
    }

    fn add_field(
        &mut self,
        verb: &Verb<'s>,
        reads: &mut Reads,
        pointer: &'s str,
        at: Location,
        used_at: Location,
    ) {
        if Some(pointer) == verb.target {
            reads.target = true;
            return;
        }
        if instance::fields_at(&self.raw.schemas, &verb.input(), pointer).is_empty() {
            let message = format!("the input of {} has no field {}", quoted(verb.name()), quoted(pointer));
            self.problems
                .push(Problem::new(Lint::UnresolvedPointer, at, message).related(used_at, "used here"));
        }
        let ignored = verb.recipe.as_ref().map(|recipe| recipe.ignored.as_slice()).unwrap_or_default();
        if let Some(ignored) = ignored.iter().find(|ignored| pointer::is_within(pointer, ignored)) {
            let message = format!("the check reads {}, which stays out of the key", quoted(ignored));
            self.problems.push(
                Problem::new(Lint::ReadsIgnored, at, message)
                    .help("let the key cover the field, or let the check do without it"),
            );
        }
        reads.input.insert(pointer.to_owned());
    }

    fn add_fact(
        &mut self,
        verb: &Verb<'s>,
        reads: &mut Reads,
        name: &'s str,
        at: Location,
        used_at: Location,
    ) {
        let Some((_, fact)) = self.raw.facts.get(name) else {
            let known = self.raw.facts.keys().copied().chain(["target", "input", "now"]);
            let help = match nearest(name, known) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "a field is written `/field`; a fact needs its file under facts/".to_owned(),
            };
            let message = format!("{} is no fact of this surface", quoted(name));
            self.problems.push(Problem::new(Lint::UnknownRead, at, message).help(help));
            return;
        };
        reads.facts.insert(ChangingFact { fact: name.to_owned(), changed_by: fact.changed_by });
        for of in fact.of.iter().flatten() {
            match of.value {
                "target" => self.add_target(verb, reads, of.at, used_at),
                pointer if pointer.starts_with('/') => self.add_field(verb, reads, pointer, of.at, used_at),
                _ => {}
            }
        }
    }

    fn check_subject(&mut self, verb: &Verb<'s>, file: &ConstraintFile<'s>) {
        for pointer in file.subject.iter().flatten() {
            if instance::fields_at(&self.raw.schemas, &verb.input(), pointer.value).is_empty() {
                let message =
                    format!("the input of {} has no field {}", quoted(verb.name()), quoted(pointer.value));
                self.problems.push(Problem::new(Lint::UnresolvedPointer, pointer.at, message));
            }
        }
    }

    /// Constraints stand in the order in which they are evaluated.
    fn check_class_order(&mut self, constraints: &[Constraint<'s>], places: &[Location]) {
        let pairs = constraints.iter().zip(places).zip(constraints.iter().zip(places).skip(1));
        for ((before, before_at), (after, after_at)) in pairs {
            if after.class() < before.class() {
                let message = format!(
                    "{} is {} and is evaluated before {}, which is {}",
                    quoted(after.code()),
                    after.class().as_str(),
                    quoted(before.code()),
                    before.class().as_str(),
                );
                self.problems.push(
                    Problem::new(Lint::ClassOrder, *after_at, message)
                        .related(*before_at, "evaluated later")
                        .help("write policy constraints first, then input-only ones, then the rest"),
                );
            }
        }
    }
}

/// The opening character of a value: a place to point at without underlining all of it.
fn head(span: Span) -> Span {
    Span { start: span.start, end: (span.start + 1).min(span.end) }
}
