//! `refuse_when`: the condition of a constraint as data. True refuses the call.
//!
//! A predicate is an object with one member: an operator. Operators of two operands hold an array
//! of both, `{"eq": [{"input": "/mode"}, "force"]}`. An operand is an object that names a value in
//! the input, in a fact or in the item of the nearest `all` or `any`, or anything else, which then
//! stands for itself. There is no other syntax and no other operator.
//!
//! Operators are total: what is absent, or of a kind that an operator is not about, makes it false,
//! `ne` and `all` too. Only `absent` and `not` turn that around, which is why a surface is checked
//! for comparisons of what may be absent.
//!
//! [`Predicate::holds`] walks the tree. Generated code has a function for each predicate instead,
//! made of the same [operators](eq), one each.

mod model_schema;
mod number;
mod operator;
mod path;
mod pattern;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use operator::{
    absent, eq, gt, is_in, items, lt, matches, ne, path_within, present, size_gt, size_lt, starts_with,
};
pub use pattern::{Pattern, PatternError};

use crate::pointer;

/// A condition over the input and facts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[schemars(transform = model_schema::one_member)]
pub enum Predicate {
    /// The operand is there; null is there.
    Present(Reference),
    /// The operand is not there.
    Absent(Reference),
    /// Both are there and are the same JSON value. Numbers are compared by value: 1 is 1.0.
    Eq(Operand, Operand),
    /// Both are there and are not the same JSON value.
    Ne(Operand, Operand),
    /// The second is an array and the first is one of its items.
    In(Operand, Operand),
    /// The first is a text that starts with the text that is the second.
    StartsWith(Operand, Operand),
    /// Both are `/`-separated paths, and the first is the second or lies below it. They are compared
    /// as texts, without links: empty and `.` segments are dropped and `..` takes the segment before
    /// it. A path that climbs above its start by `..` is within nothing and nothing is within it; nor
    /// is a relative path within an absolute one, or the other way round. Case counts. So whoever
    /// refuses what lies in some folders refuses climbing and absolute paths as well:
    /// `{"not": {"path_within": [PATH, "."]}}` is true of exactly these.
    PathWithin(Operand, Operand),
    /// The operand is a text in which the pattern matches somewhere.
    Matches(Operand, Pattern),
    /// Both are numbers and the first is above the second.
    Gt(Operand, Operand),
    /// Both are numbers and the first is below the second.
    Lt(Operand, Operand),
    /// The size of the first is above the number that is the second. A text has as many as Unicode
    /// scalar values, an array as items, an object as members; nothing else has a size.
    SizeGt(Operand, Operand),
    /// The size of the first is below the number that is the second.
    SizeLt(Operand, Operand),
    /// `of` is an array and `where` holds for each item; of no item, it holds.
    All(Each),
    /// `of` is an array and `where` holds for an item.
    Any(Each),
    /// Each of them holds. A later one may rely on the earlier ones: after `present`, the operand may
    /// be compared.
    And(#[schemars(length(min = 1))] Vec<Predicate>),
    /// One of them holds. A later one may rely on it that the earlier ones do not hold: after
    /// `absent`, the operand may be compared.
    Or(#[schemars(length(min = 1))] Vec<Predicate>),
    /// It does not hold.
    Not(Box<Predicate>),
}

/// A condition about the items of an array.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Each {
    /// The array.
    pub of: Operand,
    /// The condition, in which `item` is the item.
    #[serde(rename = "where")]
    pub holds: Box<Predicate>,
}

/// What an operator looks at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(untagged)]
pub enum Operand {
    /// A value of the call.
    Reference(Reference),
    /// A value that stands for itself.
    Literal(Literal),
}

/// The name of a value of the call. It is there or not: a pointer that leads nowhere names nothing.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[schemars(transform = model_schema::one_member)]
pub enum Reference {
    /// A JSON Pointer into the input, with defaults filled; empty for all of it.
    Input(String),
    /// The name of a fact, and a JSON Pointer into it right behind the name: `worktree/branch`.
    Fact(String),
    /// A JSON Pointer into the item of the nearest `all` or `any`; empty for all of it.
    Item(String),
}

/// A value that stands for itself: no object, and in an array nothing that holds other values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Value", into = "Value")]
pub struct Literal(Value);

/// What a predicate reads.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Uses<'p> {
    /// Pointers into the input.
    pub input: BTreeSet<&'p str>,
    /// Names of facts.
    pub facts: BTreeSet<&'p str>,
}

/// The values that a predicate is asked about.
struct Call<'c, 'v, F> {
    input: &'v Value,
    fact: &'c F,
    item: Option<&'v Value>,
}

impl Predicate {
    /// Whether the call is refused. `input` has its defaults filled; `fact` gives the value of each fact
    /// that [`reads`](Self::reads) names.
    pub fn holds<'v>(&'v self, input: &'v Value, fact: impl Fn(&str) -> Option<&'v Value>) -> bool {
        self.holds_in(&Call { input, fact: &fact, item: None })
    }

    fn holds_in<'v, F: Fn(&str) -> Option<&'v Value>>(&'v self, call: &Call<'_, 'v, F>) -> bool {
        let of = |operand: &'v Operand| operand.value(call);
        match self {
            Predicate::Present(reference) => present(reference.value(call)),
            Predicate::Absent(reference) => absent(reference.value(call)),
            Predicate::Eq(one, other) => eq(of(one), of(other)),
            Predicate::Ne(one, other) => ne(of(one), of(other)),
            Predicate::In(one, list) => is_in(of(one), of(list)),
            Predicate::StartsWith(text, start) => starts_with(of(text), of(start)),
            Predicate::PathWithin(path, folder) => path_within(of(path), of(folder)),
            Predicate::Matches(text, pattern) => matches(of(text), pattern),
            Predicate::Gt(one, other) => gt(of(one), of(other)),
            Predicate::Lt(one, other) => lt(of(one), of(other)),
            Predicate::SizeGt(sized, number) => size_gt(of(sized), of(number)),
            Predicate::SizeLt(sized, number) => size_lt(of(sized), of(number)),
            Predicate::All(each) => {
                items(of(&each.of)).is_some_and(|all| all.iter().all(|item| each.holds_for(item, call)))
            }
            Predicate::Any(each) => {
                items(of(&each.of)).is_some_and(|all| all.iter().any(|item| each.holds_for(item, call)))
            }
            Predicate::And(all) => all.iter().all(|one| one.holds_in(call)),
            Predicate::Or(all) => all.iter().any(|one| one.holds_in(call)),
            Predicate::Not(inner) => !inner.holds_in(call),
        }
    }

    /// What has to be known to tell whether it holds.
    pub fn reads(&self) -> Uses<'_> {
        let mut uses = Uses::default();
        for (_, reference) in self.references() {
            match reference {
                Reference::Input(at) => drop(uses.input.insert(at)),
                Reference::Fact(fact) => drop(uses.facts.insert(fact_and_pointer(fact).0)),
                Reference::Item(_) => {}
            }
        }
        uses
    }

    /// Every reference in it, each with the pointer to it in the predicate's JSON.
    pub fn references(&self) -> Vec<(String, &Reference)> {
        let mut found = Vec::new();
        self.add_references("", &mut found);
        found
    }

    fn add_references<'p>(&'p self, at: &str, found: &mut Vec<(String, &'p Reference)>) {
        let at = format!("{at}/{}", self.operator());
        if let Predicate::Present(reference) | Predicate::Absent(reference) = self {
            found.push((at.clone(), reference));
        }
        for (side, operand) in self.operands() {
            if let Operand::Reference(reference) = operand {
                found.push((format!("{at}{side}"), reference));
            }
        }
        for (side, inner) in self.inner() {
            inner.add_references(&format!("{at}{side}"), found);
        }
    }

    /// The name of its operator.
    pub const fn operator(&self) -> &'static str {
        match self {
            Predicate::Present(_) => "present",
            Predicate::Absent(_) => "absent",
            Predicate::Eq(..) => "eq",
            Predicate::Ne(..) => "ne",
            Predicate::In(..) => "in",
            Predicate::StartsWith(..) => "starts_with",
            Predicate::PathWithin(..) => "path_within",
            Predicate::Matches(..) => "matches",
            Predicate::Gt(..) => "gt",
            Predicate::Lt(..) => "lt",
            Predicate::SizeGt(..) => "size_gt",
            Predicate::SizeLt(..) => "size_lt",
            Predicate::All(_) => "all",
            Predicate::Any(_) => "any",
            Predicate::And(_) => "and",
            Predicate::Or(_) => "or",
            Predicate::Not(_) => "not",
        }
    }

    /// What its operator looks into, each with the pointer to it behind the operator. The reference of
    /// `present` and `absent` is not looked into.
    pub fn operands(&self) -> Vec<(&'static str, &Operand)> {
        match self {
            Predicate::Eq(one, other)
            | Predicate::Ne(one, other)
            | Predicate::In(one, other)
            | Predicate::StartsWith(one, other)
            | Predicate::PathWithin(one, other)
            | Predicate::Gt(one, other)
            | Predicate::Lt(one, other)
            | Predicate::SizeGt(one, other)
            | Predicate::SizeLt(one, other) => vec![("/0", one), ("/1", other)],
            Predicate::Matches(text, _) => vec![("/0", text)],
            Predicate::All(each) | Predicate::Any(each) => vec![("/of", &each.of)],
            Predicate::Present(_)
            | Predicate::Absent(_)
            | Predicate::And(_)
            | Predicate::Or(_)
            | Predicate::Not(_) => Vec::new(),
        }
    }

    /// The predicates directly inside it, each with the pointer to it behind the operator.
    pub fn inner(&self) -> Vec<(String, &Predicate)> {
        match self {
            Predicate::And(all) | Predicate::Or(all) => {
                all.iter().enumerate().map(|(index, one)| (format!("/{index}"), one)).collect()
            }
            Predicate::Not(inner) => vec![(String::new(), inner)],
            Predicate::All(each) | Predicate::Any(each) => vec![("/where".to_owned(), &each.holds)],
            Predicate::Present(_)
            | Predicate::Absent(_)
            | Predicate::Eq(..)
            | Predicate::Ne(..)
            | Predicate::In(..)
            | Predicate::StartsWith(..)
            | Predicate::PathWithin(..)
            | Predicate::Matches(..)
            | Predicate::Gt(..)
            | Predicate::Lt(..)
            | Predicate::SizeGt(..)
            | Predicate::SizeLt(..) => Vec::new(),
        }
    }
}

impl Each {
    fn holds_for<'v, F>(&'v self, item: &'v Value, call: &Call<'_, 'v, F>) -> bool
    where
        F: Fn(&str) -> Option<&'v Value>,
    {
        self.holds.holds_in(&Call { item: Some(item), ..*call })
    }
}

impl Operand {
    fn value<'v, F: Fn(&str) -> Option<&'v Value>>(&'v self, call: &Call<'_, 'v, F>) -> Option<&'v Value> {
        match self {
            Operand::Reference(reference) => reference.value(call),
            Operand::Literal(literal) => Some(&literal.0),
        }
    }
}

impl Reference {
    fn value<'v, F: Fn(&str) -> Option<&'v Value>>(&self, call: &Call<'_, 'v, F>) -> Option<&'v Value> {
        match self {
            Reference::Input(at) => value_at(call.input, at),
            Reference::Item(at) => value_at(call.item?, at),
            Reference::Fact(fact) => {
                let (name, at) = fact_and_pointer(fact);
                value_at((call.fact)(name)?, at)
            }
        }
    }
}

impl Reference {
    /// The whole that the reference leads into.
    #[must_use]
    pub fn root(&self) -> Reference {
        match self {
            Reference::Input(_) => Reference::Input(String::new()),
            Reference::Fact(fact) => Reference::Fact(fact_and_pointer(fact).0.to_owned()),
            Reference::Item(_) => Reference::Item(String::new()),
        }
    }

    /// The member or item `token` of what the reference names.
    #[must_use]
    pub fn child(&self, token: &str) -> Reference {
        match self {
            Reference::Input(at) => Reference::Input(pointer::join(at, token)),
            Reference::Fact(fact) => Reference::Fact(pointer::join(fact, token)),
            Reference::Item(at) => Reference::Item(pointer::join(at, token)),
        }
    }

    /// Whether `other` names the same value or one inside it.
    pub fn is_around(&self, other: &Reference) -> bool {
        match (self, other) {
            (Reference::Input(at), Reference::Input(other))
            | (Reference::Fact(at), Reference::Fact(other))
            | (Reference::Item(at), Reference::Item(other)) => pointer::is_within(other, at),
            (Reference::Input(_) | Reference::Fact(_) | Reference::Item(_), _) => false,
        }
    }
}

impl Literal {
    /// The value.
    pub fn as_value(&self) -> &Value {
        &self.0
    }
}

impl TryFrom<Value> for Literal {
    type Error = &'static str;

    fn try_from(value: Value) -> Result<Literal, Self::Error> {
        let holds_others = |value: &Value| value.is_array() || value.is_object();
        let fits = match &value {
            Value::Object(_) => false,
            Value::Array(items) => !items.iter().any(holds_others),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => true,
        };
        if fits { Ok(Literal(value)) } else { Err("a literal is a scalar or an array of scalars") }
    }
}

impl From<Literal> for Value {
    fn from(literal: Literal) -> Value {
        literal.0
    }
}

/// The two parts of a [`Reference::Fact`]: the name of the fact, and the pointer into it.
pub fn fact_and_pointer(fact: &str) -> (&str, &str) {
    fact.split_at(fact.find('/').unwrap_or(fact.len()))
}

fn value_at<'v>(root: &'v Value, at: &str) -> Option<&'v Value> {
    pointer::tokens(at)?.iter().try_fold(root, |value, token| match value {
        Value::Object(members) => members.get(&**token),
        Value::Array(items) => items.get(pointer::index(token)?),
        _ => None,
    })
}

#[cfg(test)]
mod tests;
