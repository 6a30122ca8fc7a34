//! No file, folder or module is named after the fact that its author found no name.

use syn::visit::{self, Visit};

use super::Hit;
use super::source::SourceFile;

const PILES: &[&str] = &["common", "helper", "helpers", "misc", "util", "utils"];

pub(super) fn check(file: &SourceFile) -> Vec<Hit> {
    let in_path = file.path().split('/').map(stem).filter(|name| is_pile(name)).map(|name| hit(1, name));
    let mut modules = Modules { hits: Vec::new() };
    if let Some(syntax) = file.syntax() {
        modules.visit_file(syntax);
    }
    in_path.chain(modules.hits).collect()
}

struct Modules {
    hits: Vec<Hit>,
}

impl<'ast> Visit<'ast> for Modules {
    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        let name = module.ident.to_string();
        if is_pile(&name) {
            self.hits.push(hit(module.ident.span().start().line, &name));
        }
        visit::visit_item_mod(self, module);
    }
}

fn stem(component: &str) -> &str {
    component.split('.').next().unwrap_or(component)
}

fn is_pile(name: &str) -> bool {
    PILES.contains(&name)
}

fn hit(line: usize, name: &str) -> Hit {
    Hit {
        line,
        remedy: format!(
            "`{name}` says nothing: name it after its responsibility, or move each item to its one user"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(path: &str, text: &str) -> Vec<usize> {
        let file = SourceFile::new(path, text.to_owned()).unwrap();
        check(&file).iter().map(|hit| hit.line).collect()
    }

    #[test]
    fn piles_are_found_in_paths_and_modules() {
        let rows = [
            ("a/utils.rs", "", vec![1]),
            ("a/helpers/key.rs", "", vec![1]),
            ("site/util.js", "", vec![1]),
            ("tests/common.rs", "", vec![1]),
            ("a.rs", "\nmod misc;\nmod key { mod helper {} }", vec![2, 3]),
        ];
        for (path, text, expected) in rows {
            assert_eq!(lines(path, text), expected, "{path}");
        }
    }

    #[test]
    fn names_that_only_contain_such_a_word_are_names() {
        assert!(lines("spec/_common.json", "").is_empty());
        assert!(lines("a/common_prefix.rs", "mod utilization;").is_empty());
    }
}
