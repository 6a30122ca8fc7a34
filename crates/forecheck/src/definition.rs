//! What the surface says of a verb, ready for calls.

use std::fmt;
use std::time::Duration;

use forecheck_contract::admission::admit;
use forecheck_contract::definition::{ConstraintDefinition, VerbDefinition};
use forecheck_contract::json::{self, Limits, Node};
use forecheck_contract::key::{Key, Keyed};
use forecheck_contract::outcome::{Outcome, Refusal};
use forecheck_contract::pointer;
use forecheck_contract::recipe::Recipe;
use forecheck_contract::validator::Validator;
use forecheck_contract::window;
use serde_json::{Map, Value};

use crate::envelope;
use crate::secrets::Secrets;

/// A verb as generated code embeds it: its schema compiled, its defaults in the order in which they
/// are filled in.
#[derive(Debug)]
pub struct Definition {
    pub(crate) origin: Origin,
    loaded: Result<Loaded, Unusable>,
}

/// What an answer says about where it comes from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Origin {
    pub(crate) verb: &'static str,
    pub(crate) spec_sha256: &'static str,
}

/// A definition that was read.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) origin: Origin,
    pub(crate) verb: VerbDefinition,
    pub(crate) validator: Validator,
    pub(crate) window: Option<Duration>,
    /// Absent for a verb without a probe.
    pub(crate) settle_after: Option<Duration>,
    secrets: Secrets,
    /// The recipe without its ignored fields, where it has any.
    whole: Option<Recipe>,
    defaults: Vec<FilledIn>,
}

/// What a call is recognised by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Identity {
    /// The idempotency key.
    pub(crate) key: Key,
    /// The same over all fields: tells calls apart that differ where the key does not look.
    pub(crate) input: Key,
}

/// An input that was admitted.
pub(crate) struct Admitted {
    pub(crate) identity: Identity,
    /// The target in its one spelling; empty for a verb without one.
    pub(crate) target: String,
    /// The input with its defaults filled in.
    pub(crate) value: Value,
}

/// A default and where it goes.
#[derive(Debug)]
struct FilledIn {
    /// The pointer of the object.
    object: String,
    name: String,
    value: Value,
}

/// Why a definition cannot be used: it was not written by a generator of this version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unusable(String);

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the definition that was generated for the verb cannot be used: {}", self.0)
    }
}

impl std::error::Error for Unusable {}

impl Definition {
    /// Reads what a generator embedded for a verb of the surface with that digest. A definition that
    /// cannot be used fails each call.
    pub fn embedded(verb: &'static str, spec_sha256: &'static str, text: &str) -> Self {
        let origin = Origin { verb, spec_sha256 };
        Definition { origin, loaded: Loaded::read(origin, text) }
    }

    pub(crate) fn loaded(&self) -> Result<&Loaded, Box<Outcome>> {
        self.loaded.as_ref().map_err(|unusable| envelope::failed(self.origin, unusable.to_string()))
    }

    /// The idempotency key of a call with the input `text`.
    ///
    /// # Errors
    /// The refusal of an input that has none.
    pub fn key(&self, text: &[u8]) -> Result<Key, Box<Refusal>> {
        self.admitted(text).map(|admitted| admitted.identity.key)
    }

    /// The input `text` as it is executed: the target in its one spelling, defaults filled in.
    ///
    /// # Errors
    /// The refusal of an input that is not executed.
    pub fn executed(&self, text: &[u8]) -> Result<Value, Box<Refusal>> {
        self.admitted(text).map(|admitted| admitted.value)
    }

    fn admitted(&self, text: &[u8]) -> Result<Admitted, Box<Refusal>> {
        let unusable = |unusable: &Unusable| Box::new(envelope::unreadable(unusable));
        self.loaded.as_ref().map_err(unusable)?.admit(text)
    }
}

impl Loaded {
    fn read(origin: Origin, text: &str) -> Result<Self, Unusable> {
        let mut verb: VerbDefinition = serde_json::from_str(text).map_err(unusable)?;
        let secrets = Secrets::of(&verb.input);
        let validator = Validator::new(std::mem::take(&mut verb.input)).map_err(unusable)?;
        let duration = |text: &Option<String>| text.as_deref().map(window::parse).transpose();
        let window = duration(&verb.window).map_err(unusable)?;
        let settle_after = duration(&verb.settle_after).map_err(unusable)?;
        let mut defaults = Vec::new();
        for (at, text) in &verb.recipe.defaults {
            let broken = || Unusable(format!("the default of {at} cannot be filled in"));
            let node = json::read(text.as_bytes(), Limits::SPEC).map_err(|_| broken())?;
            let (object, _) = at.rsplit_once('/').ok_or_else(broken)?;
            let name = pointer::tokens(at).and_then(|mut tokens| tokens.pop()).ok_or_else(broken)?;
            let value = serde_json::to_value(&node).map_err(unusable)?;
            defaults.push(FilledIn { object: object.to_owned(), name: name.into_owned(), value });
        }
        defaults.sort_by_key(|default| default.object.matches('/').count());
        let whole =
            (!verb.recipe.ignored.is_empty()).then(|| Recipe { ignored: Vec::new(), ..verb.recipe.clone() });
        Ok(Loaded { origin, verb, validator, window, settle_after, secrets, whole, defaults })
    }

    /// Reads an input strictly, spells its target, validates it, hashes it, and fills its defaults in.
    /// What is executed is this value, what was hashed its keyed projection: the text is not looked at
    /// again.
    pub(crate) fn admit(&self, text: &[u8]) -> Result<Admitted, Box<Refusal>> {
        let admitted = admit(&self.verb.recipe, &self.validator, text)
            .map_err(|problems| Box::new(envelope::input_problems(problems)))?;
        let keyed = Keyed::new(&self.verb.recipe, &admitted.node)
            .map_err(|invalid| Box::new(envelope::no_target(&invalid)))?;
        let identity = self.identity(&keyed, &admitted.node);
        let target = keyed.target().to_owned();
        let mut value = admitted.value;
        self.fill(&mut value);
        Ok(Admitted { identity, target, value })
    }

    /// What a call is recognised by. `keyed` is `node` as the verb's recipe sees it.
    fn identity(&self, keyed: &Keyed<'_, '_>, node: &Node<'_>) -> Identity {
        let key = keyed.key();
        let whole = self.whole.as_ref().and_then(|whole| Keyed::new(whole, node).ok());
        Identity { key, input: whole.map_or(key, |whole| whole.key()) }
    }

    /// Fills in the defaults of fields that are absent, outer objects first: a default may itself be
    /// an object with fields that have one.
    fn fill(&self, input: &mut Value) {
        for default in &self.defaults {
            if let Some(members) = object_at(input, &default.object)
                && !members.contains_key(&default.name)
            {
                members.insert(default.name.clone(), default.value.clone());
            }
        }
    }

    /// An input as people may read it in the ledger.
    pub(crate) fn shown(&self, input: &Value) -> String {
        self.secrets.leave_out(input).to_string()
    }

    pub(crate) fn constraint(&self, code: &str) -> Option<&ConstraintDefinition> {
        self.verb.constraints.iter().find(|constraint| constraint.code == code)
    }
}

/// The object that a pointer leads to through objects alone: a recipe never speaks of items.
fn object_at<'v>(value: &'v mut Value, at: &str) -> Option<&'v mut Map<String, Value>> {
    let tokens = pointer::tokens(at)?;
    tokens.iter().try_fold(value.as_object_mut()?, |object, token| object.get_mut(&**token)?.as_object_mut())
}

fn unusable(error: impl fmt::Display) -> Unusable {
    Unusable(error.to_string())
}
