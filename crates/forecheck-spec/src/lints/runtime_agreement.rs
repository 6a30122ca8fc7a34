//! `_common.schema.json` says what the runtime does: the spelling of a key, the statuses, the
//! members of a refusal.

use std::collections::BTreeSet;

use forecheck_contract::json::Node;
use forecheck_contract::key::{KEY_FORMULA, KEY_RECIPE};
use forecheck_contract::outcome::{Refusal, Status};

use crate::problem::{Lint, Location, Problem};
use crate::raw::RawSurface;
use crate::schema::ResourceId;
use crate::text::quoted;

/// The pattern of a key's text.
const KEY_PATTERN: &str = "^[0-9a-f]{64}$";

pub(crate) fn check(raw: &RawSurface<'_>, problems: &mut Vec<Problem>) {
    let common = raw.schema_files.iter().find(|(_, resource)| resource.id == ResourceId::Common);
    let Some((file, resource)) = common else { return };
    let definitions = resource.root.get("$defs");
    let mut disagree = |name: &str, says: &dyn Fn(&Node<'_>) -> bool, runtime: String| {
        let Some(node) = definitions.and_then(|definitions| definitions.get(name)) else { return };
        if !says(node) {
            let message = format!("{} disagrees with the runtime, which has {runtime}", quoted(name));
            problems.push(Problem::new(
                Lint::Common,
                Location { file: Some(*file), span: node.span },
                message,
            ));
        }
    };
    let recipe = format!("recipe {KEY_RECIPE}");
    let key = |node: &Node<'_>| {
        let text = node.get("description").and_then(Node::as_str).unwrap_or_default();
        let says = text.contains(KEY_FORMULA) && text.contains(&recipe);
        says && node.get("pattern").and_then(Node::as_str) == Some(KEY_PATTERN)
    };
    disagree("IdempotencyKey", &key, format!("{KEY_FORMULA}, {recipe}, and the pattern `{KEY_PATTERN}`"));
    let statuses = Status::ALL.map(Status::as_str);
    let same_statuses = |node: &Node<'_>| crate::instance::names_of(node, "enum").eq(statuses);
    disagree("Status", &same_statuses, format!("the statuses {}", statuses.join(", ")));
    let members = refusal_members();
    let same_members = |node: &Node<'_>| {
        let properties = node.get("properties").and_then(Node::as_object).unwrap_or_default();
        properties.iter().map(|member| member.name.to_string()).collect::<BTreeSet<_>>() == members
    };
    let listed = members.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
    disagree("Error", &same_members, format!("the members {listed}"));
}

fn refusal_members() -> BTreeSet<String> {
    let schema = schemars::schema_for!(Refusal);
    let properties = schema.get("properties").and_then(serde_json::Value::as_object);
    properties.into_iter().flat_map(|properties| properties.keys().cloned()).collect()
}
