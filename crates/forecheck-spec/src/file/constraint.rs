//! `constraints/CODE.json`, and the same object inside a verb.

use forecheck_contract::json::Node;
use forecheck_contract::predicate::Predicate;
use forecheck_contract::table::Deprecated;
use schemars::JsonSchema;

use super::predicate::RefuseWhen;
use super::{AnySchema, Decoder, SchemaNode};
use crate::problem::{Lint, Located};

/// A named precondition of a verb.
#[derive(Debug, Clone, JsonSchema)]
#[schemars(rename = "Constraint", deny_unknown_fields)]
pub struct ConstraintFile<'s> {
    /// The bare name that is emitted and published: `[A-Z][A-Z0-9_]*[A-Z0-9]`, at most 128
    /// characters, never reused.
    #[schemars(extend("pattern" = "^[A-Z][A-Z0-9_]*[A-Z0-9]$", "maxLength" = 128))]
    pub code: Located<&'s str>,
    /// The condition in plain text, not the remedy.
    pub description: Option<Located<&'s str>>,
    /// The remedy.
    pub help: Option<&'s str>,
    /// What the check may look at: `target`, `input` or single fields as JSON Pointers, facts by
    /// name. Left out: what `refuse_when` reads; without it everything, published as undeclared.
    pub reads: Option<Vec<Located<&'s str>>>,
    /// Whether it is checked even for a repeat, before the ledger is asked.
    pub policy: Option<bool>,
    /// Pointers into the input that the refusal is about.
    pub subject: Option<Vec<Located<&'s str>>>,
    /// The JSON Schema of the values that a refusal carries; every property is required.
    #[schemars(with = "Option<AnySchema>")]
    pub details: Option<SchemaNode<'s>>,
    /// The condition itself: true refuses. The check is made from it, and there is none to write.
    #[schemars(with = "Option<Predicate>")]
    pub refuse_when: Option<RefuseWhen<'s>>,
    /// The version of the surface that introduced it.
    pub since: Option<&'s str>,
    /// That it is going away.
    pub deprecated: Option<Deprecated>,
    /// Related codes.
    pub see: Option<Vec<Located<&'s str>>>,
    /// The identifier in generated code, where the one made from the code would clash.
    #[schemars(rename = "x-name")]
    pub x_name: Option<Located<&'s str>>,
}

impl<'s> ConstraintFile<'s> {
    pub(crate) const KNOWN: [&'static str; 12] = [
        "code",
        "description",
        "help",
        "reads",
        "policy",
        "subject",
        "details",
        "since",
        "deprecated",
        "see",
        "x-name",
        "refuse_when",
    ];

    /// Decodes a constraint; `None` where it has no code.
    pub(crate) fn decode(decoder: &mut Decoder<'_>, node: &'s Node<'s>, known: &[&str]) -> Option<Self> {
        let fields = decoder.object(node, "a constraint", known)?;
        let code = fields.required_text(decoder, "code");
        let description = fields.text(decoder, "description");
        let help = fields.text(decoder, "help").map(|text| text.value);
        let reads = fields.texts(decoder, "reads");
        let policy = fields.flag(decoder, "policy");
        let subject = fields.pointers(decoder, "subject");
        let since = fields.text(decoder, "since").map(|text| text.value);
        let deprecated = fields.deprecated(decoder);
        let see = fields.texts(decoder, "see");
        let x_name = fields.text(decoder, "x-name");
        let details = fields.get("details");
        let stated = node.member("refuse_when");
        if let (Some(stated), Some(_)) = (stated, details) {
            decoder.report_with_help(
                Lint::PredicateDetails,
                stated.name_span,
                "a constraint with `refuse_when` carries no `details`: nobody would fill them in",
                "leave one of the two out",
            );
        }
        let refuse_when = stated.and_then(|member| RefuseWhen::decode(decoder, &member.node));
        Some(ConstraintFile {
            code: code?,
            description,
            help,
            reads,
            policy,
            subject,
            details,
            refuse_when,
            since,
            deprecated,
            see,
            x_name,
        })
    }

    /// Every name of something that the check reads: those in `reads`, and those in the predicate.
    pub(crate) fn named_reads(&self) -> Vec<Located<&'s str>> {
        let of_predicate = self.refuse_when.iter().flat_map(RefuseWhen::named_reads);
        self.reads.iter().flatten().copied().chain(of_predicate).collect()
    }
}
