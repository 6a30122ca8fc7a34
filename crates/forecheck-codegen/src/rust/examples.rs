//! Examples: every one of every verb, ready to be held against the checks.

use forecheck_contract::json::Node;
use forecheck_spec::file::Example;
use forecheck_spec::surface::{Surface, Verb};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::docs::inner_docs;
use super::modules::verb_module;
use crate::generator::GenerateError;

/// The module `examples`: the list.
pub(super) fn examples(surface: &Surface<'_>) -> Result<TokenStream, GenerateError> {
    let mut all = Vec::new();
    for verb in &surface.verbs {
        for (index, one) in verb.file.examples.iter().flatten().enumerate() {
            all.push(example(verb, index, one)?);
        }
    }
    let docs = inner_docs("Every example, and how it is held against the checks.");
    Ok(quote! {
        #docs
        use ::forecheck::conform::Example;
        /// Every example of every verb, to be judged by the checks of a world.
        pub fn all<W: super::Surface>() -> Vec<Example> { Vec::from([#(#all),*]) }
    })
}

fn example(verb: &Verb<'_>, index: usize, example: &Example<'_>) -> Result<TokenStream, GenerateError> {
    let (name, expect) = (verb.name(), example.expect.value);
    let title = example.title.map_or_else(|| format!("#{}", index + 1), str::to_owned);
    let input = text(example.input)?;
    let facts = match example.facts.map(text).transpose()? {
        Some(facts) => quote!(Some(#facts)),
        None => quote!(None),
    };
    let module = format_ident!("{}", verb_module(verb));
    Ok(quote! {
        Example {
            verb: #name,
            title: #title,
            input: #input,
            facts: #facts,
            expect: #expect,
            judge: ::forecheck::conform::judge::<super::#module::Verb<W>>,
        }
    })
}

fn text(node: &Node<'_>) -> Result<String, GenerateError> {
    let failed = |error: serde_json::Error| GenerateError {
        path: "examples.rs".to_owned(),
        reason: error.to_string(),
    };
    serde_json::to_string(node).map_err(failed)
}
