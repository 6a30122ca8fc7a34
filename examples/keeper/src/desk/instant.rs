//! Instants of TOML files as seconds since 1970.

use toml_edit::{Datetime, Offset};

const NO_INSTANT: &str = "an instant has a date, a time and an offset: 2030-01-31T12:00:00Z";

/// The seconds from 1970 to an instant; leap seconds do not count.
pub(super) fn seconds(instant: &Datetime) -> Result<i64, &'static str> {
    let Datetime { date: Some(date), time: Some(time), offset: Some(offset) } = instant else {
        return Err(NO_INSTANT);
    };
    let minutes_ahead = match offset {
        Offset::Z => 0,
        Offset::Custom { minutes } => i64::from(*minutes),
    };
    let days = days(i64::from(date.year), i64::from(date.month), i64::from(date.day));
    let minutes = i64::from(time.hour) * 60 + i64::from(time.minute) - minutes_ahead;
    Ok((days * 24 * 60 + minutes) * 60 + i64::from(time.second.unwrap_or(0)))
}

const MARCH_0000_TO_1970: i64 = 719_468;

/// The days from 1970 to a date of the Gregorian calendar, whose years here begin in March, so that
/// the leap day is the last one.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap_days = year / 4 - year / 100 + year / 400;
    let days_before_month = (153 * month + 2) / 5;
    365 * year + leap_days + days_before_month + day - 1 - MARCH_0000_TO_1970
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_counted_as_date_does() {
        // date -u -d TEXT +%s
        let rows = [
            ("1970-01-01T00:00:00Z", 0),
            ("2000-02-29T23:59:59Z", 951_868_799),
            ("2030-01-31T12:00:00Z", 1_896_091_200),
            ("2030-01-31T12:00:00+02:00", 1_896_084_000),
            ("1969-12-31T23:00:00-01:00", 0),
            ("1900-03-01T00:00:00Z", -2_203_891_200),
        ];
        for (text, expected) in rows {
            assert_eq!(seconds(&text.parse().unwrap()), Ok(expected), "{text}");
        }
    }

    #[test]
    fn a_day_or_a_local_time_is_no_instant() {
        for text in ["2030-01-31", "2030-01-31T12:00:00", "12:00:00"] {
            assert_eq!(seconds(&text.parse().unwrap()), Err(NO_INSTANT), "{text}");
        }
    }
}
