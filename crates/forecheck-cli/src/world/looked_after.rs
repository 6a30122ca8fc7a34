//! The ledger that a call looks after: this program's own, or one of another program.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use forecheck::SqliteLedger;
use forecheck::ledger::sqlite::{Record, State};
use forecheck_verbs::generated::facts::LedgerFile;
use forecheck_verbs::generated::shared::{CallState, RecordedCall};
use jiff::Timestamp;

use super::{OwnLedger, Reading};
use crate::command::shown;

impl OwnLedger {
    /// The ledger that is named, or this program's own. Neither is opened.
    ///
    /// # Errors
    /// Why this program keeps none in a file.
    pub(crate) fn or_named(&self, named: Option<&str>) -> Result<SqliteLedger, String> {
        let path = named.map_or_else(|| self.path().map(Path::to_owned), |named| Ok(PathBuf::from(named)));
        path.map(SqliteLedger::at)
    }
}

impl Reading {
    /// The calls that a call is about, which is always the same question: what is checked is what is answered.
    pub(crate) fn records(
        &self,
        ledger: Option<&str>,
        key: &str,
        scope: Option<&str>,
    ) -> Result<&[Record], &str> {
        let read = || records(&self.own_ledger.or_named(ledger)?, key, scope);
        self.records.get_or_init(read).as_deref().map_err(String::as_str)
    }
}

/// The calls of a ledger whose keys start with these digits, in the scope where one is named.
pub(crate) fn records(ledger: &SqliteLedger, key: &str, scope: Option<&str>) -> Result<Vec<Record>, String> {
    let mut records = ledger.records_starting_with(key).map_err(|error| error.to_string())?;
    records.retain(|record| scope.is_none_or(|scope| record.claim.row.scope == scope));
    Ok(records)
}

/// What is so of the file of a ledger.
pub(crate) fn look_at(ledger: &SqliteLedger) -> LedgerFile {
    let file = LedgerFile { path: shown(ledger.path()), missing: None, unreadable: None };
    match ledger.exists() {
        Ok(true) => file,
        Ok(false) => LedgerFile { missing: Some("nothing was recorded there".to_owned()), ..file },
        Err(error) => LedgerFile { unreadable: Some(error.to_string()), ..file },
    }
}

/// A call as the verbs publish it.
pub(crate) fn published(record: &Record) -> RecordedCall {
    RecordedCall {
        key: record.claim.row.key.to_string(),
        scope: record.claim.row.scope.clone(),
        verb: record.verb.clone(),
        state: match record.state {
            State::Started => CallState::Started,
            State::Succeeded => CallState::Succeeded,
            State::InDoubt => CallState::InDoubt,
        },
        why: record.why.clone(),
        started: instant(record.started),
        ended: record.ended.map(instant),
        until: record.until.map(instant),
    }
}

/// An RFC 3339 instant, in whole seconds; the last one there is, where it is later than any.
fn instant(at: SystemTime) -> String {
    let at = Timestamp::try_from(at).unwrap_or(Timestamp::MAX);
    Timestamp::from_second(at.as_second()).unwrap_or(at).to_string()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn instants_are_told_in_whole_seconds() {
        let at = |millis| instant(SystemTime::UNIX_EPOCH + Duration::from_millis(millis));
        assert_eq!([at(0), at(1_700_000_000_999)], ["1970-01-01T00:00:00Z", "2023-11-14T22:13:20Z"]);
        assert_eq!(at(i64::MAX.unsigned_abs()), "9999-12-30T22:00:00Z");
    }
}
