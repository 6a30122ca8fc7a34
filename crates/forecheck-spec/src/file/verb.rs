//! `verbs/VERB.schema.json`

pub use forecheck_contract::definition::Repeat;
use forecheck_contract::json::{Node, Span, Value};
use forecheck_contract::table::Deprecated;
use schemars::JsonSchema;

use super::fields::{ANNOTATIONS, Fields};
use super::{AnySchema, ConstraintFile, Decoder, SchemaNode};
use crate::problem::{Lint, Located};

/// One operation that an agent can call.
#[derive(Debug, Clone, JsonSchema)]
#[schemars(rename = "Verb", deny_unknown_fields)]
pub struct VerbFile<'s> {
    /// The name: `[a-z][a-z0-9]*(_[a-z0-9]+)*`, at most 128 characters; equal to the name of the
    /// file.
    #[schemars(extend("pattern" = "^[a-z][a-z0-9]*(_[a-z0-9]+)*$", "maxLength" = 128))]
    pub verb: Located<&'s str>,
    /// The recipe of the key is this revision's; from 2 on it is part of the key. Default 1.
    #[schemars(range(min = 1))]
    pub revision: Option<Located<u64>>,
    /// What it does, in one line.
    pub summary: Option<&'s str>,
    /// What it does, in Markdown.
    pub description: Option<&'s str>,
    /// The version of the surface that introduced it.
    pub since: Option<&'s str>,
    /// That it is going away.
    pub deprecated: Option<Deprecated>,
    /// What it does to the world: empty for a read-only verb, left out where it is unknown.
    pub effects: Option<Vec<Effect<'s>>>,
    /// What a repeat of a call that succeeded does. Default `skip`.
    pub repeat: Option<Located<Repeat>>,
    /// Whether calls on one target are serialised.
    pub exclusive: Option<bool>,
    /// How long a success is remembered, as an ISO 8601 duration; default for ever.
    pub window: Option<&'s str>,
    /// The name of a read-only look that tells whether the effect of a call in doubt took place.
    pub probe: Option<Located<&'s str>>,
    /// How long a call has to be in doubt before a probe that finds no trace of its effect is believed, as an
    /// ISO 8601 duration; required with a probe.
    pub settle_after: Option<&'s str>,
    /// `null` for a verb without the surface's target.
    #[schemars(rename = "target", with = "Option<()>")]
    pub without_target: Option<()>,
    /// The JSON Schema (2020-12) of the input.
    #[schemars(with = "AnySchema")]
    pub input: SchemaNode<'s>,
    /// The JSON Schema (2020-12) of the output.
    #[schemars(with = "Option<AnySchema>")]
    pub output: Option<SchemaNode<'s>>,
    /// The preconditions, or names of shared ones, in the order in which they are evaluated.
    pub constraints: Vec<ConstraintEntry<'s>>,
    /// Calls and what they answer.
    pub examples: Option<Vec<Example<'s>>>,
    /// The name of the MCP tool, for a verb whose own is too long.
    pub tool_name: Option<&'s str>,
    /// The identifier in generated code, where the one made from the verb would clash.
    #[schemars(rename = "x-name")]
    pub x_name: Option<Located<&'s str>>,
}

/// What a verb does to the world.
#[derive(Debug, Clone, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Effect<'s> {
    /// A word for it, such as `write` or `delete`.
    pub kind: &'s str,
    /// What it is done to.
    pub target: Option<&'s str>,
    /// Whether it can be undone.
    pub reversible: Option<bool>,
    /// Whether it only adds.
    pub additive: Option<bool>,
}

/// A precondition of a verb: written out, or the name of a shared one.
#[derive(Debug, Clone, JsonSchema)]
#[schemars(untagged)]
pub enum ConstraintEntry<'s> {
    /// The name of a file under `constraints/`.
    Shared(Located<&'s str>),
    /// Written out.
    Own(Box<ConstraintFile<'s>>),
}

/// A call and what it answers.
#[derive(Debug, Clone, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Example<'s> {
    /// What it shows.
    pub title: Option<&'s str>,
    /// The input that is sent.
    #[schemars(with = "serde_json::Value")]
    pub input: &'s Node<'s>,
    /// The facts at that time, by name: those that the verb's checks read, and `now` as an RFC 3339 text.
    /// Without them the example says nothing of the world.
    #[schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")]
    pub facts: Option<&'s Node<'s>>,
    /// The status or the code that it answers.
    pub expect: Located<&'s str>,
}

/// The schema of a verb whose input is missing, so that its other problems are found, too.
pub(super) static ANY: Node<'static> = Node { span: Span { start: 0, end: 0 }, value: Value::Bool(true) };

impl<'s> VerbFile<'s> {
    pub(crate) const KNOWN: [&'static str; 19] = [
        "verb",
        "revision",
        "summary",
        "description",
        "since",
        "deprecated",
        "effects",
        "repeat",
        "exclusive",
        "window",
        "probe",
        "settle_after",
        "target",
        "input",
        "output",
        "constraints",
        "examples",
        "tool_name",
        "x-name",
    ];

    pub(crate) fn decode(decoder: &mut Decoder<'_>, node: &'s Node<'s>) -> Option<Self> {
        let known: Vec<&str> = Self::KNOWN.into_iter().chain(ANNOTATIONS).collect();
        let fields = decoder.object(node, "a verb", &known)?;
        let verb = fields.required_text(decoder, "verb");
        let input = fields.required(decoder, "input");
        let constraints =
            fields.required(decoder, "constraints").map(|node| decode_constraints(decoder, node));
        let mut text = |name| fields.text(decoder, name).map(|text| text.value);
        let (summary, description, since) = (text("summary"), text("description"), text("since"));
        let tool_name = text("tool_name");
        let mut duration =
            |name| fields.get(name).and_then(|node| decoder.duration(node, &format!("`{name}`")));
        let (window, settle_after) = (duration("window"), duration("settle_after"));
        Some(VerbFile {
            revision: decode_revision(decoder, &fields),
            summary,
            description,
            since,
            deprecated: fields.deprecated(decoder),
            effects: fields.get("effects").map(|node| decode_effects(decoder, node)),
            repeat: decode_repeat(decoder, &fields),
            exclusive: fields.flag(decoder, "exclusive"),
            window,
            probe: fields.text(decoder, "probe"),
            settle_after,
            without_target: decode_target(decoder, &fields),
            output: fields.get("output"),
            examples: fields.get("examples").map(|node| decode_examples(decoder, node)),
            tool_name,
            x_name: fields.text(decoder, "x-name"),
            verb: verb?,
            input: input.unwrap_or(&ANY),
            constraints: constraints.unwrap_or_default(),
        })
    }
}

fn decode_constraints<'s>(decoder: &mut Decoder<'_>, node: &'s Node<'s>) -> Vec<ConstraintEntry<'s>> {
    let items = decoder.items(node, "`constraints`");
    let entry = |item: &'s Node<'s>| match item.as_str() {
        Some(value) => Some(ConstraintEntry::Shared(Located { value, at: decoder.at(item.span) })),
        None => ConstraintFile::decode(decoder, item, &ConstraintFile::KNOWN)
            .map(|own| ConstraintEntry::Own(Box::new(own))),
    };
    items.iter().filter_map(entry).collect()
}

fn decode_revision(decoder: &mut Decoder<'_>, fields: &Fields<'_>) -> Option<Located<u64>> {
    let node = fields.get("revision")?;
    let value = node.as_number().and_then(forecheck_contract::json::Number::as_u64).filter(|n| *n >= 1);
    if value.is_none() {
        decoder.report(Lint::WrongValue, node.span, "`revision` must be a whole number from 1 on");
    }
    value.map(|value| Located { value, at: decoder.at(node.span) })
}

fn decode_effects<'s>(decoder: &mut Decoder<'_>, node: &'s Node<'s>) -> Vec<Effect<'s>> {
    let items = decoder.items(node, "`effects`");
    let mut effects = Vec::new();
    for item in items {
        let known = ["kind", "target", "reversible", "additive"];
        let Some(fields) = decoder.object(item, "an effect", &known) else { continue };
        let kind = fields.required_text(decoder, "kind");
        let target = fields.text(decoder, "target").map(|text| text.value);
        let (reversible, additive) = (fields.flag(decoder, "reversible"), fields.flag(decoder, "additive"));
        effects.extend(kind.map(|kind| Effect { kind: kind.value, target, reversible, additive }));
    }
    effects
}

fn decode_repeat(decoder: &mut Decoder<'_>, fields: &Fields<'_>) -> Option<Located<Repeat>> {
    let node = fields.get("repeat")?;
    let words = [Repeat::Skip, Repeat::Run, Repeat::Intent].map(|repeat| (repeat.as_str(), repeat));
    let value = decoder.one_of(node, "`repeat`", &words)?;
    Some(Located { value, at: decoder.at(node.span) })
}

fn decode_target(decoder: &mut Decoder<'_>, fields: &Fields<'_>) -> Option<()> {
    let node = fields.get("target")?;
    if node.value == Value::Null {
        return Some(());
    }
    decoder.report_with_help(
        Lint::WrongValue,
        node.span,
        "in a verb, `target` can only be null",
        "what all verbs act on is said once, in surface.json",
    );
    None
}

fn decode_examples<'s>(decoder: &mut Decoder<'_>, node: &'s Node<'s>) -> Vec<Example<'s>> {
    let items = decoder.items(node, "`examples`");
    let mut examples = Vec::new();
    for item in items {
        let Some(fields) = decoder.object(item, "an example", &["title", "input", "facts", "expect"]) else {
            continue;
        };
        let title = fields.text(decoder, "title").map(|text| text.value);
        let (input, expect) = (fields.required(decoder, "input"), fields.required_text(decoder, "expect"));
        let facts = fields.get("facts");
        examples.extend(input.zip(expect).map(|(input, expect)| Example { title, input, facts, expect }));
    }
    examples
}
