//! Why a verb refuses a call, as an enum.

use std::collections::BTreeMap;

use forecheck_spec::surface::{Constraint, Verb};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::docs::outer_docs;

/// The enum of a verb's refusals, in the order in which its constraints are evaluated.
pub(super) fn refusal(verb: &Verb<'_>, variants: &BTreeMap<&str, Ident>) -> TokenStream {
    let arms: Vec<Arm<'_>> =
        verb.constraints.iter().filter_map(|constraint| Arm::of(constraint, variants)).collect();
    let variants = arms.iter().map(Arm::declaration);
    let codes = arms.iter().map(Arm::code);
    let details = arms.iter().map(Arm::details);
    let (code, name, details) = if arms.is_empty() {
        (quote!(match *self {}), quote!(match *self {}), quote!(match *self {}))
    } else {
        (
            quote!(match self { #(#codes,)* }),
            quote!(Refusal::code(self).as_str()),
            quote!(match self { #(#details,)* }),
        )
    };
    quote! {
        /// Why a call is refused, in the order in which it is checked.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Refusal { #(#variants,)* }
        impl Refusal {
            /// The code to emit.
            pub const fn code(&self) -> super::codes::Code { #code }
        }
        impl forecheck::Refusing for Refusal {
            fn code(&self) -> &'static str { #name }
            fn details(&self) -> Result<Option<serde_json::Value>, serde_json::Error> { #details }
        }
    }
}

/// One variant of a refusal enum.
struct Arm<'v> {
    variant: &'v Ident,
    docs: TokenStream,
    has_details: bool,
}

impl<'v> Arm<'v> {
    fn of(constraint: &Constraint<'_>, variants: &'v BTreeMap<&str, Ident>) -> Option<Arm<'v>> {
        let text = constraint.description();
        let docs = outer_docs(if text.is_empty() { "No description." } else { &text });
        let has_details = constraint.file.details.is_some();
        Some(Arm { variant: variants.get(constraint.code())?, docs, has_details })
    }

    fn declaration(&self) -> TokenStream {
        let Arm { variant, docs, has_details } = self;
        let details = has_details.then(|| quote!((super::details::#variant)));
        quote!(#docs #variant #details)
    }

    fn code(&self) -> TokenStream {
        let Arm { variant, has_details, .. } = self;
        let ignored = has_details.then(|| quote!((_)));
        quote!(Refusal::#variant #ignored => super::codes::Code::#variant)
    }

    fn details(&self) -> TokenStream {
        let variant = self.variant;
        if self.has_details {
            quote!(Refusal::#variant(details) => serde_json::to_value(details).map(Some))
        } else {
            quote!(Refusal::#variant => Ok(None))
        }
    }
}
