//! JSON Schemas as a surface uses them: several small resources that refer to each other.
//!
//! An input, an output, a `details` and a fact's `schema` are each a resource of their own;
//! `_common.schema.json` and the files under `defs/` are shared ones. A `$ref` names a place in its
//! own resource (`#/...`), in `_common.schema.json#/...`, or in `../defs/NAME.schema.json#/...`.

pub mod bundle;
pub(crate) mod keyword;

use std::borrow::Cow;
use std::collections::BTreeMap;

use forecheck_contract::json::Node;

/// Which resource a schema belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ResourceId<'s> {
    /// The schema that is being looked at: an input, an output, a `details`, a fact's `schema`.
    Own,
    /// `verbs/_common.schema.json`
    Common,
    /// `defs/NAME.schema.json`
    Defs(&'s str),
}

/// A resource and its root.
#[derive(Debug, Clone, Copy)]
pub struct Resource<'s> {
    /// Which one it is.
    pub id: ResourceId<'s>,
    /// The schema at its root.
    pub root: &'s Node<'s>,
}

impl<'s> Resource<'s> {
    /// A resource of its own: an input, an output, a `details`, a fact's `schema`.
    pub fn own(root: &'s Node<'s>) -> Self {
        Resource { id: ResourceId::Own, root }
    }

    /// The place at its root.
    pub fn place(self) -> Place<'s> {
        Place { resource: self, pointer: String::new(), node: self.root }
    }
}

/// A schema inside a resource.
#[derive(Debug, Clone)]
pub struct Place<'s> {
    /// The resource.
    pub resource: Resource<'s>,
    /// The pointer from the root of the resource.
    pub pointer: String,
    /// The schema.
    pub node: &'s Node<'s>,
}

/// A [`Place`] as a `$ref` names it.
#[derive(Debug)]
pub(crate) struct Target<'r, 's> {
    pub(crate) resource: Resource<'s>,
    pub(crate) pointer: Cow<'r, str>,
    pub(crate) node: &'s Node<'s>,
}

/// Two places are one when they are the same value of the same text.
impl PartialEq for Place<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.node, other.node)
    }
}

impl<'s> Place<'s> {
    /// The place of a sub-schema: `tokens` from here.
    #[must_use]
    pub fn child(&self, tokens: &[&str], node: &'s Node<'s>) -> Place<'s> {
        let pointer = tokens
            .iter()
            .fold(self.pointer.clone(), |at, token| forecheck_contract::pointer::join(&at, token));
        Place { resource: self.resource, pointer, node }
    }
}

/// Why a `$ref` leads nowhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefError {
    /// It names a document that is no part of a surface, or lies outside its folder.
    Outside,
    /// It names a file that the surface does not have.
    NoSuchDocument,
    /// The document has no value there.
    NoSuchPlace,
    /// The part after `#` is an anchor, not a JSON Pointer.
    Anchor,
}

/// The shared resources of a surface.
#[derive(Debug, Clone, Default)]
pub struct Schemas<'s> {
    /// `verbs/_common.schema.json`, where there is one.
    pub common: Option<&'s Node<'s>>,
    /// The files under `defs/`, by NAME.
    pub defs: BTreeMap<&'s str, &'s Node<'s>>,
}

impl<'s> Schemas<'s> {
    /// Follows `reference` from a schema in `from`.
    ///
    /// # Errors
    /// [`RefError`] when it leads nowhere.
    pub fn resolve(&self, from: Resource<'s>, reference: &str) -> Result<Place<'s>, RefError> {
        let Target { resource, pointer, node } = self.follow(from, reference)?;
        Ok(Place { resource, pointer: pointer.into_owned(), node })
    }

    /// What [`resolve`](Self::resolve) finds, with a pointer that is borrowed where it can be.
    pub(crate) fn follow<'r>(
        &self,
        from: Resource<'s>,
        reference: &'r str,
    ) -> Result<Target<'r, 's>, RefError> {
        let (document, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let resource = self.document(from, document)?;
        let pointer = percent_decoded(fragment).ok_or(RefError::NoSuchPlace)?;
        if !pointer.is_empty() && !pointer.starts_with('/') {
            return Err(RefError::Anchor);
        }
        let node = resource.root.at(&pointer).ok_or(RefError::NoSuchPlace)?;
        Ok(Target { resource, pointer, node })
    }

    fn document(&self, from: Resource<'s>, document: &str) -> Result<Resource<'s>, RefError> {
        let in_defs = matches!(from.id, ResourceId::Defs(_));
        let name = match document.strip_suffix(".schema.json") {
            None if document.is_empty() => return Ok(from),
            None => return Err(RefError::Outside),
            Some("_common") if !in_defs => return self.common_resource(),
            Some("../verbs/_common") => return self.common_resource(),
            Some(path) => match path.strip_prefix("../defs/") {
                Some(name) => name,
                None if in_defs => path.strip_prefix("./").unwrap_or(path),
                None => return Err(RefError::Outside),
            },
        };
        if name.contains('/') {
            return Err(RefError::Outside);
        }
        let (name, root) = self.defs.get_key_value(name).ok_or(RefError::NoSuchDocument)?;
        Ok(Resource { id: ResourceId::Defs(name), root })
    }

    fn common_resource(&self) -> Result<Resource<'s>, RefError> {
        let root = self.common.ok_or(RefError::NoSuchDocument)?;
        Ok(Resource { id: ResourceId::Common, root })
    }
}

/// A URI fragment as the text it stands for; `None` when an escape is broken.
fn percent_decoded(fragment: &str) -> Option<Cow<'_, str>> {
    if !fragment.contains('%') {
        return Some(Cow::Borrowed(fragment));
    }
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte == b'%' {
            let (digits, after) = rest.split_at_checked(2)?;
            bytes.push(u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?);
            rest = after;
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok().map(Cow::Owned)
}

#[cfg(test)]
mod tests {
    use forecheck_contract::json::{self, Limits};

    use super::*;

    fn node(text: &'static str) -> Node<'static> {
        json::read(text.as_bytes(), Limits::SPEC).unwrap()
    }

    #[test]
    fn references_stay_inside_the_surface() {
        let input = node(r#"{"properties": {"a b": {"x": {}}}, "$defs": {"a/b": {}}}"#);
        let common = node(r#"{"$defs": {"Status": {}}}"#);
        let repo = node(r#"{"$defs": {"Name": {}}}"#);
        let schemas = Schemas { common: Some(&common), defs: BTreeMap::from([("repo", &repo)]) };
        let own = Resource::own(&input);
        let defs = Resource { id: ResourceId::Defs("repo"), root: &repo };
        let check = |from, reference: &str, expected: Result<(ResourceId<'_>, &str), RefError>| {
            let found = schemas.resolve(from, reference).map(|place| (place.resource.id, place.pointer));
            assert_eq!(found, expected.map(|(id, at)| (id, at.to_owned())), "{reference}");
        };
        check(own, "#", Ok((ResourceId::Own, "")));
        check(own, "#/$defs/a~1b", Ok((ResourceId::Own, "/$defs/a~1b")));
        check(own, "#/properties/a%20b/x", Ok((ResourceId::Own, "/properties/a b/x")));
        check(own, "_common.schema.json#/$defs/Status", Ok((ResourceId::Common, "/$defs/Status")));
        check(own, "../defs/repo.schema.json", Ok((ResourceId::Defs("repo"), "")));
        check(defs, "repo.schema.json#/$defs/Name", Ok((ResourceId::Defs("repo"), "/$defs/Name")));
        check(defs, "../verbs/_common.schema.json#/$defs/Status", Ok((ResourceId::Common, "/$defs/Status")));
        check(own, "#/$defs/none", Err(RefError::NoSuchPlace));
        check(own, "#%2", Err(RefError::NoSuchPlace));
        check(own, "#name", Err(RefError::Anchor));
        check(own, "../defs/none.schema.json", Err(RefError::NoSuchDocument));
        check(own, "../defs/../../etc.schema.json", Err(RefError::Outside));
        check(own, "other.schema.json", Err(RefError::Outside));
        check(own, "https://example.com/x.schema.json", Err(RefError::Outside));
    }
}
