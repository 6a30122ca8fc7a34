//! Calls in processes of their own.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use forecheck::SqliteLedger;
use forecheck::ledger::sqlite::State;
use rusqlite::Connection;
use serde_json::Value;

fn spawn(arguments: &[&str], folder: &Path, rest: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_soak-ledger"));
    command.args(arguments).arg(folder).args(rest).stdout(Stdio::piped()).spawn().unwrap()
}

fn answer(child: Child) -> Value {
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn statuses(children: Vec<Child>) -> Vec<String> {
    let mut statuses: Vec<String> =
        children.into_iter().map(|child| answer(child)["status"].as_str().unwrap().to_owned()).collect();
    statuses.sort_unstable();
    statuses
}

/// One workflow that was started twice ran twice.
#[test]
fn dbos_inc_dbos_transact_py_544_of_24_identical_calls_one_acts() {
    let folder = tempfile::tempdir().unwrap();
    let calls = (0..24).map(|_| spawn(&["call"], folder.path(), &["fix", "200"])).collect();
    let statuses = statuses(calls);
    let acted: Vec<&String> =
        statuses.iter().filter(|status| !["in_flight", "skipped_idempotent"].contains(&&***status)).collect();
    assert_eq!(acted, ["succeeded"], "{statuses:?}");
    assert_eq!(fs::read_to_string(folder.path().join("effects")).unwrap(), "fix\n");
}

/// Whoever came second to a new database was told that it was locked.
#[test]
fn russellromney_honker_102_and_praeclarum_sqlite_net_778_sixteen_processes_open_a_new_ledger() {
    let folder = tempfile::tempdir().unwrap();
    let branches: Vec<String> = (0..16).map(|number| format!("b{number}")).collect();
    let calls = branches.iter().map(|branch| spawn(&["call"], folder.path(), &[branch, "0"])).collect();
    assert_eq!(statuses(calls), ["succeeded"; 16]);
    let connection = Connection::open(folder.path().join("ledger.sqlite")).unwrap();
    let mode: String = connection.pragma_query_value(None, "journal_mode", |row| row.get(0)).unwrap();
    assert_eq!(mode, "wal");
}

#[test]
fn a_process_that_is_killed_leaves_a_doubt() {
    let folder = tempfile::tempdir().unwrap();
    let mut killed = spawn(&["call"], folder.path(), &["fix", "60000"]);
    let ledger = SqliteLedger::at(folder.path().join("ledger.sqlite"));
    let states = || ledger.records(None).unwrap().iter().map(|record| record.state).collect::<Vec<_>>();
    while states() != [State::Started] {
        thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(answer(spawn(&["call"], folder.path(), &["fix", "0"]))["status"], "in_flight");
    killed.kill().unwrap();
    killed.wait().unwrap();
    let repeat = answer(spawn(&["call"], folder.path(), &["fix", "0"]));
    assert_eq!((&repeat["status"], &repeat["next"]), (&"in_doubt".into(), &"ask_operator".into()));
    assert_eq!(states(), [State::InDoubt]);
    assert_eq!(fs::read_to_string(folder.path().join("effects")).unwrap(), "");
    assert_eq!(answer(spawn(&["call"], folder.path(), &["other", "0"]))["status"], "succeeded");
}

/// The soak in its short form: 40 kills for each protocol. It fails as well where another protocol, which has to
/// act twice, does not.
#[test]
fn killed_processes_act_once_and_lose_nothing() {
    let soak = Command::new(env!("CARGO_BIN_EXE_soak-ledger")).arg("short").output().unwrap();
    assert!(soak.status.success(), "{}", String::from_utf8_lossy(&soak.stdout));
}
