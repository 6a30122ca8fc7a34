//! Nobody gives a verb another order of checks.
//!
//! Refused with E0117.

use changes::generated::open_change::{self, Fact, Facts, Input, Output, Refusal};
use changes::{Desk, State};
use forecheck::{Class, Definition, FactUnavailable, Seen, Verdict};

impl forecheck::Verb for open_change::Verb<Desk> {
    type World = Desk;
    type Input = Input;
    type Output = Output;
    type Refusal = Refusal;
    type Facts = Facts;
    type Fact = Fact;

    const NAME: &'static str = "open_change";

    fn definition() -> &'static Definition {
        open_change::definition()
    }

    fn judge(_: Class, _: &Seen<Self>, _: &Facts) -> Verdict<Self> {
        Verdict::Clear
    }

    fn gather(_: Fact, _: &Seen<Self>, _: &mut Facts, _: &std::sync::Mutex<State>) -> Result<(), FactUnavailable> {
        Ok(())
    }
}
