//! The functions with which generated types read JSON where serde alone would lose or refuse something.

use proc_macro2::TokenStream;
use quote::quote;

/// Which of the functions a module uses.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Reading {
    /// An optional member: absent and `null` stay apart.
    pub(super) present: bool,
    /// A required member that may be `null`.
    pub(super) required: bool,
    /// Integers in any spelling.
    pub(super) whole: bool,
    /// An optional member with integers.
    pub(super) present_whole: bool,
    /// The first variant that holds a value.
    pub(super) kept: bool,
}

impl Reading {
    /// The private module with the functions; nothing when none is used.
    pub(super) fn module(self) -> TokenStream {
        let whole = self.whole || self.present_whole;
        let functions = [
            (self.present, present()),
            (self.required, required()),
            (self.present_whole, present_whole()),
            (whole, whole_numbers()),
            (self.kept, kept()),
        ];
        let used: Vec<TokenStream> =
            functions.into_iter().filter_map(|(used, function)| used.then_some(function)).collect();
        if used.is_empty() {
            return TokenStream::new();
        }
        quote! {
            /// How members are read where JSON Schema and serde differ.
            mod reading {
                #(#used)*
            }
        }
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
