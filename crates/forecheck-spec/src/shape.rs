//! What schemas say of every value that a predicate can name: whether it is there, and what it can be.
//!
//! A shape never claims too much. It is made of what holds in every case: the schema of the place, what
//! its `$ref` names and its `allOf` adds. What only some branch says is left out.

use std::collections::BTreeMap;

use forecheck_contract::json::{Node, Value as Json};
use forecheck_contract::pointer;
use forecheck_contract::predicate::{self, Operand, Reference, fact_and_pointer};
use serde_json::Value;

use crate::instance::{certain, distinct, names_of, possible, step};
use crate::raw::RawSurface;
use crate::recipe;
use crate::schema::{Place, Resource};
use crate::surface::Verb;

mod interval;
mod types;

pub(crate) use interval::{Bound, Interval};
pub(crate) use types::Types;

/// The values that the predicates of one verb can name.
pub(crate) struct Shapes<'r, 's> {
    raw: &'r RawSurface<'s>,
    input: Place<'s>,
    /// The pointers of the fields that a runtime fills in.
    defaults: BTreeMap<String, String>,
}

/// Where a value stands in its schemas.
#[derive(Debug, Clone)]
pub(crate) struct Spot<'s> {
    /// The schemas that it fits in every case.
    certain: Vec<Place<'s>>,
    /// The schemas that may speak of it.
    possible: Vec<Place<'s>>,
    /// The values it can only be, where they are written out in the predicate.
    literals: Option<Vec<Value>>,
    /// Whether it is there in every case.
    pub(crate) is_there: bool,
}

/// What a value can be.
#[derive(Debug, Clone)]
pub(crate) struct Shape {
    /// Whether it is there in every case.
    pub(crate) is_there: bool,
    /// The types it can have.
    pub(crate) types: Types,
    /// The only values it can be, where the schemas list them.
    pub(crate) values: Option<Vec<Value>>,
    /// Where it lies, for a number.
    pub(crate) number: Interval,
    /// Where its size lies, for what has one.
    pub(crate) size: Interval,
}

impl<'r, 's> Shapes<'r, 's> {
    pub(crate) fn new(raw: &'r RawSurface<'s>, verb: &Verb<'s>) -> Self {
        let input = verb.input();
        let recipe = recipe::derive(&raw.schemas, &input, String::new(), None);
        Shapes { raw, input, defaults: recipe.defaults }
    }

    /// Where a reference leads, inside an item and where `known` values are there; `None` where no schema
    /// speaks of such a value.
    pub(crate) fn spot(
        &self,
        reference: &Reference,
        item: Option<&Spot<'s>>,
        known: &[Reference],
    ) -> Option<Spot<'s>> {
        let (root, at) = match reference {
            Reference::Input(at) => (self.rooted(&self.input), at.as_str()),
            Reference::Item(at) => (item?.clone(), at.as_str()),
            Reference::Fact(fact) => {
                let (name, at) = fact_and_pointer(fact);
                let schema = self.raw.facts.get(name).map(|(_, fact)| fact.schema);
                let described = schema.map(|schema| self.rooted(&Resource::own(schema).place()));
                (described.unwrap_or_else(Spot::anything), at)
            }
        };
        let mut spot = root;
        let mut here = reference.root();
        for token in pointer::tokens(at)? {
            here = here.child(&token);
            let inside = self.inside(&spot, &token)?;
            let guarded = known.iter().any(|known| here.is_around(known));
            let filled = matches!(&here, Reference::Input(at) if self.defaults.contains_key(at));
            let required =
                spot.certain.iter().any(|place| names_of(place.node, "required").any(|name| name == token));
            let holder = spot.is_there && types_of(&spot) == Types::OBJECT;
            spot = Spot { is_there: guarded || holder && (required || filled), ..inside };
        }
        Some(spot)
    }

    /// What a reference can name; as [`spot`](Self::spot).
    pub(crate) fn shape(&self, reference: &Reference, item: Option<&Spot<'s>>) -> Option<Shape> {
        self.spot(reference, item, &[]).map(|spot| spot.shape())
    }

    /// The items of an array.
    pub(crate) fn items(&self, of: &Operand, item: Option<&Spot<'s>>) -> Spot<'s> {
        match of {
            Operand::Literal(literal) => {
                let items = literal.as_value().as_array().cloned().unwrap_or_default();
                Spot { literals: Some(items), ..Spot::anything() }
            }
            Operand::Reference(reference) => {
                self.spot(reference, item, &[]).map_or_else(Spot::anything, |spot| self.items_of(&spot))
            }
        }
    }

    fn items_of(&self, array: &Spot<'s>) -> Spot<'s> {
        let uniform = array.certain.iter().filter(|place| place.node.get("prefixItems").is_none());
        let certain = uniform.filter_map(|place| Some(place.child(&["items"], place.node.get("items")?)));
        let around = array.possible.iter().flat_map(|place| possible(&self.raw.schemas, place));
        let possible = around.flat_map(|place| {
            let prefix = place.node.get("prefixItems").and_then(Node::as_array).unwrap_or_default();
            let all = prefix.iter().chain(place.node.get("items"));
            all.map(|node| place.child(&["items"], node)).collect::<Vec<_>>()
        });
        self.closed(&certain.collect::<Vec<_>>(), distinct(possible))
    }

    fn inside(&self, around: &Spot<'s>, token: &str) -> Option<Spot<'s>> {
        let named = around.certain.iter().filter_map(|place| {
            let node = place.node.get("properties")?.get(token)?;
            Some(place.child(&["properties", token], node))
        });
        let inside = around.possible.iter().flat_map(|place| possible(&self.raw.schemas, place));
        let possible = distinct(inside.flat_map(|place| step(&place, token)));
        (!possible.is_empty()).then(|| self.closed(&named.collect::<Vec<_>>(), possible))
    }

    fn rooted(&self, place: &Place<'s>) -> Spot<'s> {
        self.closed(std::slice::from_ref(place), vec![place.clone()])
    }

    fn closed(&self, holding: &[Place<'s>], possible: Vec<Place<'s>>) -> Spot<'s> {
        let certain = holding.iter().flat_map(|place| certain(&self.raw.schemas, place));
        Spot { certain: distinct(certain), possible, literals: None, is_there: true }
    }
}

impl<'s> Spot<'s> {
    fn anything() -> Spot<'s> {
        Spot { certain: Vec::new(), possible: Vec::new(), literals: None, is_there: true }
    }

    pub(crate) fn shape(&self) -> Shape {
        let types = types_of(self);
        Shape {
            is_there: self.is_there,
            types,
            values: values_of(self),
            number: bounds(&self.certain, ["minimum", "exclusiveMinimum"], ["maximum", "exclusiveMaximum"]),
            size: size(&self.certain, types),
        }
    }
}

impl Shape {
    /// The shape of a value that is written out.
    pub(crate) fn of_literal(value: &Value) -> Shape {
        Spot { literals: Some(vec![value.clone()]), ..Spot::anything() }.shape()
    }

    /// Whether the schemas rule `value` out.
    pub(crate) fn rules_out(&self, value: &Value) -> bool {
        let listed = |values: &Vec<Value>| values.iter().any(|one| predicate::eq(Some(one), Some(value)));
        let number_outside = value.is_number() && !self.number.holds(value);
        !self.types.overlaps(Types::of(value)) || !self.values.as_ref().is_none_or(listed) || number_outside
    }
}

fn types_of(spot: &Spot<'_>) -> Types {
    let stated = spot.certain.iter().map(|place| match (&place.node.value, place.node.get("type")) {
        (Json::Bool(false), _) => Types::NONE,
        (_, Some(stated)) => Types::stated(stated),
        (_, None) => Types::ALL,
    });
    let listed = values_of(spot).map(|values| Types::of_all(&values));
    stated.chain(listed).fold(Types::ALL, Types::and)
}

/// The values that all lists have in common.
fn values_of(spot: &Spot<'_>) -> Option<Vec<Value>> {
    let value = |node: &Node<'_>| serde_json::to_value(node).unwrap_or_default();
    let listed = spot.certain.iter().flat_map(|place| {
        let one = place.node.get("const").map(|node| vec![value(node)]);
        let several = place.node.get("enum").and_then(Node::as_array);
        one.into_iter().chain(several.map(|all| all.iter().map(value).collect()))
    });
    let common = |one: Vec<Value>, other: Vec<Value>| {
        let both = |value: &Value| other.iter().any(|other| predicate::eq(Some(value), Some(other)));
        one.into_iter().filter(both).collect()
    };
    spot.literals.clone().into_iter().chain(listed).reduce(common)
}

fn size(places: &[Place<'_>], types: Types) -> Interval {
    let [low, high] = match types {
        Types::STRING => ["minLength", "maxLength"],
        Types::ARRAY => ["minItems", "maxItems"],
        // Defaults are filled in after the schema was held against the object.
        Types::OBJECT => ["minProperties", ""],
        _ => return Interval::from_zero(),
    };
    let mut size = bounds(places, [low, ""], [high, ""]);
    size.raise(Bound { value: Value::from(0), is_open: false });
    size
}

/// What keywords say of a number: the second of each pair leaves its own value out.
fn bounds(places: &[Place<'_>], lows: [&str; 2], highs: [&str; 2]) -> Interval {
    let mut interval = Interval::default();
    for place in places {
        let bound = |(keyword, is_open): (&str, bool)| {
            let value = serde_json::to_value(place.node.get(keyword)?).ok()?;
            value.is_number().then_some(Bound { value, is_open })
        };
        for low in lows.into_iter().zip([false, true]).filter_map(bound) {
            interval.raise(low);
        }
        for high in highs.into_iter().zip([false, true]).filter_map(bound) {
            interval.lower(high);
        }
    }
    interval
}
