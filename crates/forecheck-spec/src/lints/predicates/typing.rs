//! Predicates against schemas: what is compared is there, and can be of the kind that the operator is
//! about.
//!
//! What may be absent is compared only after a `present`: an earlier one of the same `and`, or of one
//! around it; in an `or`, an earlier `absent` does the same. `not` turns the two around.

use forecheck_contract::predicate::{Literal, Operand, Predicate, Reference, fact_and_pointer};

use crate::file::RefuseWhen;
use crate::problem::{Lint, Problem};
use crate::shape::{Shape, Shapes, Spot, Types};
use crate::text::quoted;

/// What is wrong with a predicate as one of `verb`'s.
pub(super) fn faults(shapes: &Shapes<'_, '_>, verb: &str, stated: &RefuseWhen<'_>) -> Vec<Problem> {
    let mut typing = Typing { shapes, verb, stated, faults: Vec::new() };
    typing.predicate(&stated.predicate, "", None, &[]);
    typing.faults
}

struct Typing<'t, 's> {
    shapes: &'t Shapes<'t, 's>,
    verb: &'t str,
    stated: &'t RefuseWhen<'s>,
    faults: Vec<Problem>,
}

impl<'s> Typing<'_, 's> {
    /// Looks at the predicate at `at`, where the `known` values are there.
    fn predicate(&mut self, predicate: &Predicate, at: &str, item: Option<&Spot<'s>>, known: &[Reference]) {
        let at = format!("{at}/{}", predicate.operator());
        match predicate {
            Predicate::Present(reference) | Predicate::Absent(reference) => {
                self.presence(reference, &at, item);
            }
            Predicate::And(_) | Predicate::Or(_) | Predicate::Not(_) => {
                let earlier_held = !matches!(predicate, Predicate::Or(_));
                let mut known = known.to_vec();
                for (side, inner) in predicate.inner() {
                    self.predicate(inner, &format!("{at}{side}"), item, &known);
                    known.extend(known_if(inner, earlier_held).into_iter().cloned());
                }
            }
            Predicate::All(each) | Predicate::Any(each) => {
                self.operands(predicate, &at, item, known);
                let known: Vec<Reference> =
                    known.iter().filter(|known| !matches!(known, Reference::Item(_))).cloned().collect();
                let items = self.shapes.items(&each.of, item);
                self.predicate(&each.holds, &format!("{at}/where"), Some(&items), &known);
            }
            _ => self.operands(predicate, &at, item, known),
        }
    }

    fn presence(&mut self, reference: &Reference, at: &str, item: Option<&Spot<'s>>) {
        let Some(spot) = self.spot(reference, at, item, &[]) else { return };
        if spot.is_there {
            let message = format!("{} is always there{}", described(reference), self.of_verb(reference));
            let help = "it is required, or has a default that is filled in: leave the question out";
            self.report(Lint::PredicatePresent, at, message, help);
        }
    }

    fn operands(&mut self, predicate: &Predicate, at: &str, item: Option<&Spot<'s>>, known: &[Reference]) {
        let wanted = wanted(predicate);
        let mut shapes = Vec::new();
        for ((side, operand), wanted) in predicate.operands().into_iter().zip(wanted) {
            let at = format!("{at}{side}");
            let Some(shape) = self.operand(operand, &at, item, known) else { continue };
            if !shape.types.overlaps(wanted) {
                let what = named(operand);
                let message = format!(
                    "`{}` is about {wanted} here, and {what} is {}",
                    predicate.operator(),
                    shape.types
                );
                self.report(Lint::PredicateType, &at, message, "compare a value that can be one");
            }
            shapes.push(shape);
        }
        if let (Predicate::Eq(..) | Predicate::Ne(..), [one, other]) = (predicate, shapes.as_slice())
            && !one.types.overlaps(other.types)
        {
            let message = format!("{} is never equal to {}", one.types, other.types);
            self.report(Lint::PredicateType, at, message, "compare values of one kind");
        }
    }

    fn operand(
        &mut self,
        operand: &Operand,
        at: &str,
        item: Option<&Spot<'s>>,
        known: &[Reference],
    ) -> Option<Shape> {
        let reference = match operand {
            Operand::Literal(literal) => return Some(Shape::of_literal(literal.as_value())),
            Operand::Reference(reference) => reference,
        };
        let spot = self.spot(reference, at, item, known)?;
        if !spot.is_there {
            let message = format!("{} may be absent{}", described(reference), self.of_verb(reference));
            let help = "ask first: {\"and\": [{\"present\": ...}, ...]}, or make it required";
            self.report(Lint::PredicateAbsent, at, message, help);
        }
        Some(spot.shape())
    }

    fn spot(
        &mut self,
        reference: &Reference,
        at: &str,
        item: Option<&Spot<'s>>,
        known: &[Reference],
    ) -> Option<Spot<'s>> {
        let spot = self.shapes.spot(reference, item, known);
        if spot.is_none() {
            let message = match reference {
                Reference::Input(at) => {
                    format!("the input of {} has no field {}", quoted(self.verb), quoted(at))
                }
                Reference::Fact(fact) => {
                    let (name, at) = fact_and_pointer(fact);
                    format!("the fact {} has no field {}", quoted(name), quoted(at))
                }
                Reference::Item(at) => format!("the items have no field {}", quoted(at)),
            };
            let at = self.stated.place(at);
            self.faults.push(Problem::new(Lint::UnresolvedPointer, at, message));
        }
        spot
    }

    /// In whose input, for what is different in another verb.
    fn of_verb(&self, reference: &Reference) -> String {
        match reference {
            Reference::Input(_) => format!(" in the input of {}", quoted(self.verb)),
            Reference::Fact(_) | Reference::Item(_) => String::new(),
        }
    }

    fn report(&mut self, lint: Lint, at: &str, message: String, help: &str) {
        self.faults.push(Problem::new(lint, self.stated.place(at), message).help(help));
    }
}

/// The types that each operand of an operator can be of.
fn wanted(predicate: &Predicate) -> [Types; 2] {
    match predicate {
        Predicate::StartsWith(..) | Predicate::PathWithin(..) | Predicate::Matches(..) => [Types::STRING; 2],
        Predicate::Gt(..) | Predicate::Lt(..) => [Types::NUMBER; 2],
        Predicate::SizeGt(..) | Predicate::SizeLt(..) => [Types::SIZED, Types::NUMBER],
        Predicate::In(..) => [Types::ALL, Types::ARRAY],
        Predicate::All(_) | Predicate::Any(_) => [Types::ARRAY; 2],
        Predicate::Present(_)
        | Predicate::Absent(_)
        | Predicate::Eq(..)
        | Predicate::Ne(..)
        | Predicate::And(_)
        | Predicate::Or(_)
        | Predicate::Not(_) => [Types::ALL; 2],
    }
}

/// What is there in every call in which the predicate is `truth`.
fn known_if(predicate: &Predicate, truth: bool) -> Vec<&Reference> {
    match predicate {
        Predicate::Present(reference) if truth => vec![reference],
        Predicate::Absent(reference) if !truth => vec![reference],
        Predicate::Not(inner) => known_if(inner, !truth),
        Predicate::And(all) if truth => all.iter().flat_map(|one| known_if(one, truth)).collect(),
        Predicate::Or(all) if !truth => all.iter().flat_map(|one| known_if(one, truth)).collect(),
        _ => Vec::new(),
    }
}

fn named(operand: &Operand) -> String {
    match operand {
        Operand::Reference(reference) => described(reference),
        Operand::Literal(literal) => written(literal),
    }
}

fn written(literal: &Literal) -> String {
    quoted(&literal.as_value().to_string())
}

fn described(reference: &Reference) -> String {
    match reference {
        Reference::Input(at) | Reference::Item(at) if at.is_empty() => {
            let whole = if matches!(reference, Reference::Input(_)) { "the input" } else { "the item" };
            whole.to_owned()
        }
        Reference::Input(at) => quoted(at),
        Reference::Item(at) => format!("{} of an item", quoted(at)),
        Reference::Fact(fact) => match fact_and_pointer(fact) {
            (name, "") => format!("the fact {}", quoted(name)),
            (name, at) => format!("{} of the fact {}", quoted(at), quoted(name)),
        },
    }
}
