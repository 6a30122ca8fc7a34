//! Numbers: RFC 8259, section 6.

use super::super::{MAX_SAFE_INTEGER, Number};
use super::{ReadProblemKind, Reader, Step, span};

impl<const TRACK: bool> Reader<'_, TRACK> {
    pub(super) fn number(&mut self) -> Step<Number> {
        let start = self.at;
        let negative = self.take(b'-');
        let magnitude = self.magnitude()?;
        if !matches!(self.peek(), Some(b'.' | b'e' | b'E')) {
            return Ok(self.integer(start, negative, magnitude));
        }
        self.fraction_and_exponent()?;
        Ok(self.double(start))
    }

    /// The digits before fraction and exponent; `None` for a value beyond 64 bits.
    fn magnitude(&mut self) -> Step<Option<u64>> {
        let digits = self.rest();
        let length = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let magnitude = digits.iter().take(length).try_fold(0_u64, |magnitude, digit| {
            magnitude.checked_mul(10)?.checked_add(u64::from(digit - b'0'))
        });
        match digits {
            _ if length == 0 => self.fail_syntax("a digit"),
            [b'0', ..] if length > 1 => {
                self.at += 1;
                self.fail_syntax("a number without a leading zero")
            }
            _ => {
                self.at += length;
                Ok(magnitude)
            }
        }
    }

    fn fraction_and_exponent(&mut self) -> Step<()> {
        if self.take(b'.') {
            self.digits()?;
        }
        if self.take(b'e') || self.take(b'E') {
            if !self.take(b'+') {
                self.take(b'-');
            }
            self.digits()?;
        }
        Ok(())
    }

    fn digits(&mut self) -> Step<()> {
        let length = self.rest().iter().take_while(|byte| byte.is_ascii_digit()).count();
        if length == 0 {
            return self.fail_syntax("a digit");
        }
        self.at += length;
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
