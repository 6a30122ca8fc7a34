//! `retired.json`: codes and verbs that are gone.

use forecheck_contract::json::Node;
use forecheck_contract::table::Retired;

use super::Decoder;
use crate::problem::{Lint, Located, Location};

/// A code or a verb that is gone.
#[derive(Debug, Clone)]
pub struct RetiredEntry {
    /// What is published about it.
    pub entry: Retired,
    /// Where it stands.
    pub at: Location,
}

/// Decodes the array of the file.
pub(crate) fn decode_retired<'s>(decoder: &mut Decoder<'_>, node: &'s Node<'s>) -> Vec<RetiredEntry> {
    decoder.items(node, "retired.json").iter().filter_map(|item| decode_entry(decoder, item)).collect()
}

fn decode_entry<'s>(decoder: &mut Decoder<'_>, node: &'s Node<'s>) -> Option<RetiredEntry> {
    let fields =
        decoder.object(node, "a retired entry", &["code", "verb", "since", "note", "replaced_by"])?;
    let mut owned = |name| fields.text(decoder, name).map(|text: Located<&str>| text.value.to_owned());
    let (code, verb, note, replaced_by) = (owned("code"), owned("verb"), owned("note"), owned("replaced_by"));
    let since = fields.required_text(decoder, "since");
    if code.is_some() == verb.is_some() {
        decoder.report(Lint::WrongValue, node.span, "a retired entry names either a `code` or a `verb`");
    }
    let entry = Retired { code, verb, since: since?.value.to_owned(), note, replaced_by };
    Some(RetiredEntry { entry, at: decoder.at(node.span) })
}
