//! The text of an instant: an RFC 3339 `date-time`, as the fact `now` is written in an example.

use std::fmt;

use jiff::Timestamp;

/// Why a text is no instant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoInstant(String);

impl fmt::Display for NoInstant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NoInstant {}

/// The instant that a text names.
///
/// # Errors
/// [`NoInstant`] for what is no RFC 3339 `date-time`, or names a day or a time that there is not.
pub fn parse(text: &str) -> Result<Timestamp, NoInstant> {
    let no_instant = |why: &str| NoInstant(format!("{text:?} is no RFC 3339 date and time: {why}"));
    if !has_shape(text.as_bytes()) {
        return Err(no_instant("it is not written like `2026-01-31T12:00:00Z`"));
    }
    text.parse().map_err(|error: jiff::Error| no_instant(&error.to_string()))
}

/// Whether the letters stand where RFC 3339 has them: the library reads more.
fn has_shape(text: &[u8]) -> bool {
    let Some((moment, rest)) = text.split_at_checked(b"0000-00-00T00:00:00".len()) else { return false };
    let zone = match rest.strip_prefix(b".") {
        Some(fraction) => {
            let digits = fraction.iter().take_while(|byte| byte.is_ascii_digit()).count();
            fraction.get(digits..).filter(|_| digits > 0)
        }
        None => Some(rest),
    };
    let is_zone = |zone: &[u8]| like(zone, b"Z") || like(zone, b"+00:00") || like(zone, b"-00:00");
    like(moment, b"0000-00-00T00:00:00") && zone.is_some_and(is_zone)
}

/// Whether a text is like a pattern, in which `0` stands for any digit.
fn like(text: &[u8], pattern: &[u8]) -> bool {
    let fits = |(byte, of): (&u8, &u8)| {
        if *of == b'0' { byte.is_ascii_digit() } else { byte.eq_ignore_ascii_case(of) }
    };
    text.len() == pattern.len() && text.iter().zip(pattern).all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_rfc_3339_and_nothing_else() {
        let check = |text: &str, milliseconds: i64| {
            assert_eq!(parse(text), Ok(Timestamp::from_millisecond(milliseconds).unwrap()), "{text}");
        };
        check("1970-01-01T00:00:00Z", 0);
        check("1970-01-01t00:01:00.5z", 60_500);
        check("1970-01-02T01:00:00+01:00", 86_400_000);
        check("1970-01-01T00:00:00-00:30", 1_800_000);
        for text in [
            "",
            "0",
            "1970-01-01",
            "1970-01-01T00:00Z",
            "1970-01-01T00:00:00",
            "1970-01-01 00:00:00Z",
            "1970-01-01T00:00:00.Z",
            "1970-01-01T00:00:00+0100",
            "1970-01-01T00:00:00Z[UTC]",
            "1970-02-30T00:00:00Z",
            "1970-01-01T24:00:00Z",
            "19700101T000000Z",
            "１970-01-01T00:00:00Z",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
