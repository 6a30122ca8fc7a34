//! How long a success is remembered: an ISO 8601 duration of weeks, days, hours, minutes and seconds.

use std::fmt;
use std::time::Duration;

use jiff::{Span, SpanRelativeTo};

/// Why a text is no window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoWindow(String);

impl fmt::Display for NoWindow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NoWindow {}

/// The length of a window. A day has 24 hours.
///
/// # Errors
/// [`NoWindow`] for what is no ISO 8601 duration, is not above zero, or counts months or years,
/// whose length differs.
pub fn parse(text: &str) -> Result<Duration, NoWindow> {
    let no_window = |why: String| {
        NoWindow(format!("{text:?} is no duration of weeks, days, hours, minutes and seconds: {why}"))
    };
    if !text.starts_with('P') {
        return Err(no_window("it does not start with `P`".to_owned()));
    }
    let span: Span = text.parse().map_err(|error: jiff::Error| no_window(error.to_string()))?;
    let length = span.to_duration(SpanRelativeTo::days_are_24_hours());
    let length = length.map_err(|error| no_window(error.to_string()))?;
    match Duration::try_from(length) {
        Ok(length) if !length.is_zero() => Ok(length),
        Ok(_) | Err(_) => Err(no_window("it is not above zero".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_have_one_length() {
        let check =
            |text: &str, seconds: u64| assert_eq!(parse(text), Ok(Duration::from_secs(seconds)), "{text}");
        check("P30D", 30 * 86_400);
        check("P2W", 14 * 86_400);
        check("PT1H", 3600);
        check("P1DT2H3M4S", 86_400 + 2 * 3600 + 3 * 60 + 4);
        for text in ["", "30", "P", "P1M", "P1Y", "PT0S", "-P1D", "1 day", "P1DT", "p1d"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
