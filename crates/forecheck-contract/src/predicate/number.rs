//! The order of numbers by value: exact, where rounding one to the kind of the other would not be.

use std::cmp::Ordering;

use serde_json::Number;

/// A number as it was written: whole, or with a part behind the point.
enum Exact {
    Whole(i128),
    Double(f64),
}

/// How `one` compares with `other`; `None` for a number that is neither an integer of 64 bits nor a
/// double.
pub(super) fn compare(one: &Number, other: &Number) -> Option<Ordering> {
    match (exact(one)?, exact(other)?) {
        (Exact::Whole(one), Exact::Whole(other)) => Some(one.cmp(&other)),
        (Exact::Double(one), Exact::Double(other)) => one.partial_cmp(&other),
        (Exact::Whole(one), Exact::Double(other)) => Some(whole_with_double(one, other)),
        (Exact::Double(one), Exact::Whole(other)) => Some(whole_with_double(other, one).reverse()),
    }
}

fn exact(number: &Number) -> Option<Exact> {
    let whole = number.as_u64().map(i128::from).or_else(|| number.as_i64().map(i128::from));
    whole.map(Exact::Whole).or_else(|| number.as_f64().map(Exact::Double))
}

/// The cast keeps every double between -2^127 and 2^127 exact up to its fraction, and takes what
/// lies beyond to the ends, which no integer of 64 bits reaches.
#[expect(clippy::cast_possible_truncation, reason = "the fraction is looked at afterwards")]
fn whole_with_double(whole: i128, double: f64) -> Ordering {
    let by_fraction = || 0.0.partial_cmp(&double.fract()).unwrap_or(Ordering::Equal);
    whole.cmp(&(double.trunc() as i128)).then_with(by_fraction)
}
