//! The bodies of checks: what implements a generated trait `Checks`.

use std::collections::BTreeMap;

use anyhow::Result;
use syn::visit::Visit;
use syn::{ImplItem, ItemImpl, ItemUse, UseTree};

/// The body of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Body {
    /// The module of the trait: that of a verb, or `checks`.
    pub(super) module: String,
    pub(super) check: String,
    /// Where it begins, behind its brace, in bytes.
    start: usize,
}

impl Body {
    pub(super) fn name(&self) -> String {
        format!("{}::{}", self.module, self.check)
    }
}

/// The bodies in a file, in their order.
pub(super) fn find(text: &str) -> Result<Vec<Body>> {
    let file = syn::parse_file(text)?;
    let mut uses = Uses::default();
    uses.visit_file(&file);
    let mut found = Found { uses, bodies: Vec::new() };
    found.visit_file(&file);
    Ok(found.bodies)
}

/// The file with bodies that answer `Ok(())` when the variable names them.
pub(super) fn chosen_by(variable: &str, text: &str, bodies: &[Body]) -> String {
    let mut changed = String::new();
    let mut rest = text;
    let mut at = 0;
    for body in bodies {
        let (before, after) = rest.split_at(body.start - at);
        let name = body.name();
        let asks = format!(
            " if ::std::env::var({variable:?}).is_ok_and(|chosen| chosen == {name:?}) {{ return Ok(()); }} "
        );
        changed.extend([before, &asks]);
        (rest, at) = (after, body.start);
    }
    changed + rest
}

/// The generated file with a compiled predicate that refuses nothing when the variable names it; `None` where there
/// is no such predicate.
pub(super) fn predicate_chosen_by(variable: &str, name: &str, text: &str, check: &str) -> Option<String> {
    let (before, found) = text.split_once(&format!("pub(super) fn {check}("))?;
    let (parameters, body) = found.split_once("-> bool {")?;
    let asks = format!(
        " if ::std::env::var({variable:?}).is_ok_and(|chosen| chosen == {name:?}) {{ return false; }} "
    );
    Some(format!("{before}pub(super) fn {check}({parameters}-> bool {{{asks}{body}"))
}

/// What names of a file stand for: the path that each was imported by.
#[derive(Default)]
struct Uses(BTreeMap<String, Vec<String>>);

impl Uses {
    fn add(&mut self, before: &[String], tree: &UseTree) {
        let path = |name: &syn::Ident| [before, &[name.to_string()]].concat();
        match tree {
            UseTree::Path(part) => self.add(&path(&part.ident), &part.tree),
            UseTree::Name(name) if name.ident == "self" => {
                self.0.extend(before.last().map(|last| (last.clone(), before.to_vec())));
            }
            UseTree::Name(name) => drop(self.0.insert(name.ident.to_string(), path(&name.ident))),
            UseTree::Rename(name) => drop(self.0.insert(name.rename.to_string(), path(&name.ident))),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.add(before, tree)),
            UseTree::Glob(_) => {}
        }
    }
}

impl<'ast> Visit<'ast> for Uses {
    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        self.add(&[], &item.tree);
    }
}

struct Found {
    uses: Uses,
    bodies: Vec<Body>,
}

impl<'ast> Visit<'ast> for Found {
    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        let Some((path, _)) = &item.trait_ else { return };
        let written: Vec<String> = path.segments.iter().map(|part| part.ident.to_string()).collect();
        let Some((first, rest)) = written.split_first() else { return };
        let whole = match self.uses.0.get(first) {
            Some(imported) => [&imported[..], rest].concat(),
            None => written,
        };
        let [.., module, name] = &whole[..] else { return };
        if name != "Checks" {
            return;
        }
        for item in &item.items {
            if let ImplItem::Fn(check) = item {
                let start = check.block.brace_token.span.open().byte_range().end;
                self.bodies.push(Body { module: module.clone(), check: check.sig.ident.to_string(), start });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_are_found_by_what_they_implement_and_ask_whether_they_are_chosen() {
        let text = "use crate::generated::{act, checks::{self as all, Checks as Shared}};\n\
                    impl Shared for W { fn a(x: &str) -> R { one(x) } }\n\
                    impl<W: World> act::Checks for W { fn b() -> R { { two() } } fn c() -> R { three() } }\n\
                    impl all::Other for W { fn d() -> R { four() } }\n\
                    impl W { fn e() -> R { five() } }\n";
        let found = find(text).unwrap();
        assert_eq!(found.iter().map(Body::name).collect::<Vec<_>>(), ["checks::a", "act::b", "act::c"]);
        let asks = |name: &str| {
            format!(
                " if ::std::env::var(\"V\").is_ok_and(|chosen| chosen == \"{name}\") {{ return Ok(()); }} "
            )
        };
        let expected = text
            .replace("{ one", &format!("{{{} one", asks("checks::a")))
            .replace("{ { two", &format!("{{{} {{ two", asks("act::b")))
            .replace("{ three", &format!("{{{} three", asks("act::c")));
        assert_eq!(chosen_by("V", text, &found), expected);
    }
}
