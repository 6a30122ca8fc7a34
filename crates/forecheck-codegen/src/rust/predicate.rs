//! A predicate as a Rust function. It owns control flow, pointers and literals, and calls the operators of
//! `forecheck::predicate`, so that it and the interpreter there are two ways to one answer.

use forecheck_contract::predicate::{
    Each, Literal, Operand, Pattern, Predicate, Reference, fact_and_pointer,
};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use serde_json::Value;

/// A predicate, compiled.
#[derive(Debug)]
pub struct Compiled {
    /// The function: `pub(super) fn NAME(input: &Value, FACT: &Value, ...) -> bool`; true refuses. It
    /// also refuses when one of its patterns cannot be compiled, which a checked surface has none of.
    pub body: TokenStream,
    /// The names of the facts that the function takes after the input, in their order.
    pub facts: Vec<String>,
}

/// Compiles `predicate` to a function called `name`.
pub fn compiled(name: &Ident, predicate: &Predicate) -> Compiled {
    let uses = predicate.reads();
    let facts: Vec<String> = uses.facts.iter().map(|&fact| fact.to_owned()).collect();
    let parameters = facts.iter().map(|fact| fact_parameter(fact));
    let input = if uses.input.is_empty() { format_ident!("_input") } else { format_ident!("input") };
    let mut writer = Writer::default();
    let condition = writer.condition(predicate, true, 0);
    let Writer { statics, guards, .. } = writer;
    let body = quote! {
        pub(super) fn #name(#input: &serde_json::Value, #(#parameters: &serde_json::Value),*) -> bool {
            #(#statics)*
            #(#guards)*
            #condition
        }
    };
    Compiled { body, facts }
}

/// What stands before the condition as it is written.
#[derive(Default)]
struct Writer {
    statics: Vec<TokenStream>,
    guards: Vec<TokenStream>,
    count: usize,
}

impl Writer {
    /// The condition that `predicate` is `truth`, inside `depth` of `all` and `any`. A `not` turns the truth
    /// of what is in it, so that only comparisons are negated.
    fn condition(&mut self, predicate: &Predicate, truth: bool, depth: usize) -> TokenStream {
        let comparison = match predicate {
            Predicate::Present(of) => call("present", &[reference(of, depth)]),
            Predicate::Absent(of) => call("absent", &[reference(of, depth)]),
            Predicate::Eq(one, other) => self.binary("eq", one, other, depth),
            Predicate::Ne(one, other) => self.binary("ne", one, other, depth),
            Predicate::In(one, other) => self.binary("is_in", one, other, depth),
            Predicate::StartsWith(one, other) => self.binary("starts_with", one, other, depth),
            Predicate::PathWithin(one, other) => self.binary("path_within", one, other, depth),
            Predicate::Gt(one, other) => self.binary("gt", one, other, depth),
            Predicate::Lt(one, other) => self.binary("lt", one, other, depth),
            Predicate::SizeGt(one, other) => self.binary("size_gt", one, other, depth),
            Predicate::SizeLt(one, other) => self.binary("size_lt", one, other, depth),
            Predicate::Matches(one, pattern) => {
                let operands = [self.operand(one, depth), self.pattern(pattern)];
                call("matches", &operands)
            }
            Predicate::All(each) => return self.each(each, truth, truth, depth),
            Predicate::Any(each) => return self.each(each, !truth, truth, depth),
            Predicate::And(all) => return self.connected(all, truth, truth, depth),
            Predicate::Or(all) => return self.connected(all, !truth, truth, depth),
            Predicate::Not(inner) => return self.condition(inner, !truth, depth),
        };
        if truth { comparison } else { quote!(!#comparison) }
    }

    fn binary(&mut self, operator: &str, one: &Operand, other: &Operand, depth: usize) -> TokenStream {
        let operands = [self.operand(one, depth), self.operand(other, depth)];
        call(operator, &operands)
    }

    /// That the condition is `truth` for each item, or for one. Of no array neither `all` nor `any` holds.
    fn each(&mut self, each: &Each, for_all: bool, truth: bool, depth: usize) -> TokenStream {
        let items = call("items", &[self.operand(&each.of, depth)]);
        let of_no_array = if truth { quote!(is_some_and) } else { quote!(is_none_or) };
        let quantifier = if for_all { quote!(all) } else { quote!(any) };
        let item = if reads_item(&each.holds) { item(depth) } else { format_ident!("_") };
        let condition = self.condition(&each.holds, truth, depth + 1);
        quote!(#items.#of_no_array(|items| items.iter().#quantifier(|#item| #condition)))
    }

    /// That each of the conditions is `truth`, or one of them.
    fn connected(&mut self, all: &[Predicate], each: bool, truth: bool, depth: usize) -> TokenStream {
        let conditions = all.iter().map(|one| {
            let condition = self.condition(one, truth, depth);
            if all.len() > 1 && is_connected(one) { quote!((#condition)) } else { condition }
        });
        let connective = if each { quote!(&&) } else { quote!(||) };
        let connected = conditions.reduce(|before, next| quote!(#before #connective #next));
        connected.unwrap_or_else(|| quote!(#each))
    }

    fn operand(&mut self, operand: &Operand, depth: usize) -> TokenStream {
        match operand {
            Operand::Reference(of) => reference(of, depth),
            Operand::Literal(of) => self.literal(of),
        }
    }

    fn literal(&mut self, literal: &Literal) -> TokenStream {
        let name = self.fresh("LITERAL");
        let value = value(literal.as_value());
        self.statics.push(quote! {
            static #name: std::sync::LazyLock<serde_json::Value> = std::sync::LazyLock::new(|| #value);
        });
        quote!(Some(&*#name))
    }

    /// A pattern that cannot be compiled refuses the call at once: as an operand it could end up under a `not`.
    fn pattern(&mut self, pattern: &Pattern) -> TokenStream {
        let name = self.fresh("PATTERN");
        let local = format_ident!("{}", name.to_string().to_lowercase());
        let text = pattern.as_str();
        self.statics.push(quote! {
            static #name: std::sync::LazyLock<Option<forecheck::predicate::Pattern>> =
                std::sync::LazyLock::new(|| forecheck::predicate::Pattern::new(#text).ok());
        });
        self.guards.push(quote! {
            let Some(#local) = &*#name else { return true };
        });
        quote!(#local)
    }

    fn fresh(&mut self, kind: &str) -> Ident {
        self.count += 1;
        format_ident!("{kind}_{}", self.count)
    }
}

fn call(operator: &str, operands: &[TokenStream]) -> TokenStream {
    let operator = format_ident!("{operator}");
    quote!(forecheck::predicate::#operator(#(#operands),*))
}

fn reference(reference: &Reference, depth: usize) -> TokenStream {
    match reference {
        Reference::Input(at) => pointed(&format_ident!("input"), at),
        Reference::Item(at) => match depth.checked_sub(1) {
            Some(depth) => pointed(&item(depth), at),
            None => quote!(None),
        },
        Reference::Fact(fact) => {
            let (name, at) = fact_and_pointer(fact);
            pointed(&fact_parameter(name), at)
        }
    }
}

fn pointed(root: &Ident, at: &str) -> TokenStream {
    if at.is_empty() { quote!(Some(#root)) } else { quote!(#root.pointer(#at)) }
}

fn item(depth: usize) -> Ident {
    format_ident!("item_{depth}")
}

/// No name of a fact makes a keyword, or one of the other names, with this behind it.
fn fact_parameter(fact: &str) -> Ident {
    Ident::new(&format!("{fact}_fact"), Span::call_site())
}

fn value(value: &Value) -> TokenStream {
    match value {
        // INVARIANT: a literal is no object and holds none.
        Value::Null | Value::Object(_) => quote!(serde_json::Value::Null),
        Value::Array(items) => {
            let items = items.iter().map(self::value);
            quote!(serde_json::Value::Array(vec![#(#items),*]))
        }
        Value::Bool(truth) => quote!(serde_json::Value::Bool(#truth)),
        Value::String(text) => quote!(serde_json::Value::from(#text)),
        Value::Number(number) => {
            let whole = number.as_u64().map(|whole| quote!(#whole));
            let whole = whole.or_else(|| number.as_i64().map(|whole| quote!(#whole)));
            let number = whole.or_else(|| number.as_f64().map(|double| quote!(#double)));
            quote!(serde_json::Value::from(#number))
        }
    }
}

/// Whether its condition is written as several with a connective between them.
fn is_connected(predicate: &Predicate) -> bool {
    match predicate {
        Predicate::And(all) | Predicate::Or(all) if all.len() > 1 => true,
        Predicate::All(_) | Predicate::Any(_) => false,
        _ => predicate.inner().into_iter().any(|(_, inner)| is_connected(inner)),
    }
}

/// Whether a condition looks at the item that it is about.
fn reads_item(predicate: &Predicate) -> bool {
    let is_item = |operand: &Operand| matches!(operand, Operand::Reference(Reference::Item(_)));
    let in_operands = predicate.operands().into_iter().any(|(_, operand)| is_item(operand));
    in_operands
        || match predicate {
            Predicate::Present(of) | Predicate::Absent(of) => matches!(of, Reference::Item(_)),
            Predicate::All(_) | Predicate::Any(_) => false,
            _ => predicate.inner().into_iter().any(|(_, inner)| reads_item(inner)),
        }
}
