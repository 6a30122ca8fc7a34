//! Predicates that are true of every call, or of none.
//!
//! A predicate is never true when assuming that it holds leads to a contradiction, and always true when
//! assuming that it does not hold does. The assumption is taken apart into comparisons; those about one
//! value are held together and against its schema. Only a contradiction is reported, so whatever is not
//! understood here keeps its silence.

use std::cell::RefCell;
use std::collections::BTreeMap;

use forecheck_contract::predicate::{Each, Operand, Predicate, Reference};
use serde_json::Value;

use crate::file::RefuseWhen;
use crate::problem::{Lint, Problem};
use crate::shape::{Bound, Interval, Shape, Shapes, Spot, Types};

/// How many alternatives are looked at before the question is left open.
const MOST_ALTERNATIVES: usize = 64;

pub(super) fn check(shapes: &Shapes<'_, '_>, stated: &RefuseWhen<'_>, problems: &mut Vec<Problem>) {
    let known = Known::default();
    report(&Scope { shapes, item: None, known: &known }, stated, &stated.predicate, "", problems);
}

/// Reports the outermost parts that are always or never true.
fn report(
    scope: &Scope<'_, '_>,
    stated: &RefuseWhen<'_>,
    predicate: &Predicate,
    at: &str,
    problems: &mut Vec<Problem>,
) {
    let what = if at.is_empty() { "the predicate" } else { "this part of the predicate" };
    let found = match scope.constant(predicate) {
        Some(true) => (Lint::AlwaysTrue, format!("{what} is true of every call")),
        Some(false) => (Lint::NeverTrue, format!("{what} is true of no call")),
        None => {
            let scope = scope.inside(predicate);
            for (side, inner) in predicate.inner() {
                let at = format!("{at}/{}{side}", predicate.operator());
                report(&scope, stated, inner, &at, problems);
            }
            return;
        }
    };
    problems.push(Problem::new(found.0, stated.place(at), found.1));
}

/// The truth values that were found, by the address of the predicate: each part stands in one place.
type Known = RefCell<BTreeMap<usize, Option<bool>>>;

/// Where a predicate stands.
struct Scope<'t, 's> {
    shapes: &'t Shapes<'t, 's>,
    item: Option<Spot<'s>>,
    known: &'t Known,
}

impl<'t, 's> Scope<'t, 's> {
    fn inside(&self, predicate: &Predicate) -> Scope<'t, 's> {
        let item = match predicate {
            Predicate::All(each) | Predicate::Any(each) => {
                Some(self.shapes.items(&each.of, self.item.as_ref()))
            }
            _ => self.item.clone(),
        };
        Scope { shapes: self.shapes, item, known: self.known }
    }

    /// The truth value that the predicate has in every call.
    fn constant(&self, predicate: &Predicate) -> Option<bool> {
        let key = std::ptr::from_ref(predicate).addr();
        if let Some(known) = self.known.borrow().get(&key) {
            return *known;
        }
        let constant = self.tried(predicate);
        self.known.borrow_mut().insert(key, constant);
        constant
    }

    fn tried(&self, predicate: &Predicate) -> Option<bool> {
        [true, false].into_iter().find(|truth| {
            let mut alternatives = MOST_ALTERNATIVES;
            self.is_contradiction(Assumptions::default(), vec![(predicate, !truth)], &mut alternatives)
        })
    }

    /// Whether no call makes all of `assumed`, and of the predicates in `open` their truth values, so.
    fn is_contradiction<'p>(
        &self,
        mut assumed: Assumptions<'p>,
        mut open: Vec<(&'p Predicate, bool)>,
        alternatives: &mut usize,
    ) -> bool {
        while let Some((predicate, truth)) = open.pop() {
            match (predicate, truth) {
                (Predicate::Not(inner), _) => open.push((inner, !truth)),
                (Predicate::And(all), true) | (Predicate::Or(all), false) => {
                    open.extend(all.iter().map(|one| (one, truth)));
                }
                (Predicate::And(_), false) | (Predicate::Or(_), true) => {
                    assumed.alternatives.push((predicate, truth));
                }
                _ => {
                    if self.constant_alone(predicate) == Some(!truth) || assumed.contradict(predicate, truth)
                    {
                        return true;
                    }
                }
            }
        }
        if self.is_impossible(&assumed) {
            return true;
        }
        let Some((predicate, truth)) = assumed.alternatives.pop() else { return false };
        predicate.inner().into_iter().all(|(_, inner)| {
            *alternatives = alternatives.saturating_sub(1);
            *alternatives > 0 && self.is_contradiction(assumed.clone(), vec![(inner, truth)], alternatives)
        })
    }

    /// The truth value of a predicate that is told by nothing around it.
    fn constant_alone(&self, predicate: &Predicate) -> Option<bool> {
        match predicate {
            Predicate::All(each) | Predicate::Any(each) => self.of_items(predicate, each),
            _ if predicate.references().is_empty() => Some(predicate.holds(&Value::Null, |_| None)),
            _ => None,
        }
    }

    fn of_items(&self, predicate: &Predicate, each: &Each) -> Option<bool> {
        let holds = self.inside(predicate).constant(&each.holds)?;
        let array = match &each.of {
            Operand::Literal(literal) => Shape::of_literal(literal.as_value()),
            Operand::Reference(reference) => self.shapes.shape(reference, self.item.as_ref())?,
        };
        let is_array = array.is_there && array.types == Types::ARRAY;
        let has_items = is_array && !array.size.holds(&Value::from(0));
        match predicate {
            Predicate::All(_) if holds => is_array.then_some(true),
            Predicate::All(_) => has_items.then_some(false),
            _ if holds => has_items.then_some(true),
            _ => Some(false),
        }
    }

    /// Whether one value would have to be what it cannot be.
    fn is_impossible(&self, assumed: &Assumptions<'_>) -> bool {
        assumed.values.iter().any(|(reference, said)| {
            let shape = self.shapes.shape(reference, self.item.as_ref());
            shape.is_some_and(|shape| is_impossible(&shape, said))
        })
    }
}

/// What is assumed of a call.
#[derive(Clone, Default)]
struct Assumptions<'p> {
    /// Comparisons of one value with what is written out, by that value. In each, the reference leads to
    /// the input itself, so that it can be asked about a candidate.
    values: Vec<(&'p Reference, Vec<(Predicate, bool)>)>,
    /// All other comparisons.
    others: Vec<(&'p Predicate, bool)>,
    /// Conditions of which one has to be so.
    alternatives: Vec<(&'p Predicate, bool)>,
}

impl<'p> Assumptions<'p> {
    /// Takes in a comparison; whether the opposite is assumed already.
    fn contradict(&mut self, predicate: &'p Predicate, truth: bool) -> bool {
        if let Some((reference, said)) = about_one(predicate) {
            match self.values.iter_mut().find(|(known, _)| *known == reference) {
                Some((_, all)) => all.push((said, truth)),
                None => self.values.push((reference, vec![(said, truth)])),
            }
        }
        self.others.push((predicate, truth));
        self.others.iter().any(|(other, other_truth)| *other == predicate && *other_truth != truth)
    }
}

/// The one value that a comparison is about, and the comparison about the input itself.
fn about_one(predicate: &Predicate) -> Option<(&Reference, Predicate)> {
    let here = || Reference::Input(String::new());
    let of = |operand: &Operand| match operand {
        Operand::Reference(_) => Operand::Reference(here()),
        Operand::Literal(literal) => Operand::Literal(literal.clone()),
    };
    let references = predicate.references();
    let [(_, reference), others @ ..] = references.as_slice() else { return None };
    if others.iter().any(|(_, other)| other != reference) {
        return None;
    }
    let said = match predicate {
        Predicate::Present(_) => Predicate::Present(here()),
        Predicate::Absent(_) => Predicate::Absent(here()),
        Predicate::Eq(one, other) => Predicate::Eq(of(one), of(other)),
        Predicate::Ne(one, other) => Predicate::Ne(of(one), of(other)),
        Predicate::In(one, other) => Predicate::In(of(one), of(other)),
        Predicate::StartsWith(one, other) => Predicate::StartsWith(of(one), of(other)),
        Predicate::PathWithin(one, other) => Predicate::PathWithin(of(one), of(other)),
        Predicate::Matches(one, pattern) => Predicate::Matches(of(one), pattern.clone()),
        Predicate::Gt(one, other) => Predicate::Gt(of(one), of(other)),
        Predicate::Lt(one, other) => Predicate::Lt(of(one), of(other)),
        Predicate::SizeGt(one, other) => Predicate::SizeGt(of(one), of(other)),
        Predicate::SizeLt(one, other) => Predicate::SizeLt(of(one), of(other)),
        Predicate::All(_) | Predicate::Any(_) | Predicate::And(_) | Predicate::Or(_) | Predicate::Not(_) => {
            return None;
        }
    };
    Some((reference, said))
}

/// Whether nothing of that shape, and not its absence either, makes everything so that is said of it.
fn is_impossible(shape: &Shape, said: &[(Predicate, bool)]) -> bool {
    let absence_fits = said.iter().all(|(one, truth)| matches!(one, Predicate::Absent(_)) == *truth);
    if !shape.is_there && absence_fits {
        return false;
    }
    let presence_fits = said.iter().all(|(one, truth)| match one {
        Predicate::Present(_) => *truth,
        Predicate::Absent(_) => !*truth,
        _ => true,
    });
    if !presence_fits {
        return true;
    }
    let fits = |value: &Value| said.iter().all(|(one, truth)| one.holds(value, |_| None) == *truth);
    match candidates(shape, said) {
        Some(candidates) => !candidates.iter().any(|value| !shape.rules_out(value) && fits(value)),
        None => Limits::of(shape, said).are_impossible(),
    }
}

/// A list of values of which the value is one, where there is such a list.
fn candidates(shape: &Shape, said: &[(Predicate, bool)]) -> Option<Vec<Value>> {
    let listed = said.iter().find_map(|(one, truth)| match (one, truth) {
        (
            Predicate::Eq(Operand::Literal(literal), Operand::Reference(_))
            | Predicate::Eq(Operand::Reference(_), Operand::Literal(literal)),
            true,
        )
        | (
            Predicate::Ne(Operand::Literal(literal), Operand::Reference(_))
            | Predicate::Ne(Operand::Reference(_), Operand::Literal(literal)),
            false,
        ) => Some(vec![literal.as_value().clone()]),
        (Predicate::In(Operand::Reference(_), Operand::Literal(list)), true) => {
            list.as_value().as_array().cloned()
        }
        _ => None,
    });
    shape.values.clone().or(listed)
}

/// The types, numbers and sizes that are left for a value.
struct Limits {
    types: Types,
    number: Interval,
    size: Interval,
}

impl Limits {
    fn of(shape: &Shape, said: &[(Predicate, bool)]) -> Limits {
        let mut limits =
            Limits { types: shape.types, number: shape.number.clone(), size: shape.size.clone() };
        for (one, _) in said.iter().filter(|(_, truth)| *truth) {
            limits.types = limits.types.and(wanted(one));
        }
        for (one, truth) in said {
            limits.add(one, *truth);
        }
        limits
    }

    /// A comparison that is false says something only of a value that it is about.
    fn add(&mut self, said: &Predicate, truth: bool) {
        let (one, other, is_above, interval, about) = match said {
            Predicate::Gt(one, other) => (one, other, true, &mut self.number, Types::NUMBER),
            Predicate::Lt(one, other) => (one, other, false, &mut self.number, Types::NUMBER),
            Predicate::SizeGt(one, other) => (one, other, true, &mut self.size, Types::SIZED),
            Predicate::SizeLt(one, other) => (one, other, false, &mut self.size, Types::SIZED),
            _ => return,
        };
        let (literal, is_above) = match (one, other) {
            (Operand::Reference(_), Operand::Literal(literal)) => (literal, is_above),
            (Operand::Literal(literal), Operand::Reference(_)) if about == Types::NUMBER => {
                (literal, !is_above)
            }
            _ => return,
        };
        let value = literal.as_value().clone();
        if !self.types.is_within(about) || !value.is_number() {
            return;
        }
        let bound = Bound { value, is_open: truth };
        if is_above == truth { interval.raise(bound) } else { interval.lower(bound) }
    }

    fn are_impossible(&self) -> bool {
        self.types == Types::NONE
            || self.types == Types::NUMBER && self.number.is_empty()
            || self.types.is_within(Types::SIZED) && self.size.is_empty()
    }
}

/// The types of which a value makes a comparison true.
fn wanted(said: &Predicate) -> Types {
    match said {
        Predicate::Gt(..) | Predicate::Lt(..) => Types::NUMBER,
        Predicate::SizeGt(Operand::Reference(_), _) | Predicate::SizeLt(Operand::Reference(_), _) => {
            Types::SIZED
        }
        Predicate::StartsWith(..) | Predicate::PathWithin(..) | Predicate::Matches(..) => Types::STRING,
        _ => Types::ALL,
    }
}
