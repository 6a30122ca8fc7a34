//! Verbs with every name looked up: targets, shared constraints, reads, recipes.

use std::collections::BTreeMap;

use forecheck_contract::json::Span;
use forecheck_contract::pointer;
use forecheck_contract::recipe::{Recipe, TargetRecipe};
use forecheck_contract::resend::{ChangedBy, ChangingFact, Meaning, Reads};

use crate::file::{ConstraintEntry, ConstraintFile, Repeat, SurfaceTarget, VerbFile};
use crate::problem::{Lint, Located, Location, Problem};
use crate::raw::RawSurface;
use crate::schema::Resource;
use crate::surface::{Constraint, Verb};
use crate::text::{nearest, quoted};
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
        let recipe = self.recipe(file, target);
        let mut verb = Verb { file: file.clone(), target: pointer, constraints: Vec::new(), recipe };
        self.check_target(&verb);
        self.check_intent(&verb);
        verb.constraints = self.constraints(&verb);
        verb
    }

    fn recipe(&self, file: &VerbFile<'s>, target: Option<&SurfaceTarget<'s>>) -> Recipe {
        let name = file.verb.value;
        let revision = file.revision.map_or(1, |revision| revision.value);
        let keyed_as = if revision > 1 { format!("{name}@{revision}") } else { name.to_owned() };
        let target = target.map(|target| TargetRecipe {
            pointer: target.pointer.value.to_owned(),
            spelling: target.spelling.clone().unwrap_or_default(),
        });
        recipe::derive(&self.raw.schemas, &Resource::own(file.input).place(), keyed_as, target)
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

    fn constraints(&mut self, verb: &Verb<'s>) -> Vec<Constraint<'s>> {
        let mut seen: BTreeMap<&str, Location> = BTreeMap::new();
        let mut constraints: Vec<Constraint<'s>> = Vec::new();
        let mut places = Vec::new();
        for entry in &verb.file.constraints {
            let (file, at) = match entry {
                ConstraintEntry::Own(file) => (&**file, file.code.at),
                ConstraintEntry::Shared(name) => match self.raw.constraints.get(name.value) {
                    Some((_, file)) => (file, name.at),
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
            let meaning = match (&file.refuse_when, &reads) {
                (Some(_), Some(reads)) => Meaning::of_predicate(reads, verb.target),
                _ => Meaning::derive(reads.as_ref(), verb.target),
            };
            constraints.push(Constraint { file: file.clone(), reads, meaning });
            places.push(at);
        }
        self.check_class_order(&constraints, &places);
        constraints
    }

    fn report_unknown_constraint(&mut self, name: &str, at: Location) {
        let known = self.raw.constraints.keys().copied();
        let help = match nearest(name, known).first() {
            Some(near) => format!("did you mean `{near}`?"),
            None => "add its file under constraints/, or write the constraint out here".to_owned(),
        };
        let message = format!("no shared constraint is called {}", quoted(name));
        self.problems.push(Problem::new(Lint::UnknownConstraint, at, message).help(help));
    }

    /// What the check may look at, closed over what its facts are `of`. A predicate says it better than a
    /// declaration, which may name more.
    fn reads(&mut self, verb: &Verb<'s>, file: &ConstraintFile<'s>, used_at: Location) -> Option<Reads> {
        if file.reads.as_ref().is_some_and(Vec::is_empty) {
            let message = "`reads` is empty: the check would see nothing";
            let help = "name what it reads, or leave `reads` out";
            self.problems.push(Problem::new(Lint::ReadsNothing, file.code.at, message).help(help));
        }
        let declared = file.reads.as_ref().map(|names| self.closed(verb, names, used_at));
        let stated =
            file.refuse_when.as_ref().map(|stated| self.closed(verb, &stated.named_reads(), used_at));
        stated.or(declared)
    }

    fn closed(&mut self, verb: &Verb<'s>, names: &[Located<&'s str>], used_at: Location) -> Reads {
        let mut closure =
            Closure { raw: self.raw, problems: self.problems, verb, used_at, reads: Reads::default() };
        for name in names {
            closure.add(*name);
        }
        closure.reads
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
                    "{} is {} and must stand before {}, which is {}",
                    quoted(after.code()),
                    after.class().as_str(),
                    quoted(before.code()),
                    before.class().as_str(),
                );
                self.problems.push(
                    Problem::new(Lint::ClassOrder, *after_at, message)
                        .related(*before_at, "stands first now, and is evaluated after it")
                        .help(
                            "constraints stand as they are evaluated: policy, then input-only, then the rest",
                        ),
                );
            }
        }
    }
}

/// The reads of one constraint in one verb, as they are closed.
struct Closure<'c, 's> {
    raw: &'c RawSurface<'s>,
    problems: &'c mut Vec<Problem>,
    verb: &'c Verb<'s>,
    /// Where the verb names the constraint.
    used_at: Location,
    reads: Reads,
}

impl<'s> Closure<'_, 's> {
    fn add(&mut self, read: Located<&'s str>) {
        match read.value {
            "now" => self.add_fact(read.value, Some(ChangedBy::Time)),
            name if is_of_the_input(name) => self.add_input(read),
            name => match self.raw.facts.get(name) {
                None => self.report_unknown(read),
                Some((_, fact)) => {
                    self.add_fact(name, fact.changed_by);
                    for of in fact.of.iter().flatten().filter(|of| is_of_the_input(of.value)) {
                        self.add_input(*of);
                    }
                }
            },
        }
    }

    fn add_fact(&mut self, name: &str, changed_by: Option<ChangedBy>) {
        self.reads.facts.insert(ChangingFact { fact: name.to_owned(), changed_by });
    }

    fn add_input(&mut self, read: Located<&'s str>) {
        match read.value {
            "target" => {
                self.reads.target = true;
                if self.verb.target.is_none() {
                    let message = format!("the verb {} has no target to read", quoted(self.verb.name()));
                    self.report(Lint::UnknownRead, read.at, message);
                }
            }
            pointer if Some(pointer) == self.verb.target => self.reads.target = true,
            name => {
                let pointer = if name == "input" { "" } else { name };
                self.check_field(pointer, read.at);
                self.reads.input.insert(pointer.to_owned());
            }
        }
    }

    /// The field is there, and the key covers it.
    fn check_field(&mut self, at: &str, place: Location) {
        if instance::fields_at(&self.raw.schemas, &self.verb.input(), at).is_empty() {
            let message = format!("the input of {} has no field {}", quoted(self.verb.name()), quoted(at));
            self.report(Lint::UnresolvedPointer, place, message);
        }
        let verb = self.verb;
        let ignored = verb.key_recipe().map(|recipe| recipe.ignored.as_slice()).unwrap_or_default();
        let read = |ignored: &&String| pointer::is_within(at, ignored) || pointer::is_within(ignored, at);
        if let Some(ignored) = ignored.iter().find(read) {
            let message = format!("the check reads {}, which stays out of the key", quoted(ignored));
            self.problems.push(
                Problem::new(Lint::ReadsIgnored, place, message)
                    .help("let the key cover the field, or name only the other fields that the check reads"),
            );
        }
    }

    fn report_unknown(&mut self, read: Located<&str>) {
        let known = self.raw.facts.keys().copied().chain(["target", "input", "now"]);
        let help = match nearest(read.value, known).first() {
            Some(near) => format!("did you mean `{near}`?"),
            None => "a field is written `/field`; a fact needs its file under facts/".to_owned(),
        };
        let message = format!("{} is no fact of this surface", quoted(read.value));
        self.problems.push(Problem::new(Lint::UnknownRead, read.at, message).help(help));
    }

    fn report(&mut self, lint: Lint, at: Location, message: String) {
        self.problems.push(Problem::new(lint, at, message).related(self.used_at, "used here"));
    }
}

/// Whether a name in `reads` or `of` stands for the target, the input or a field of it.
fn is_of_the_input(name: &str) -> bool {
    matches!(name, "target" | "input") || name.starts_with('/')
}

/// The opening character of a value: a place to point at without underlining all of it.
fn head(span: Span) -> Span {
    Span { start: span.start, end: (span.start + 1).min(span.end) }
}
