//! Twins: every constraint of every verb, and how each comes to fail.

use std::collections::BTreeMap;

use forecheck_spec::surface::Surface;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::checks::{Check, Checks};
use super::docs::{inner_docs, outer_docs};
use super::modules::verb_module;

/// The module `twins`: a trait with one method for each code, and the list.
pub(super) fn twins(surface: &Surface<'_>, checks: &Checks<'_>) -> TokenStream {
    let mut by_code: BTreeMap<&str, &Check<'_>> = BTreeMap::new();
    let mut twins = Vec::new();
    for verb in &surface.verbs {
        let (name, acts) = (verb.name(), !verb.is_read_only());
        let module = format_ident!("{}", verb_module(verb));
        for check in checks.of_verb(name) {
            let code = check.code;
            let method = method(by_code.entry(code).or_insert(check));
            twins.push(quote! {
                Twin {
                    verb: #name,
                    code: #code,
                    break_it: |sandbox: &mut S| sandbox.#method(#name),
                    call: super::#module::call,
                    preflight: super::#module::preflight,
                    acts: #acts,
                }
            });
        }
    }
    let methods = by_code.values().map(|check| {
        let docs = outer_docs(&format!("`{}`: {}", check.code, check.docs));
        let method = method(check);
        quote!(#docs fn #method(&mut self, verb: &str);)
    });
    let docs = inner_docs("Every constraint, and how it comes to fail.");
    quote! {
        #docs
        use ::forecheck::conform::{Sandbox, Twin};
        /// One method for each code: makes its constraint, and no other, fail for the verb.
        pub trait Break: Sandbox<World: super::Surface> { #(#methods)* }
        /// Every constraint of every verb.
        pub fn all<S: Break>() -> Vec<Twin<S>> { Vec::from([#(#twins),*]) }
    }
}

fn method(check: &Check<'_>) -> Ident {
    format_ident!("break_{}", check.method)
}
