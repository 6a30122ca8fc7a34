//! The contract between a surface, its callers and its runtimes: pure, without IO.
//!
//! A call is [read strictly](json::read), projected by its [recipe](recipe::Recipe), written
//! [canonically](canonical) and hashed into its [key](key::Key). What a refusal means for a
//! resend is [derived](resend) from what its check reads; the published table is made of
//! [rows](table), and every call ends in one [outcome](outcome::Outcome).

#[cfg(feature = "validate")]
pub mod admission;
pub mod applicator;
pub mod canonical;
pub mod definition;
pub mod instant;
pub mod json;
pub mod key;
pub mod outcome;
pub mod pointer;
pub mod predicate;
pub mod recipe;
pub mod resend;
pub mod runtime_code;
mod scan;
pub mod spelling;
pub mod table;
#[cfg(feature = "validate")]
pub mod validator;
pub mod window;
