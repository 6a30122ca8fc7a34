//! `surface.json`

use forecheck_contract::json::{Node, Value};
use forecheck_contract::pointer;
use forecheck_contract::spelling::SpellingStep;
use schemars::JsonSchema;

use super::Decoder;
use super::fields::ANNOTATIONS;
use crate::problem::{Lint, Located};

/// A surface: all verbs of one folder.
#[derive(Debug, Clone, JsonSchema)]
#[schemars(rename = "Surface", deny_unknown_fields)]
pub struct SurfaceFile<'s> {
    /// Its name.
    pub name: Located<&'s str>,
    /// Its version; `0.0.0` where it is left out.
    pub version: Option<&'s str>,
    /// What it is for, in a sentence.
    pub description: Option<&'s str>,
    /// Where its site is published.
    pub base_url: Option<&'s str>,
    /// What every verb acts on.
    pub target: Option<SurfaceTarget<'s>>,
}

/// What every verb of a surface acts on.
#[derive(Debug, Clone, JsonSchema)]
#[schemars(rename = "Target", deny_unknown_fields)]
pub struct SurfaceTarget<'s> {
    /// The pointer of a required string in every verb's input.
    pub pointer: Located<&'s str>,
    /// The steps from any spelling to the one that is checked, hashed and executed.
    pub spelling: Option<Vec<SpellingStep>>,
}

impl<'s> SurfaceFile<'s> {
    pub(crate) const KNOWN: [&'static str; 5] = ["name", "version", "description", "base_url", "target"];

    pub(crate) fn decode(decoder: &mut Decoder<'_>, node: &'s Node<'s>) -> Option<Self> {
        let known: Vec<&str> = Self::KNOWN.into_iter().chain(ANNOTATIONS).collect();
        let fields = decoder.object(node, "surface.json", &known)?;
        let name = fields.required_text(decoder, "name");
        if let Some(name) = name.filter(|name| name.value.trim().is_empty()) {
            decoder.report(Lint::WrongValue, name.at.span, "`name` must not be empty");
        }
        let mut text = |name| fields.text(decoder, name).map(|text| text.value);
        let (version, description, base_url) = (text("version"), text("description"), text("base_url"));
        let target = fields.get("target").and_then(|node| SurfaceTarget::decode(decoder, node));
        Some(SurfaceFile { name: name?, version, description, base_url, target })
    }
}

impl<'s> SurfaceTarget<'s> {
    fn decode(decoder: &mut Decoder<'_>, node: &'s Node<'s>) -> Option<Self> {
        let fields = decoder.object(node, "`target`", &["pointer", "spelling"])?;
        let pointer = fields.required_text(decoder, "pointer");
        let spelling = fields.get("spelling").map(|node| {
            let items = decoder.items(node, "`spelling`");
            items.iter().filter_map(|item| decode_step(decoder, item)).collect()
        });
        let pointer = pointer?;
        if pointer.value.is_empty() || pointer::tokens(pointer.value).is_none() {
            let message = "`pointer` must be the JSON Pointer of a field";
            decoder.report_with_help(
                Lint::WrongValue,
                pointer.at.span,
                message,
                "write it as `/target_repo`",
            );
            return None;
        }
        Some(SurfaceTarget { pointer, spelling })
    }
}

fn decode_step(decoder: &mut Decoder<'_>, node: &Node<'_>) -> Option<SpellingStep> {
    let step = match &node.value {
        Value::String(word) => match &**word {
            "trim" => Some(SpellingStep::Trim),
            "lower_case" => Some(SpellingStep::LowerCase),
            "strip_slash" => Some(SpellingStep::StripSlash),
            "strip_git" => Some(SpellingStep::StripGit),
            _ => None,
        },
        Value::Object(members) => match members.as_slice() {
            [only] if only.name == "strip_url" => only
                .node
                .as_str()
                .filter(|host| !host.is_empty())
                .map(|host| SpellingStep::StripUrl(host.to_owned())),
            _ => None,
        },
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => None,
    };
    if step.is_none() {
        let known =
            r#"the steps are "trim", "lower_case", {"strip_url": "HOST"}, "strip_slash" and "strip_git""#;
        decoder.report_with_help(Lint::WrongValue, node.span, "not a step of `spelling`", known);
    }
    step
}
