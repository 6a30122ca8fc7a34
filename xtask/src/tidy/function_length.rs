//! A function ends on the screen it started on: at most 70 lines from `fn` to its closing brace.

use syn::visit::{self, Visit};

use super::Hit;
use super::exception::{Exception, Measured, judge};
use super::source::SourceFile;

const LIMIT: usize = 70;

const EXCEPTIONS: &[Exception] = &[];

pub(super) fn check(file: &SourceFile) -> Vec<Hit> {
    let mut functions = Functions { path: file.path(), hits: Vec::new() };
    if let Some(syntax) = file.syntax() {
        functions.visit_file(syntax);
    }
    functions.hits
}

struct Functions<'a> {
    path: &'a str,
    hits: Vec<Hit>,
}

impl Functions<'_> {
    fn measure(&mut self, signature: &syn::Signature, body: &syn::Block) {
        let first = signature.fn_token.span.start().line;
        let last = body.brace_token.span.close().end().line;
        let name = signature.ident.to_string();
        let measured = Measured { path: self.path, item: &name, line: first, length: last + 1 - first };
        let remedy = format!("split `{name}` into steps with names, or list it with a reason");
        self.hits.extend(judge(&measured, LIMIT, EXCEPTIONS, &remedy));
    }
}

impl<'ast> Visit<'ast> for Functions<'_> {
    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        self.measure(&function.sig, &function.block);
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        self.measure(&function.sig, &function.block);
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_trait_item_fn(&mut self, function: &'ast syn::TraitItemFn) {
        if let Some(body) = &function.default {
            self.measure(&function.sig, body);
        }
        visit::visit_trait_item_fn(self, function);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of the hits when a function of `length` lines stands where `FUNCTION` is.
    fn lines(place: &str, length: usize) -> Vec<usize> {
        let function = format!("fn f() {{{}}}", "\n".repeat(length - 1));
        let text = place.replace("FUNCTION", &function);
        let file = SourceFile::new("a.rs", text).unwrap();
        check(&file).iter().map(|hit| hit.line).collect()
    }

    #[test]
    fn every_kind_of_function_is_measured() {
        let rows = [
            ("\nFUNCTION", 2),
            ("struct S;\nimpl S {\n    FUNCTION\n}", 3),
            ("trait T {\n    FUNCTION\n}", 2),
            ("mod m {\n    mod n {\n        FUNCTION\n    }\n}", 3),
            ("/// Doc comments do not count.\nFUNCTION", 2),
        ];
        for (place, line) in rows {
            assert_eq!(lines(place, 71), [line], "{place}");
            assert!(lines(place, 70).is_empty(), "{place}");
        }
    }

    #[test]
    fn a_function_in_a_function_is_measured_with_it_and_alone() {
        assert_eq!(lines("fn outer() {\n    FUNCTION\n}", 71), [1, 2]);
        assert_eq!(lines("fn outer() {\n    FUNCTION\n}", 69), [1]);
    }
}
