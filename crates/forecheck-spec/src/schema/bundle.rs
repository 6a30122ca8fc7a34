//! A schema with everything that it refers to in one document.

use std::collections::BTreeMap;

use forecheck_contract::json::{Node, Value as Json};
use forecheck_contract::pointer;
use serde_json::{Map, Value, json};

use super::keyword::{Holds, holds};
use super::{Place, Resource, ResourceId, Schemas};

/// `root` as a document of its own: what it refers to in shared resources stands under its `$defs`,
/// each place once.
pub fn bundle(schemas: &Schemas<'_>, root: &Node<'_>) -> Value {
    bundle_at(schemas, &Resource::own(root).place())
}

/// As [`bundle`], for a schema inside another one.
pub(crate) fn bundle_at<'s>(schemas: &Schemas<'s>, place: &Place<'s>) -> Value {
    let taken = definitions(place.node);
    let is_root = std::ptr::eq(place.node, place.resource.root);
    let mut bundler = Bundler { schemas, is_root, taken, shared: BTreeMap::new(), open: Vec::new() };
    let mut document = bundler.schema(place.resource, place.node);
    let mut added = Map::new();
    while let Some((name, place)) = bundler.open.pop() {
        let mut schema = bundler.schema(place.resource, place.node);
        if let Some(members) = schema.as_object_mut() {
            members.retain(|keyword, _| keyword != "$defs" && keyword != "$schema");
        }
        added.insert(name, schema);
    }
    if let (Some(document), false) = (document.as_object_mut(), added.is_empty()) {
        let definitions = document.entry("$defs").or_insert_with(|| json!({}));
        if let Some(definitions) = definitions.as_object_mut() {
            definitions.extend(added);
        }
    }
    document
}

fn definitions(root: &Node<'_>) -> Vec<String> {
    let members = root.get("$defs").and_then(Node::as_object).unwrap_or_default();
    members.iter().map(|member| member.name.clone().into_owned()).collect()
}

struct Bundler<'b, 's> {
    schemas: &'b Schemas<'s>,
    /// Whether the document is all of a resource of its own, so that references into it stay as they are.
    is_root: bool,
    /// Names under `$defs` that are not free.
    taken: Vec<String>,
    /// The name of each shared place.
    shared: BTreeMap<*const Node<'s>, String>,
    /// Shared places still to be copied.
    open: Vec<(String, Place<'s>)>,
}

impl<'s> Bundler<'_, 's> {
    fn schema(&mut self, resource: Resource<'s>, node: &'s Node<'s>) -> Value {
        let Some(members) = node.as_object() else { return value(node) };
        let copied = members.iter().map(|member| {
            let copy = match (holds(&member.name), &member.node.value) {
                (Some(Holds::Reference), Json::String(reference)) => self.reference(resource, reference),
                (Some(Holds::Schema), _) => self.schema(resource, &member.node),
                (Some(Holds::Schemas), Json::Array(items)) => {
                    items.iter().map(|item| self.schema(resource, item)).collect()
                }
                (Some(Holds::SchemaMap), Json::Object(schemas)) => Value::Object(
                    schemas
                        .iter()
                        .map(|each| (each.name.clone().into_owned(), self.schema(resource, &each.node)))
                        .collect(),
                ),
                _ => value(&member.node),
            };
            (member.name.clone().into_owned(), copy)
        });
        Value::Object(copied.collect())
    }

    fn reference(&mut self, resource: Resource<'s>, reference: &str) -> Value {
        let Ok(place) = self.schemas.resolve(resource, reference) else { return json!(reference) };
        if self.is_root && place.resource.id == ResourceId::Own {
            return json!(fragment(&place.pointer));
        }
        let name = match self.shared.get(&std::ptr::from_ref(place.node)) {
            Some(name) => name.clone(),
            None => self.name(place),
        };
        json!(fragment(&pointer::join("/$defs", &name)))
    }

    fn name(&mut self, place: Place<'s>) -> String {
        let document = match place.resource.id {
            ResourceId::Defs(name) => name,
            ResourceId::Common => "common",
            ResourceId::Own => "own",
        };
        let below = place.pointer.replace("/$defs/", ".").replace('/', ".");
        let mut name = format!("{document}{below}");
        while self.taken.contains(&name) {
            name.push('_');
        }
        self.taken.push(name.clone());
        self.shared.insert(std::ptr::from_ref(place.node), name.clone());
        self.open.push((name.clone(), place));
        name
    }
}

/// A pointer as the fragment of a URI (RFC 6901, section 6).
fn fragment(pointer: &str) -> String {
    let encoded = pointer.bytes().map(|byte| {
        if byte.is_ascii_alphanumeric() || b"/$-._~!&'()*+,;=:@?".contains(&byte) {
            char::from(byte).to_string()
        } else {
            format!("%{byte:02X}")
        }
    });
    std::iter::once("#".to_owned()).chain(encoded).collect()
}

fn value(node: &Node<'_>) -> Value {
    serde_json::to_value(node).unwrap_or(Value::Null)
}

#[cfg(test)]
mod tests {
    use forecheck_contract::json::{self, Limits};

    use super::*;

    #[test]
    fn shared_schemas_move_into_the_document() {
        let read = |text: &'static str| json::read(text.as_bytes(), Limits::SPEC).unwrap();
        let root = read(
            r##"{"properties": {"a": {"$ref": "../defs/repo.schema.json"}, "b": {"$ref": "#/$defs/repo"},
                "$ref": {"const": {"$ref": "data"}}}, "$defs": {"repo": {"type": "string"}}}"##,
        );
        let repo = read(
            r##"{"items": {"$ref": "#/$defs/Name"}, "$defs": {"Name": {"items": {"$ref": "repo.schema.json"}}}}"##,
        );
        let schemas = Schemas { common: None, defs: BTreeMap::from([("repo", &repo)]) };
        let expected = json!({
            "properties": {
                "a": {"$ref": "#/$defs/repo_"},
                "b": {"$ref": "#/$defs/repo"},
                "$ref": {"const": {"$ref": "data"}},
            },
            "$defs": {
                "repo": {"type": "string"},
                "repo_": {"items": {"$ref": "#/$defs/repo.Name"}},
                "repo.Name": {"items": {"$ref": "#/$defs/repo_"}},
            },
        });
        assert_eq!(bundle(&schemas, &root), expected);
    }
}
