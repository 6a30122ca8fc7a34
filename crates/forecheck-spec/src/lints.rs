//! The rules that look at more than one file, or inside schemas.

pub(crate) mod agreement;
pub(crate) mod defaults;
pub(crate) mod examples;
pub(crate) mod facts;
pub(crate) mod fan_out;
pub(crate) mod idle;
pub(crate) mod ignored;
pub(crate) mod names;
pub(crate) mod predicates;
pub(crate) mod runtime_agreement;
pub(crate) mod schemas;
pub(crate) mod succession;
pub(crate) mod texts;
pub(crate) mod unused;
