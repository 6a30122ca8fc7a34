//! `keys.json`: the recipe of every key, and vectors that any language reproduces.
//!
//! The file is also the lock: a recipe that would move keys is refused unless the verb's revision
//! rises.

use std::collections::BTreeSet;
use std::fmt;

use forecheck_contract::json::{self, Limits};
use forecheck_contract::key::{KEY_FORMULA, KEY_RECIPE, Keyed};
use forecheck_contract::recipe::Recipe;
use forecheck_contract::runtime_code::RuntimeCode;
use forecheck_contract::table::SurfaceId;
use forecheck_spec::surface::{Surface, Verb};
use serde::{Deserialize, Serialize};

use crate::generator::{GenerateError, GeneratedFile, Source, json_file};

/// The version of the layout of `keys.json`.
pub const KEYS_FORMAT: u32 = 1;

/// `keys.json`, whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KeysFile {
    /// The schema of this file, beside it.
    #[serde(rename = "$schema")]
    pub schema: String,
    /// The version of this layout.
    pub format: u32,
    /// Whose keys these are.
    pub surface: SurfaceId,
    /// How a key is made.
    pub formula: String,
    /// The number of the rules behind the formula: reading, spelling, stripping, canonical text.
    pub recipe: u32,
    /// The recipe of each verb that has keys, sorted by verb.
    pub verbs: Vec<VerbKeys>,
    /// Recipes of verbs that are gone or have become read-only, sorted by verb: they stay locked, so
    /// that a verb which comes back keeps its keys or rises in revision.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gone: Vec<VerbKeys>,
    /// Keys to reproduce.
    pub vectors: Vec<Vector>,
    /// Inputs that have no key.
    pub refused: Vec<RefusedVector>,
}

/// The keys of one verb.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VerbKeys {
    /// The verb.
    pub verb: String,
    /// Its revision.
    pub revision: u64,
    /// What a repeat of a call that succeeded does: `skip`, `run` or `intent`.
    pub repeat: String,
    /// How long a success is remembered, as an ISO 8601 duration; for ever where it is absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<String>,
    /// Of a verb that can look whether the effect of a call in doubt took place: how long a call has to be in
    /// doubt before it may act after all, as an ISO 8601 duration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settle_after: Option<String>,
    /// How its key sees an input.
    pub recipe: Recipe,
}

/// An input and its key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Vector {
    /// The first part of the key. With `own` it is a verb of this file and its recipe applies;
    /// without, nothing is ignored and nothing has a default.
    pub verb: String,
    /// Whether the verb's recipe applies.
    pub own: bool,
    /// The target in its one spelling.
    pub target: String,
    /// The input as it was sent.
    pub input: String,
    /// The canonical text of what the key covers.
    pub canonical: String,
    /// The key.
    pub key: String,
}

/// An input without a key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RefusedVector {
    /// The target, where it is what is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// The input as it was sent.
    pub input: String,
    /// The code that refuses it.
    pub code: RuntimeCode,
}

/// Inputs of every file, chosen for what implementations get wrong: number layout, order by UTF-16
/// code units, escapes, normalisation, absent and null.
const FIXED: [(&str, &str); 11] = [
    ("open_pr", "{}"),
    ("open_pr", r#"{"title":"Fix","base":"main","draft":false,"n":1.0}"#),
    ("open_pr", r#"{"n":1,"draft":false,"base":"main","title":"Fix"}"#),
    ("label", r#"{"\ufb33":1,"\ud83d\ude02":2}"#),
    ("num", r#"{"v":[-0.0,1e21,1e20,1e-7,0.000001,5e-324,1424953923781206.25,333333333.33333329]}"#),
    ("note", r#"{"t":"\u00e9"}"#),
    ("note", r#"{"t":"e\u0301"}"#),
    ("note", r#"{"t":"a\/b\u0000\u007f\u2028\"\\"}"#),
    ("note", r#"{"t":null}"#),
    ("note", "{}"),
    ("open_pr@2", "{}"),
];

/// The target of the fixed vectors.
const FIXED_TARGET: &str = "octo/hello";

/// Inputs that no implementation may give a key.
const REFUSED: [&str; 7] = [
    r#"{"qty":1,"qty":-1}"#,
    r#"{"t":"\ud800"}"#,
    r#"{"n":9007199254740992}"#,
    r#"{"n":-9007199254740993}"#,
    r#"{"n":1e400}"#,
    r#"{"n":01}"#,
    "{\"t\":\"a\tb\"}",
];

pub(crate) fn generate(source: &Source<'_, '_>) -> Result<Vec<GeneratedFile>, GenerateError> {
    Ok(vec![source.keys.file()?])
}

/// The keys of a surface.
pub fn keys(surface: &Surface<'_>) -> KeysFile {
    let mut vectors: Vec<Vector> =
        FIXED.iter().filter_map(|(verb, input)| fixed_vector(verb, input)).collect();
    vectors.extend(surface.verbs.iter().flat_map(example_vectors));
    let deep = format!("{}{}", "[".repeat(65), "]".repeat(65));
    let refused = REFUSED.iter().copied().chain([&*deep]).filter_map(|input| {
        let problems = json::read(input.as_bytes(), Limits::CALL).err()?;
        Some(RefusedVector { target: None, input: input.to_owned(), code: problems.first()?.kind.code() })
    });
    let bar = RefusedVector {
        target: Some("octo|hello".to_owned()),
        input: "{}".to_owned(),
        code: RuntimeCode::TargetInvalid,
    };
    KeysFile {
        schema: "keys.schema.json".to_owned(),
        format: KEYS_FORMAT,
        surface: surface.id.clone(),
        formula: KEY_FORMULA.to_owned(),
        recipe: KEY_RECIPE,
        verbs: surface.verbs.iter().filter_map(verb_keys).collect(),
        gone: Vec::new(),
        vectors,
        refused: refused.chain([bar]).collect(),
    }
}

fn verb_keys(verb: &Verb<'_>) -> Option<VerbKeys> {
    let recipe = verb.key_recipe()?.clone();
    Some(VerbKeys {
        verb: verb.name().to_owned(),
        revision: verb.revision(),
        repeat: verb.repeat().as_str().to_owned(),
        window: verb.file.window.map(str::to_owned),
        settle_after: verb.settle_after().map(str::to_owned),
        recipe,
    })
}

/// A vector without a recipe: the target stands beside the input.
fn fixed_vector(verb: &str, input: &str) -> Option<Vector> {
    let node = json::read(input.as_bytes(), Limits::CALL).ok()?;
    let keyed = Keyed::plain(verb, FIXED_TARGET, &node).ok()?;
    Some(Vector {
        verb: verb.to_owned(),
        own: false,
        target: FIXED_TARGET.to_owned(),
        input: input.to_owned(),
        canonical: keyed.canonical_input(),
        key: keyed.key().to_string(),
    })
}

/// The keys of a verb's examples, as far as their inputs are valid.
fn example_vectors<'v>(verb: &'v Verb<'_>) -> impl Iterator<Item = Vector> + 'v {
    let examples = verb.file.examples.as_deref().unwrap_or_default();
    examples.iter().filter_map(|example| {
        let recipe = verb.key_recipe()?;
        if RuntimeCode::ALL.iter().any(|code| code.as_str() == example.expect.value) {
            return None;
        }
        let mut input = example.input.clone();
        let sent = serde_json::to_string(&input).ok()?;
        recipe.spell_target(&mut input);
        let keyed = Keyed::new(recipe, &input).ok()?;
        Some(Vector {
            verb: recipe.verb.clone(),
            own: true,
            target: keyed.target().to_owned(),
            input: sent,
            canonical: keyed.canonical_input(),
            key: keyed.key().to_string(),
        })
    })
}

/// A recipe that would move keys without a higher revision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MovedRecipe {
    /// The verb.
    pub verb: String,
    /// The recipe as it is locked.
    pub locked: VerbKeys,
    /// The recipe as the spec has it now.
    pub now: VerbKeys,
}

impl fmt::Display for MovedRecipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (locked, now) = (&self.locked, &self.now);
        write!(f, "  {} (locked at revision {}, now at {})", self.verb, locked.revision, now.revision)?;
        for (what, before, after) in differences(&locked.recipe, &now.recipe) {
            write!(f, "\n    {what}: {before} -> {after}")?;
        }
        Ok(())
    }
}

/// Every part in which two recipes differ, with its text before and after.
fn differences(before: &Recipe, after: &Recipe) -> Vec<(String, String, String)> {
    let mut all = Vec::new();
    let mut part = |what: String, before: Option<String>, after: Option<String>| {
        if before != after {
            let text = |side: Option<String>| side.unwrap_or_else(|| "none".to_owned());
            all.push((what, text(before), text(after)));
        }
    };
    part("verb".to_owned(), Some(before.verb.clone()), Some(after.verb.clone()));
    let target =
        |recipe: &Recipe| recipe.target.as_ref().and_then(|target| serde_json::to_string(target).ok());
    part("target".to_owned(), target(before), target(after));
    part("ignored".to_owned(), Some(before.ignored.join(" ")), Some(after.ignored.join(" ")));
    for at in before.defaults.keys().chain(after.defaults.keys()).collect::<BTreeSet<_>>() {
        part(format!("default of {at}"), before.defaults.get(at).cloned(), after.defaults.get(at).cloned());
    }
    for at in before.objects.keys().chain(after.objects.keys()).collect::<BTreeSet<_>>() {
        let object = |recipe: &Recipe| {
            let known = recipe.objects.get(at)?;
            Some(format!("{} [{}]", if known.closed { "closed" } else { "open" }, known.properties.join(" ")))
        };
        part(
            format!("properties of {}", if at.is_empty() { "the input" } else { at }),
            object(before),
            object(after),
        );
    }
    all
}

impl KeysFile {
    /// Keeps the locks of verbs that `previous` had and this file has not.
    pub(crate) fn keep_locks_of(&mut self, previous: KeysFile) {
        let old = previous.verbs.into_iter().chain(previous.gone);
        let gone = old.filter(|old| !self.verbs.iter().any(|verb| verb.verb == old.verb));
        self.gone = gone.collect();
        self.gone.sort_by(|a, b| a.verb.cmp(&b.verb));
    }

    /// The text of the file.
    pub(crate) fn file(&self) -> Result<GeneratedFile, GenerateError> {
        json_file("keys.json", self)
    }
}

/// Compares the recipes of `now` with those of the previous `keys.json`.
pub fn moved_recipes(locked: &KeysFile, now: &KeysFile) -> Vec<MovedRecipe> {
    let moved = now.verbs.iter().filter_map(|now| {
        let locked = locked.verbs.iter().chain(&locked.gone).find(|locked| locked.verb == now.verb)?;
        let allowed = now.revision > locked.revision
            || (now.revision == locked.revision && now.recipe.keeps_keys_of(&locked.recipe));
        (!allowed).then(|| MovedRecipe { verb: now.verb.clone(), locked: locked.clone(), now: now.clone() })
    });
    moved.collect()
}
