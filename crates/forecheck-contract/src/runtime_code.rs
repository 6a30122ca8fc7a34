//! The codes that a runtime raises itself, for every surface, beside the constraints of its verbs.
//!
//! A surface cannot use these names for its own constraints (dialect, "Precedence").

use serde::{Deserialize, Serialize};

use crate::resend::Resend;

macro_rules! runtime_codes {
    ($($variant:ident $code:literal $resend:ident $description:literal $help:literal;)+) => {
        /// A refusal that no verb declares, because every verb can answer with it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
        pub enum RuntimeCode {
            $(#[doc = $description] #[serde(rename = $code)] $variant,)+
        }

        impl RuntimeCode {
            /// All of them, in the order in which a runtime raises them.
            pub const ALL: &[RuntimeCode] = &[$(RuntimeCode::$variant),+];

            /// The code as it is emitted and published.
            pub const fn as_str(self) -> &'static str {
                match self { $(RuntimeCode::$variant => $code),+ }
            }

            /// The condition under which it is raised.
            pub const fn description(self) -> &'static str {
                match self { $(RuntimeCode::$variant => $description),+ }
            }

            /// What mends it.
            pub const fn help(self) -> &'static str {
                match self { $(RuntimeCode::$variant => $help),+ }
            }

            /// Whether it is raised for an input alone, before any check.
            pub const fn is_about_input(self) -> bool {
                !matches!(self, RuntimeCode::FactUnavailable | RuntimeCode::LedgerUnavailable)
            }

            /// What resending can do. It follows from what the runtime looks at before it raises
            /// the code: the input alone, only what lies outside it, or both.
            pub const fn resend(self) -> Resend {
                match self { $(RuntimeCode::$variant => Resend::$resend),+ }
            }
        }
    };
}

runtime_codes! {
    InputTooLarge "INPUT_TOO_LARGE" ChangeInput
        "The input is longer than the 1 MiB that a call may have."
        "Send less, or send a path or a handle instead of the content.";
    InputNotJson "INPUT_NOT_JSON" ChangeInput
        "The input is not a JSON text."
        "Send one JSON value in UTF-8 without a byte order mark.";
    InputInvalidUnicode "INPUT_INVALID_UNICODE" ChangeInput
        "The input holds bytes that are not UTF-8 or half of a surrogate pair."
        "Send whole characters.";
    InputTooDeep "INPUT_TOO_DEEP" ChangeInput
        "The input nests arrays and objects deeper than 64."
        "Send a flatter value.";
    InputDuplicateKey "INPUT_DUPLICATE_KEY" ChangeInput
        "An object in the input has two members of one name."
        "Send each member once.";
    InputNumberUnsafe "INPUT_NUMBER_UNSAFE" ChangeInput
        "The input holds an integer beyond 2^53 - 1 either way, or a number that no double can hold."
        "Send large identifiers as strings.";
    SchemaInvalid "SCHEMA_INVALID" ChangeInput
        "The input does not fit the verb's input schema."
        "Mend every violation that the refusal lists, then send the call.";
    TargetInvalid "TARGET_INVALID" ChangeInput
        "The target holds a vertical bar, nothing is left of it in its one spelling, or it has no one spelling."
        "Name the target as the surface spells it.";
    FactUnavailable "FACT_UNAVAILABLE" Either
        "A fact that a check reads could not be gathered, for the input or for the world that it is gathered from."
        "Mend what the refusal names, then send the call.";
    LedgerUnavailable "LEDGER_UNAVAILABLE" SameInput
        "The record of calls could not be read or written, so nothing was done."
        "Mend what the refusal names, then send the identical call.";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_one_word_in_every_place() {
        for &code in RuntimeCode::ALL {
            let json = serde_json::to_value(code).unwrap();
            assert_eq!(json, serde_json::json!(code.as_str()));
            assert_eq!(serde_json::from_value::<RuntimeCode>(json).unwrap(), code);
        }
    }
}
