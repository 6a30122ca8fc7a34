//! All verbs of a surface behind one function.

use forecheck_spec::surface::{Surface, Verb};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::modules::verb_module;

/// The trait of a world that has every verb, and the functions that call a verb by its name.
pub(super) fn dispatch(surface: &Surface<'_>) -> TokenStream {
    let names: Vec<&str> = surface.verbs.iter().map(Verb::name).collect();
    let modules: Vec<_> = surface.verbs.iter().map(|verb| format_ident!("{}", verb_module(verb))).collect();
    let traits: Vec<TokenStream> = surface
        .verbs
        .iter()
        .zip(&modules)
        .map(
            |(verb, module)| {
                if verb.is_read_only() { quote!(#module::Answer) } else { quote!(#module::Effect) }
            },
        )
        .collect();
    quote! {
        /// A world that has every verb of the surface.
        pub trait Surface: ::forecheck::World #(+ #traits)* {}
        impl<W: ::forecheck::World #(+ #traits)*> Surface for W {}
        /// Calls a verb by its name; `None` where the surface has no such verb.
        pub fn call<W: Surface>(
            host: &::forecheck::Host<W>,
            verb: &str,
            text: &[u8],
        ) -> Option<::forecheck::outcome::Outcome> {
            match verb {
                #(#names => Some(#modules::call(host, text)),)*
                _ => None,
            }
        }
        /// Says what a call would come to, and does nothing; `None` where the surface has no such verb.
        pub fn preflight<W: Surface>(
            host: &::forecheck::Host<W>,
            verb: &str,
            text: &[u8],
        ) -> Option<::forecheck::outcome::Outcome> {
            match verb {
                #(#names => Some(#modules::preflight(host, text)),)*
                _ => None,
            }
        }
    }
}
