//! Texts of a spec as documentation.

use proc_macro2::TokenStream;
use quote::quote;

use super::types::docs::prose;

/// Text as the documentation of the module around it.
pub(super) fn inner_docs(text: &str) -> TokenStream {
    let lines = prose(text).into_iter().map(|line| format!(" {line}"));
    quote!(#(#![doc = #lines])*)
}

/// Text as the documentation of the item after it.
pub(super) fn outer_docs(text: &str) -> TokenStream {
    let lines = prose(text).into_iter().map(|line| format!(" {line}"));
    quote!(#(#[doc = #lines])*)
}
