//! The functions with which generated types read JSON where serde alone would lose or refuse something.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::quote;

/// One of the functions, in the order in which they are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Function {
    /// An optional member: absent and `null` stay apart.
    Present,
    /// A required member that may be `null`.
    Required,
    /// An optional member with integers.
    PresentWhole,
    /// Integers in any spelling.
    Whole,
    /// The first variant that holds a value.
    Kept,
}

impl Function {
    fn text(self) -> TokenStream {
        match self {
            Function::Present => present(),
            Function::Required => required(),
            Function::PresentWhole => present_whole(),
            Function::Whole => whole_numbers(),
            Function::Kept => kept(),
        }
    }
}

/// Which of the functions of the module `reading` are used.
#[derive(Debug, Clone, Default)]
pub struct Reading {
    used: BTreeSet<Function>,
}

impl Reading {
    /// The path of a function, which is used from now on.
    pub(super) fn uses(&mut self, function: Function) -> &'static str {
        self.used.insert(function);
        match function {
            Function::Present => "super::reading::present",
            Function::Required => "super::reading::required",
            Function::PresentWhole => {
                self.used.insert(Function::Whole);
                "super::reading::present_whole"
            }
            Function::Whole => "super::reading::whole",
            Function::Kept => "super::reading::kept",
        }
    }

    /// Uses what `other` uses, too.
    pub fn extend(&mut self, other: &Reading) {
        self.used.extend(&other.used);
    }

    /// The functions, for a module `reading` beside the modules that use them; nothing when none does.
    pub fn module(&self) -> Option<TokenStream> {
        let functions = self.used.iter().map(|function| function.text());
        (!self.used.is_empty()).then(|| quote! { #(#functions)* })
    }
}

fn present() -> TokenStream {
    quote! {
        /// Reads an optional member that is there: `null` is a value then, not an absence.
        pub(super) fn present<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
        where
            D: serde::Deserializer<'de>,
            T: serde::Deserialize<'de>,
        {
            T::deserialize(deserializer).map(Some)
        }
    }
}

fn required() -> TokenStream {
    quote! {
        /// Reads a member that may be `null` but must be there.
        pub(super) fn required<'de, D, T>(deserializer: D) -> Result<T, D::Error>
        where
            D: serde::Deserializer<'de>,
            T: serde::Deserialize<'de>,
        {
            T::deserialize(deserializer)
        }
    }
}

fn present_whole() -> TokenStream {
    quote! {
        /// Reads an optional member that is there, with integers as in `whole`.
        pub(super) fn present_whole<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
        where
            D: serde::Deserializer<'de>,
            T: serde::de::DeserializeOwned,
        {
            whole(deserializer).map(Some)
        }
    }
}

fn whole_numbers() -> TokenStream {
    quote! {
        /// Reads integers in any spelling: to JSON Schema `1.0` and `1e3` are integers too.
        pub(super) fn whole<'de, D, T>(deserializer: D) -> Result<T, D::Error>
        where
            D: serde::Deserializer<'de>,
            T: serde::de::DeserializeOwned,
        {
            let mut value = <serde_json::Value as serde::Deserialize>::deserialize(deserializer)?;
            spell_whole(&mut value);
            T::deserialize(value).map_err(serde::de::Error::custom)
        }

        fn spell_whole(value: &mut serde_json::Value) {
            match value {
                serde_json::Value::Number(number) => {
                    if let Some(whole) = whole_number(number) {
                        *number = whole;
                    }
                }
                serde_json::Value::Array(items) => items.iter_mut().for_each(spell_whole),
                serde_json::Value::Object(members) => members.values_mut().for_each(spell_whole),
                serde_json::Value::Null | serde_json::Value::Bool(_) | serde_json::Value::String(_) => {}
            }
        }

        /// The integer that a floating point number is, where 64 bits hold it.
        fn whole_number(number: &serde_json::Number) -> Option<serde_json::Number> {
            let float = number.as_f64().filter(|float| number.is_f64() && float.fract() == 0.0)?;
            if (0.0..18_446_744_073_709_551_616.0).contains(&float) {
                Some(serde_json::Number::from(float as u64))
            } else if (-9_223_372_036_854_775_808.0..0.0).contains(&float) {
                Some(serde_json::Number::from(float as i64))
            } else {
                None
            }
        }
    }
}

fn kept() -> TokenStream {
    quote! {
        /// Reads a value as a type that holds all of it.
        pub(super) fn kept<T>(value: &serde_json::Value) -> Option<T>
        where
            T: serde::de::DeserializeOwned + serde::Serialize,
        {
            let read = T::deserialize(value).ok()?;
            let written = serde_json::to_value(&read).ok()?;
            (written == *value).then_some(read)
        }
    }
}
