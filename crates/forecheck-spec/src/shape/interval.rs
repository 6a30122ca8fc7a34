//! Where a number lies.

use forecheck_contract::predicate::{eq, gt, lt};
use serde_json::Value;

/// An end of an interval.
#[derive(Debug, Clone)]
pub(crate) struct Bound {
    /// The number.
    pub(crate) value: Value,
    /// Whether the number itself lies outside.
    pub(crate) is_open: bool,
}

/// The numbers between two ends, of which either may be missing.
#[derive(Debug, Clone, Default)]
pub(crate) struct Interval {
    low: Option<Bound>,
    high: Option<Bound>,
}

impl Interval {
    pub(crate) fn from_zero() -> Interval {
        Interval { low: Some(Bound { value: Value::from(0), is_open: false }), high: None }
    }

    /// Leaves out what lies below a bound.
    pub(crate) fn raise(&mut self, bound: Bound) {
        if self.low.as_ref().is_none_or(|low| is_tighter(&bound, low, gt)) {
            self.low = Some(bound);
        }
    }

    /// Leaves out what lies above a bound.
    pub(crate) fn lower(&mut self, bound: Bound) {
        if self.high.as_ref().is_none_or(|high| is_tighter(&bound, high, lt)) {
            self.high = Some(bound);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        let Some((low, high)) = self.low.as_ref().zip(self.high.as_ref()) else { return false };
        let touches = eq(Some(&low.value), Some(&high.value));
        gt(Some(&low.value), Some(&high.value)) || touches && (low.is_open || high.is_open)
    }

    pub(crate) fn holds(&self, number: &Value) -> bool {
        let mut point = self.clone();
        point.raise(Bound { value: number.clone(), is_open: false });
        point.lower(Bound { value: number.clone(), is_open: false });
        !point.is_empty()
    }
}

type Compare = fn(Option<&Value>, Option<&Value>) -> bool;

fn is_tighter(bound: &Bound, than: &Bound, beyond: Compare) -> bool {
    let (one, other) = (Some(&bound.value), Some(&than.value));
    beyond(one, other) || bound.is_open && !than.is_open && eq(one, other)
}
