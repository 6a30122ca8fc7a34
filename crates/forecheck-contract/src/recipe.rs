//! How a verb's key sees an input. A recipe is explicit and finite, so that it can be published,
//! locked and followed in any language.
//!
//! It speaks only of properties that a valid input reaches through unconditional `properties` and
//! `$ref`: not through items, combinators or recursion. Stripping less than possible is safe;
//! stripping more is not.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, de};

use crate::canonical;
use crate::json::{Member, Node, Value};
use crate::pointer;
use crate::spelling::{SpellingStep, is_spelled, spell};

/// The recipe of one verb, as `keys.json` publishes and locks it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// The first part of the key: the verb, followed by `@` and the revision from 2 on. It holds
    /// no `|`, which separates the parts of the key.
    #[serde(deserialize_with = "without_bar")]
    #[schemars(regex(pattern = "^[^|]+$"))]
    pub verb: String,
    /// Where the target stands and how it is spelled; absent when the middle part is empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<TargetRecipe>,
    /// Pointers of the fields that stay out of the key.
    pub ignored: Vec<String>,
    /// Canonical text of the default at each pointer that has one, itself
    /// [stripped](Recipe::strip_below). A field equal to its default stays out of the key.
    pub defaults: BTreeMap<String, String>,
    /// The objects that the recipe knows, by pointer. They decide which later recipes keep the keys.
    pub objects: BTreeMap<String, KnownObject>,
}

/// Where the target stands in an input, and its one spelling.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TargetRecipe {
    /// The pointer of a required string.
    pub pointer: String,
    /// The steps to its one spelling, in order.
    pub spelling: Vec<SpellingStep>,
}

/// An object that a recipe knows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KnownObject {
    /// Whether the schema forbids every property that it does not name.
    pub closed: bool,
    /// The names of its properties, sorted.
    pub properties: Vec<String>,
}

/// Why a target cannot stand in a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TargetInvalid {
    /// There is no string at the target's pointer.
    Missing,
    /// Nothing is left of it in its one spelling.
    Empty,
    /// It holds a `|`, which separates the parts of the key.
    Bar,
    /// The steps to its one spelling would change it again.
    Unsettled,
}

impl fmt::Display for TargetInvalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TargetInvalid::Missing => "the target is not a string",
            TargetInvalid::Empty => "nothing is left of the target in its one spelling",
            TargetInvalid::Bar => "the target holds a `|`",
            TargetInvalid::Unsettled => "the target is not in its one spelling",
        })
    }
}

impl Recipe {
    /// Puts the target into its one spelling. An input without a string there is left as it is:
    /// validation says so.
    pub fn spell_target(&self, input: &mut Node<'_>) {
        let Some(recipe) = &self.target else { return };
        if let Some(node) = input.at_mut(&recipe.pointer)
            && let Value::String(text) = &mut node.value
        {
            let spelled = spell(&recipe.spelling, text);
            if spelled != *text {
                *text = Cow::Owned(spelled);
            }
        }
    }

    /// The target of an input that [`spell_target`](Self::spell_target) has seen; empty for a verb
    /// without one.
    ///
    /// # Errors
    /// [`TargetInvalid`] when it cannot stand in a key.
    pub fn target<'n>(&self, input: &'n Node<'_>) -> Result<&'n str, TargetInvalid> {
        let Some(recipe) = &self.target else { return Ok("") };
        match input.at(&recipe.pointer).and_then(Node::as_str) {
            None => Err(TargetInvalid::Missing),
            Some("") => Err(TargetInvalid::Empty),
            Some(text) if text.contains('|') => Err(TargetInvalid::Bar),
            Some(text) if !is_spelled(&recipe.spelling, text) => Err(TargetInvalid::Unsettled),
            Some(text) => Ok(text),
        }
    }

    /// The input without ignored fields and without fields equal to their default. Nested objects
    /// are stripped first, so an object that held nothing but defaults equals a default of `{}`.
    pub fn strip<'n, 'a>(&self, input: &'n Node<'a>) -> Cow<'n, Node<'a>> {
        if self.ignored.is_empty() && self.defaults.is_empty() {
            Cow::Borrowed(input)
        } else {
            Cow::Owned(self.strip_below("", input))
        }
    }

    /// [`strip`](Self::strip) for a part of an input: the value at the pointer `at`.
    pub fn strip_below<'a>(&self, at: &str, node: &Node<'a>) -> Node<'a> {
        let Value::Object(members) = &node.value else { return node.clone() };
        if !self.speaks_within(at) {
            return node.clone();
        }
        let kept = members.iter().filter_map(|member| {
            let at = pointer::join(at, &member.name);
            if self.ignored.contains(&at) {
                return None;
            }
            let node = self.strip_below(&at, &member.node);
            let is_default =
                self.defaults.get(&at).is_some_and(|default| *default == canonical::to_string(&node));
            (!is_default).then(|| Member { name: member.name.clone(), name_span: member.name_span, node })
        });
        Node { span: node.span, value: Value::Object(kept.collect()) }
    }

    /// Whether a field inside the value at `at` may stay out of the key.
    fn speaks_within(&self, at: &str) -> bool {
        let inside = |field: &String| field != at && pointer::is_within(field, at);
        self.ignored.iter().any(inside) || self.defaults.keys().any(inside)
    }

    /// Whether every input keeps its key when `self` replaces `older`, and whether whoever replaces
    /// `self` need not know `older`.
    ///
    /// A new default or ignored field at a property that a closed object did not know is harmless:
    /// no input that was valid before has it. Every other difference of target, spelling, ignored
    /// fields or defaults moves keys. An object that forgets a property, or that was open and
    /// closes, moves none yet; but the property could come back with a default and would then look
    /// harmless.
    pub fn keeps_keys_of(&self, older: &Recipe) -> bool {
        self.verb == older.verb
            && self.target == older.target
            && self.refuses_no_more_than(older)
            && older.ignored.iter().all(|at| self.ignored.contains(at))
            && self.ignored.iter().all(|at| older.ignored.contains(at) || older.refused(at))
            && older.defaults.iter().all(|(at, text)| self.defaults.get(at) == Some(text))
            && self.defaults.keys().all(|at| older.defaults.contains_key(at) || older.refused(at))
    }

    fn refuses_no_more_than(&self, older: &Recipe) -> bool {
        self.objects.iter().filter(|(_, object)| object.closed).all(|(at, object)| {
            let knew_no_more = |was: &KnownObject| {
                was.closed && was.properties.iter().all(|name| object.properties.contains(name))
            };
            older.refused(at) || older.objects.get(at).is_some_and(knew_no_more)
        })
    }

    /// Whether no valid input could have a value at `at`: some closed object on the way does not
    /// know the property.
    fn refused(&self, at: &str) -> bool {
        at.rmatch_indices('/').any(|(end, _)| {
            let (parent, rest) = at.split_at(end);
            let name = rest.split('/').nth(1).unwrap_or_default();
            self.objects.get(parent).is_some_and(|object| {
                object.closed && !object.properties.iter().any(|known| pointer::escape(known) == name)
            })
        })
    }
}

fn without_bar<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let verb = String::deserialize(deserializer)?;
    if verb.contains('|') { Err(de::Error::custom("a `|` in the name of a verb")) } else { Ok(verb) }
}
