//! Not even the crate that holds the generated code gives a verb another order of checks.
//!
//! Refused with E0119.

#[path = "../src/generated/mod.rs"]
pub mod generated;

use forecheck::{Class, Definition, FactUnavailable, Seen, Verdict, World};
use generated::set_mode::{self, Fact, Facts, Input, Refusal};

impl<W: World + generated::checks::Checks + generated::facts::Gather> forecheck::Verb for set_mode::Verb<W> {
    type World = W;
    type Input = Input;
    type Output = serde_json::Value;
    type Refusal = Refusal;
    type Facts = Facts;
    type Fact = Fact;

    const NAME: &'static str = "set_mode";

    fn definition() -> &'static Definition {
        set_mode::definition()
    }

    fn judge(_: Class, _: &Seen<Self>, _: &Facts) -> Verdict<Self> {
        Verdict::Clear
    }

    fn gather(_: Fact, _: &Seen<Self>, _: &mut Facts, _: &W::Read) -> Result<(), FactUnavailable> {
        Ok(())
    }
}
