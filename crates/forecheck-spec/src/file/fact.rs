//! `facts/FACT.schema.json`

use forecheck_contract::json::Node;
use forecheck_contract::resend::ChangedBy;
use schemars::JsonSchema;

use super::fields::ANNOTATIONS;
use super::verb::ANY;
use super::{AnySchema, Decoder, SchemaNode};
use crate::problem::Located;

/// One view of the environment, or of the caller, that checks may read.
#[derive(Debug, Clone, JsonSchema)]
#[schemars(rename = "Fact", deny_unknown_fields)]
pub struct FactFile<'s> {
    /// The name, spelled as a verb is; equal to the name of the file.
    #[schemars(extend("pattern" = "^[a-z][a-z0-9]*(_[a-z0-9]+)*$", "maxLength" = 128))]
    pub fact: Located<&'s str>,
    /// What it says.
    pub description: Option<&'s str>,
    /// What its gatherer needs: `target`, or input fields as JSON Pointers. A check that reads the
    /// fact reads these too.
    pub of: Option<Vec<Located<&'s str>>>,
    /// Whom it is about.
    pub source: Option<FactSource>,
    /// Who or what can change it.
    pub changed_by: Option<ChangedBy>,
    /// The JSON Schema of its value; any value where it is left out.
    #[schemars(with = "Option<AnySchema>")]
    pub schema: SchemaNode<'s>,
}

/// Whom a fact is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema)]
#[schemars(rename_all = "snake_case")]
pub enum FactSource {
    /// The environment.
    World,
    /// Whoever calls: principal, mode, an attached settlement.
    Caller,
}

impl<'s> FactFile<'s> {
    pub(crate) const KNOWN: [&'static str; 6] =
        ["fact", "description", "of", "source", "changed_by", "schema"];

    pub(crate) fn decode(decoder: &mut Decoder<'_>, node: &'s Node<'s>) -> Option<Self> {
        let known: Vec<&str> = Self::KNOWN.into_iter().chain(ANNOTATIONS).collect();
        let fields = decoder.object(node, "a fact", &known)?;
        let fact = fields.required_text(decoder, "fact");
        let description = fields.text(decoder, "description").map(|text| text.value);
        let of = fields.texts(decoder, "of");
        let source = fields.get("source").and_then(|node| {
            decoder.one_of(node, "`source`", &[("world", FactSource::World), ("caller", FactSource::Caller)])
        });
        let changed_by = fields.get("changed_by").and_then(|node| {
            let words = [
                ("agent", ChangedBy::Agent),
                ("user", ChangedBy::User),
                ("operator", ChangedBy::Operator),
                ("time", ChangedBy::Time),
            ];
            decoder.one_of(node, "`changed_by`", &words)
        });
        let schema = fields.get("schema").unwrap_or(&ANY);
        Some(FactFile { fact: fact?, description, of, source, changed_by, schema })
    }
}
