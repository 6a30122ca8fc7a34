//! The ledger in a file: who owns what, what the file is, what cannot be used.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use changes::Desk;
use changes::generated::{land_change, open_change};
use forecheck::ledger::sqlite::State;
use forecheck::ledger::{Claimed, Finding, Known, NewClaim, RowId, Settlement};
use forecheck::outcome::{Outcome, Status};
use forecheck::{Ledger, SqliteLedger};
use rusqlite::Connection;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::desk::{OPEN, call, codes, effects, with_ledger};

fn folder() -> (TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state/ledger.sqlite");
    (folder, path)
}

fn claim() -> NewClaim {
    let row = RowId { scope: "ada".to_owned(), key: open_change::key(OPEN.as_bytes()).unwrap() };
    let input = row.key;
    NewClaim { row, verb: "open_change".to_owned(), input, shown: "{}".to_owned(), each_acts: false }
}

/// The answer to a call with the ledger at `path`, and how often it acted.
fn answered(path: &Path) -> (Outcome, usize) {
    let host = with_ledger(Arc::new(SqliteLedger::at(path)));
    let outcome = call(&host, "open_change", OPEN);
    (outcome, effects(&host).len())
}

/// A call with the ledger at `path` is refused before its effect, and `reason` says why.
#[track_caller]
fn unavailable(path: &Path, reason: &str) {
    let (outcome, effects) = answered(path);
    assert_eq!((codes(&outcome), effects), (vec!["LEDGER_UNAVAILABLE"], 0), "{outcome:?}");
    let expected = json!({"reason": format!("`{}`: {reason}", path.display())});
    assert_eq!(outcome.refusal.unwrap().details, Some(expected));
}

#[track_caller]
fn available(path: &Path) {
    let (outcome, effects) = answered(path);
    assert_eq!((outcome.status, effects), (Status::Succeeded, 1), "{outcome:?}");
}

#[test]
fn a_claim_outlives_nobody_and_a_success_everybody() {
    let (_folder, path) = folder();
    let (first, second) = (SqliteLedger::at(&path), SqliteLedger::at(&path));
    let Claimed::Yes(id) = first.claim(claim()).unwrap() else { unreachable!() };
    assert_eq!(second.look_up(&id.row), Ok(Some(Known::InFlight)));
    drop(first);
    let Some(Known::InDoubt(doubt)) = second.look_up(&id.row).unwrap() else { unreachable!() };
    assert_eq!(doubt.claim, id);
    assert_eq!(doubt.why, "the process that made the call ended before it said what became of it");
    assert!(matches!(second.claim(claim()), Ok(Claimed::No(Known::InDoubt(_)))));
    second.resolve(&id, &Finding::Landed { output: "7".to_owned(), window: None }).unwrap();
    drop(second);
    let third = SqliteLedger::at(&path);
    assert!(
        matches!(third.look_up(&id.row), Ok(Some(Known::Succeeded(success))) if success.output == Ok("7".to_owned()))
    );
}

#[test]
fn a_target_is_free_once_its_holder_is_gone() {
    let (_folder, path) = folder();
    let (first, second) = (SqliteLedger::at(&path), SqliteLedger::at(&path));
    let held = first.hold("octo/hello").unwrap().unwrap();
    assert_eq!(second.hold("octo/hello"), Ok(None));
    drop(first);
    let taken = second.hold("octo/hello").unwrap().unwrap();
    let third = SqliteLedger::at(&path);
    third.release(&held).unwrap();
    assert_eq!(third.hold("octo/hello"), Ok(None));
    second.release(&taken).unwrap();
    assert!(third.hold("octo/hello").unwrap().is_some());
}

#[test]
fn a_look_makes_no_ledger() {
    let (folder, path) = folder();
    let ledger = SqliteLedger::at(&path);
    assert_eq!((ledger.look_up(&claim().row), ledger.is_missing()), (Ok(None), true));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    available(&path);
    assert!(matches!(ledger.look_up(&claim().row), Ok(Some(Known::Succeeded(_)))));
}

#[test]
fn nobody_else_reads_a_ledger() {
    let (folder, path) = folder();
    let ledger = SqliteLedger::at(&path);
    let Claimed::Yes(id) = ledger.claim(claim()).unwrap() else { unreachable!() };
    ledger.settle(&id, &Settlement::Succeeded { output: "x".repeat(20_000), window: None }).unwrap();
    let mut modes = Vec::new();
    for entry in walkdir::WalkDir::new(folder.path().join("state")).sort_by_file_name() {
        let entry = entry.unwrap();
        modes.push((entry.depth(), entry.metadata().unwrap().permissions().mode() & 0o777));
    }
    // The folder, the database with its log and index, the owners, the outputs.
    let expected =
        [(0, 0o700), (1, 0o600), (1, 0o600), (1, 0o600), (1, 0o700), (2, 0o600), (1, 0o700), (2, 0o600)];
    modes.sort_unstable();
    let mut expected = expected.to_vec();
    expected.sort_unstable();
    assert_eq!(modes, expected);
}

#[test]
fn what_others_can_reach_is_refused() {
    let (folder, path) = folder();
    available(&path);
    let chmod = |path: &Path, mode| fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    let again = |name: &str| {
        let (outcome, effects) = answered(&path);
        let reason = outcome.refusal.map(|refusal| refusal.details.unwrap()["reason"].clone());
        let expected = format!(
            "`{}`: `{name}` is open to others: take their permissions away (chmod go= )",
            path.display()
        );
        assert_eq!((reason, effects), (Some(expected.into()), 0));
    };
    for name in ["ledger.sqlite", "ledger.sqlite.owners", "ledger.sqlite.outputs"] {
        let found = path.with_file_name(name);
        let mode = found.metadata().unwrap().permissions().mode();
        chmod(&found, mode | 0o040);
        again(name);
        chmod(&found, mode);
    }
    let outputs = path.with_file_name("ledger.sqlite.outputs");
    fs::remove_dir(&outputs).unwrap();
    symlink(folder.path(), &outputs).unwrap();
    unavailable(&path, "`ledger.sqlite.outputs` is a link, which is not followed");
    fs::remove_file(&outputs).unwrap();
    assert_eq!(answered(&path).0.status, Status::SkippedIdempotent);
}

/// Nobody else would see what is written into a file that is gone.
#[test]
fn a_ledger_that_is_replaced_is_opened_anew() {
    let (_folder, path) = folder();
    let host = with_ledger(Arc::new(SqliteLedger::at(&path)));
    assert_eq!(call(&host, "open_change", OPEN).status, Status::Succeeded);
    fs::remove_dir_all(path.parent().unwrap()).unwrap();
    available(&path);
    assert_eq!(call(&host, "open_change", OPEN).status, Status::SkippedIdempotent);
}

#[test]
fn what_is_no_ledger_is_not_written_to() {
    let (_folder, path) = folder();
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, "a text of somebody, longer than the head of a database".repeat(20)).unwrap();
    let before = fs::read(&path).unwrap();
    unavailable(&path, "it is damaged, or no ledger");
    assert_eq!(fs::read(&path).unwrap(), before);
    fs::remove_file(&path).unwrap();
    Connection::open(&path).unwrap().execute_batch("CREATE TABLE theirs (x)").unwrap();
    let before = fs::read(&path).unwrap();
    unavailable(&path, "it is a database of another program");
    assert_eq!(fs::read(&path).unwrap(), before);
    assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    fs::remove_file(&path).unwrap();
    available(&path);
    Connection::open(&path).unwrap().pragma_update(None, "user_version", 2).unwrap();
    unavailable(&path, "it was made by a later version of this program (tables 2)");
}

#[test]
fn a_damaged_ledger_is_refused() {
    let (_folder, path) = folder();
    available(&path);
    Connection::open(&path).unwrap().pragma_update(None, "wal_checkpoint", "TRUNCATE").unwrap();
    let mut bytes = fs::read(&path).unwrap();
    bytes[4096..].fill(0x5a);
    fs::write(&path, bytes).unwrap();
    unavailable(&path, "it is damaged, or no ledger");
}

#[test]
fn a_link_in_its_place_is_not_followed() {
    let (folder, path) = folder();
    let target = folder.path().join("elsewhere");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    symlink(&target, &path).unwrap();
    unavailable(&path, "`ledger.sqlite` is a link, which is not followed");
    assert!(!target.exists());
    fs::remove_file(&path).unwrap();
    // A linked folder is where its user wants it.
    symlink(folder.path(), folder.path().join("linked")).unwrap();
    available(&folder.path().join("linked/ledger.sqlite"));
}

/// Another process that keeps the database to itself.
#[test]
fn a_locked_ledger_is_waited_for_and_then_refused() {
    let (_folder, path) = folder();
    SqliteLedger::at(&path).forget().unwrap();
    let other = Connection::open(&path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    unavailable(&path, "another process keeps it locked");
    other.execute_batch("COMMIT").unwrap();
    available(&path);
}

#[test]
fn a_full_disk_refuses_before_the_effect() {
    let (folder, _) = folder();
    let disk = folder.path().join("disk");
    fs::create_dir(&disk).unwrap();
    let mount =
        |arguments: &[&str]| Command::new("mount").args(arguments).arg(&disk).status().unwrap().success();
    assert!(mount(&["-t", "tmpfs", "-o", "size=256k", "tmpfs"]));
    let path = disk.join("ledger.sqlite");
    SqliteLedger::at(&path).forget().unwrap();
    let rest = disk.join("rest");
    let mut filled = 0;
    while fs::write(&rest, vec![0; filled + 4096]).is_ok() {
        filled += 4096;
    }
    let refused = answered(&path);
    fs::remove_file(&rest).unwrap();
    let after = answered(&path);
    assert!(mount(&["-o", "remount,ro"]));
    let read_only = answered(&path);
    assert!(Command::new("umount").arg(&disk).status().unwrap().success());
    for ((outcome, effects), why) in [(refused, "the disk is full"), (read_only, "it cannot be written")] {
        let reason = outcome.refusal.as_ref().unwrap().details.as_ref().unwrap()["reason"].to_string();
        assert_eq!((codes(&outcome), effects), (vec!["LEDGER_UNAVAILABLE"], 0), "{outcome:?}");
        assert!(reason.contains(why), "{reason}");
    }
    assert_eq!((after.0.status, after.1), (Status::Succeeded, 1));
}

#[test]
fn an_output_that_is_gone_is_missed_and_nothing_is_done_twice() {
    let (_folder, path) = folder();
    let ledger = SqliteLedger::at(&path);
    let Claimed::Yes(id) = ledger.claim(claim()).unwrap() else { unreachable!() };
    ledger.settle(&id, &Settlement::Succeeded { output: "x".repeat(20_000), window: None }).unwrap();
    let outputs = path.with_file_name("ledger.sqlite.outputs");
    let file = fs::read_dir(outputs).unwrap().next().unwrap().unwrap().path();
    fs::write(&file, "changed").unwrap();
    let (outcome, effects) = answered(&path);
    assert_eq!((outcome.status, outcome.output, effects), (Status::SkippedIdempotent, None, 0));
    let expected = format!("the stored output cannot be read: `{}`: its file was changed", file.display());
    assert_eq!(outcome.message, Some(expected));
}

#[test]
fn what_nobody_asks_for_is_forgotten() {
    let (_folder, path) = folder();
    let ledger = SqliteLedger::at(&path);
    let new = |scope: &str, each_acts| {
        let row = RowId { scope: scope.to_owned(), ..claim().row };
        match ledger.claim(NewClaim { row, each_acts, ..claim() }).unwrap() {
            Claimed::Yes(id) => id,
            Claimed::No(known) => unreachable!("{known:?}"),
        }
    };
    let succeeded = |window| Settlement::Succeeded { output: "x".repeat(20_000), window };
    ledger.settle(&new("over", false), &succeeded(Some(std::time::Duration::from_millis(1)))).unwrap();
    ledger.settle(&new("each", true), &succeeded(None)).unwrap();
    ledger.settle(&new("kept", false), &succeeded(None)).unwrap();
    ledger.settle(&new("doubt", true), &Settlement::InDoubt { why: "x".to_owned() }).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(3));
    let forgotten = ledger.forget().unwrap();
    assert_eq!((forgotten.calls, forgotten.outputs), (2, 0));
    let left: Vec<(String, State)> = ledger
        .records(None)
        .unwrap()
        .into_iter()
        .map(|record| (record.claim.row.scope, record.state))
        .collect();
    assert_eq!(left, [("kept".to_owned(), State::Succeeded), ("doubt".to_owned(), State::InDoubt)]);
}

/// Somebody with a folder that is not theirs to write in.
#[test]
fn a_folder_without_permission_is_refused() {
    let (folder, path) = folder();
    fs::create_dir(path.parent().unwrap()).unwrap();
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    let program = folder.path().join("soak-ledger");
    fs::copy(env!("CARGO_BIN_EXE_soak-ledger"), &program).unwrap();
    let as_nobody = || {
        let mut command = Command::new("setpriv");
        command.args(["--reuid=65534", "--regid=65534", "--clear-groups", "--"]).arg(&program).arg("ask");
        let output = command.arg(&path).output().unwrap();
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    let expected = json!({"reason": format!("`{}`: Permission denied (os error 13)", path.display())});
    assert_eq!(as_nobody()["refusal"]["details"], expected);
    fs::set_permissions(path.parent().unwrap(), Permissions::from_mode(0o777)).unwrap();
    assert_eq!(as_nobody()["status"], "succeeded");
}

/// By the clock of the ledger.
#[test]
fn a_success_whose_time_is_over_may_be_made_again() {
    let (_folder, path) = folder();
    available(&path);
    let past = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() - 1;
    Connection::open(&path).unwrap().execute(&format!("UPDATE call SET until = {past}"), []).unwrap();
    available(&path);
}

/// The database is locked when an effect ends, and for longer than anybody waits.
#[test]
fn what_could_not_be_written_is_written_next_time() {
    let (_folder, path) = folder();
    let host = with_ledger(Arc::new(SqliteLedger::at(&path)));
    let text = br#"{"repo": "octo/hello", "number": 1}"#;
    let mut locked = None;
    let outcome = forecheck::run::<land_change::Verb<Desk>>(text, &host, |_, call| {
        let other = Connection::open(&path).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        locked = Some(other);
        call.succeeded(&land_change::Output {})
    });
    assert_eq!((outcome.status, outcome.output), (Status::InDoubt, Some(json!({}))));
    drop(locked);
    let again = call(&host, "land_change", std::str::from_utf8(text).unwrap());
    assert_eq!(again.status, Status::SkippedIdempotent);
    // Its target is free as well.
    let other = with_ledger(Arc::new(SqliteLedger::at(&path)));
    assert_eq!(
        call(&other, "land_change", r#"{"repo": "octo/hello", "number": 2}"#).status,
        Status::Succeeded
    );
}

#[test]
fn an_owner_whose_file_is_removed_has_one_again() {
    let (_folder, path) = folder();
    let (first, second) = (SqliteLedger::at(&path), SqliteLedger::at(&path));
    let Claimed::Yes(id) = first.claim(claim()).unwrap() else { unreachable!() };
    for entry in fs::read_dir(path.with_file_name("ledger.sqlite.owners")).unwrap() {
        fs::remove_file(entry.unwrap().path()).unwrap();
    }
    // It sees to its file before it claims or holds anything.
    assert!(first.hold("octo/hello").unwrap().is_some());
    assert_eq!(second.look_up(&id.row), Ok(Some(Known::InFlight)));
}

#[test]
fn a_ledger_that_was_emptied_or_has_two_names_is_refused() {
    let (folder, path) = folder();
    available(&path);
    let second = folder.path().join("second.sqlite");
    fs::hard_link(&path, &second).unwrap();
    unavailable(&path, "`ledger.sqlite` has a second name, at which it would be another ledger");
    fs::remove_file(second).unwrap();
    assert_eq!(answered(&path).0.status, Status::SkippedIdempotent);
    fs::write(&path, "").unwrap();
    unavailable(&path, "it was emptied: put it back, with the files beside it, or remove them all");
    fs::remove_dir_all(path.parent().unwrap()).unwrap();
    available(&path);
}

#[test]
fn what_is_marked_as_secret_is_not_in_the_files() {
    let (folder, path) = folder();
    let host = with_ledger(Arc::new(SqliteLedger::at(&path)));
    let text = r#"{"repo": "octo/hello", "intent": "again", "token": "s3cret-of-ada"}"#;
    assert_eq!(call(&host, "rerun_checks", text).status, Status::Succeeded);
    let record = SqliteLedger::at(&path).records(None).unwrap().remove(0);
    let kept: Value = serde_json::from_str(&record.input).unwrap();
    assert_eq!(kept, json!({"repo": "octo/hello", "intent": "again", "token": "(not kept)"}));
    for entry in walkdir::WalkDir::new(folder.path()) {
        let bytes = fs::read(entry.unwrap().path()).unwrap_or_default();
        assert!(!bytes.windows(13).any(|part| part == b"s3cret-of-ada"));
    }
}
