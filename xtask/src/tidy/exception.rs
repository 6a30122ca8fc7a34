//! Rows that let one place exceed a limit, with the reason; a row that is no longer needed must go.

use super::Hit;

/// One place that may exceed a limit.
pub(super) struct Exception {
    pub(super) path: &'static str,
    /// The function, or the empty text for the whole file.
    pub(super) item: &'static str,
    /// Why the place is better long than split.
    pub(super) reason: &'static str,
}

/// Something measured in lines.
pub(super) struct Measured<'a> {
    pub(super) path: &'a str,
    pub(super) item: &'a str,
    pub(super) line: usize,
    pub(super) length: usize,
}

/// A hit for a place above the limit without a row, and for a row without need.
pub(super) fn judge(
    measured: &Measured<'_>,
    limit: usize,
    exceptions: &[Exception],
    remedy: &str,
) -> Option<Hit> {
    let row = exceptions.iter().find(|row| row.path == measured.path && row.item == measured.item);
    let remedy = match (measured.length > limit, row) {
        (true, None) => format!("{} lines, the limit is {limit}: {remedy}", measured.length),
        (false, Some(row)) => format!(
            "{} lines, within the limit of {limit}: remove the exception `{}`",
            measured.length, row.reason
        ),
        (true, Some(_)) | (false, None) => return None,
    };
    Some(Hit { line: measured.line, remedy })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(length: usize, item: &str) -> Option<String> {
        let exceptions = [Exception { path: "a.rs", item: "listed", reason: "a table" }];
        let measured = Measured { path: "a.rs", item, line: 3, length };
        judge(&measured, 70, &exceptions, "split it").map(|hit| hit.remedy)
    }

    #[test]
    fn a_row_is_needed_above_the_limit_and_only_there() {
        assert_eq!(judged(70, "other"), None);
        assert_eq!(judged(71, "other").unwrap(), "71 lines, the limit is 70: split it");
        assert_eq!(judged(71, "listed"), None);
        assert_eq!(
            judged(70, "listed").unwrap(),
            "70 lines, within the limit of 70: remove the exception `a table`"
        );
    }
}
