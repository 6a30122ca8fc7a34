//! Numbers: RFC 8259, section 6.

use super::super::{MAX_SAFE_INTEGER, Number};
use super::{ReadProblemKind, Reader, Step, span};

impl<const TRACK: bool> Reader<'_, TRACK> {
    pub(super) fn number(&mut self) -> Step<Number> {
        let start = self.at;
        let negative = self.take(b'-');
        let mut digits = Digits::default();
        self.whole_part(&mut digits)?;
        if !matches!(self.peek(), Some(b'.' | b'e' | b'E')) {
            return Ok(self.integer(start, negative, digits.value()));
        }
        let exponent = self.fraction_and_exponent(&mut digits)?;
        match exponent.and_then(|exponent| digits.exact_double(exponent)) {
            Some(double) => Ok(Number::Float(if negative { -double } else { double })),
            None => Ok(self.double(start)),
        }
    }

    fn whole_part(&mut self, digits: &mut Digits) -> Step<()> {
        let start = self.at;
        self.digits(digits)?;
        if self.at - start > 1 && self.text.as_bytes().get(start) == Some(&b'0') {
            self.at = start + 1;
            return self.fail_syntax("a number without a leading zero");
        }
        Ok(())
    }

    /// The power of ten that the digits stand for, if it is small.
    fn fraction_and_exponent(&mut self, digits: &mut Digits) -> Step<Option<i32>> {
        let mut exponent = Some(0);
        if self.take(b'.') {
            let start = self.at;
            self.digits(digits)?;
            exponent = i32::try_from(self.at - start).ok().map(|length| -length);
        }
        if self.take(b'e') || self.take(b'E') {
            let mut written = Digits::default();
            let negative = !self.take(b'+') && self.take(b'-');
            self.digits(&mut written)?;
            let written = written.value().and_then(|value| i32::try_from(value).ok());
            exponent = exponent.zip(written).and_then(|(fraction, written)| {
                fraction.checked_add(if negative { -written } else { written })
            });
        }
        Ok(exponent)
    }

    fn digits(&mut self, digits: &mut Digits) -> Step<()> {
        let start = self.at;
        while let Some(byte @ b'0'..=b'9') = self.peek() {
            digits.push(byte - b'0');
            self.at += 1;
        }
        if self.at == start {
            return self.fail_syntax("a digit");
        }
        Ok(())
    }

    fn integer(&mut self, start: usize, negative: bool, magnitude: Option<u64>) -> Number {
        if self.limits.safe_integers && magnitude.is_none_or(|n| n > MAX_SAFE_INTEGER) {
            self.report(ReadProblemKind::UnsafeInteger, span(start, self.at));
            return Number::Unsigned(0);
        }
        // Only a double can hold the sign of `-0`.
        match magnitude {
            Some(n) if !negative => Number::Unsigned(n),
            Some(n) if n > 0 => {
                0_i64.checked_sub_unsigned(n).map_or_else(|| self.double(start), Number::Signed)
            }
            _ => self.double(start),
        }
    }

    fn double(&mut self, start: usize) -> Number {
        match self.since(start).parse::<f64>() {
            Ok(n) if n.is_finite() => Number::Float(n),
            _ => {
                self.report(ReadProblemKind::NumberOverflow, span(start, self.at));
                Number::Unsigned(0)
            }
        }
    }
}

/// Digits as a number.
#[derive(Default)]
struct Digits {
    value: u64,
    /// Whether 64 bits cannot hold it.
    beyond: bool,
}

impl Digits {
    fn push(&mut self, digit: u8) {
        if self.value <= u64::MAX / 16 {
            self.value = self.value * 10 + u64::from(digit);
        } else {
            self.push_near_the_end(digit);
        }
    }

    #[cold]
    fn push_near_the_end(&mut self, digit: u8) {
        let more = self.value.checked_mul(10).and_then(|value| value.checked_add(u64::from(digit)));
        self.beyond |= more.is_none();
        self.value = more.unwrap_or(u64::MAX);
    }

    fn value(&self) -> Option<u64> {
        (!self.beyond).then_some(self.value)
    }

    /// The nearest double, where one operation on two exact doubles makes it: the number is at most 2^53 - 1 and
    /// the power of ten at most 10^22 (Clinger's fast path).
    #[expect(clippy::cast_precision_loss, reason = "the comparison before the cast makes it exact")]
    fn exact_double(&self, exponent: i32) -> Option<f64> {
        const POWERS: [f64; 23] = [
            1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
            1e18, 1e19, 1e20, 1e21, 1e22,
        ];
        let value = self.value().filter(|value| *value <= MAX_SAFE_INTEGER)? as f64;
        let power = POWERS.get(exponent.unsigned_abs() as usize)?;
        Some(if exponent < 0 { value / power } else { value * power })
    }
}
