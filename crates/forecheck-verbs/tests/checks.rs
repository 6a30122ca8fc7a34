//! Each check twice: over facts for which its constraint holds, and over facts for which it does not.

use forecheck::{Failed, World};
use forecheck_verbs::checks::Forecheck;
use forecheck_verbs::generated::checks::Checks as _;
use forecheck_verbs::generated::derive_key::Checks as _;
use forecheck_verbs::generated::explain::Checks as _;
use forecheck_verbs::generated::facts::*;
use forecheck_verbs::generated::generate::Checks as _;
use forecheck_verbs::generated::init::Checks as _;
use forecheck_verbs::generated::resolve_call::Checks as _;
use forecheck_verbs::generated::shared::{CallName, CallState, Problem, ProblemSeverity, RecordedCall};
use forecheck_verbs::generated::{details, details::KeyedInputRefusedProblemsItem};
use serde_json::json;

struct Nowhere;

impl World for Nowhere {
    type Read = ();
    type Act = ();
}

impl Forecheck for Nowhere {}

/// A check that fails with these details, for this reason.
fn fails<D>(details: D, because: &str) -> Result<(), Failed<D>> {
    Err(Failed::from(details).because(because))
}

fn problem(severity: ProblemSeverity) -> Problem {
    Problem {
        severity,
        lint: "unused".to_owned(),
        file: "defs/a.schema.json".to_owned(),
        line: 1,
        column: 1,
        message: "nothing uses it".to_owned(),
        help: None,
        related: Vec::new(),
    }
}

fn spec(severities: &[ProblemSeverity]) -> SpecFolder {
    SpecFolder { unreadable: None, problems: severities.iter().copied().map(problem).collect() }
}

#[test]
fn spec_folder() {
    let (warning, note) = (ProblemSeverity::Warning, ProblemSeverity::Note);
    let gone = SpecFolder { unreadable: Some("gone".to_owned()), ..spec(&[]) };
    let details = details::SpecUnreadable { reason: "gone".to_owned() };
    assert_eq!(Nowhere::spec_unreadable("s", &gone), fails(details, "the folder `s` cannot be read: gone"));
    assert_eq!(Nowhere::spec_unreadable("s", &spec(&[])), Ok(()));

    let wrong = spec(&[ProblemSeverity::Error, warning, note]);
    let details = details::SpecHasErrors { errors: 1, warnings: 1, problems: wrong.problems.clone() };
    assert_eq!(Nowhere::spec_has_errors("s", &wrong), fails(details, "`s` has 1 error, 1 warning"));
    assert_eq!(Nowhere::spec_has_errors("s", &spec(&[warning, note])), Ok(()));

    let doubtful = spec(&[warning, warning, note]);
    let details = details::WarningsDenied { warnings: 2, problems: doubtful.problems.clone() };
    let because = "`s` has 0 errors, 2 warnings, and warnings are denied";
    assert_eq!(Nowhere::warnings_denied(true, "s", &doubtful), fails(details, because));
    assert_eq!(Nowhere::warnings_denied(false, "s", &doubtful), Ok(()));
    assert_eq!(Nowhere::warnings_denied(true, "s", &spec(&[note])), Ok(()));
}

const FREE: OutputFolders = OutputFolders { unreadable: None, busy: None };
const SMOOTH: PlannedOutput = PlannedOutput { overlap: None, foreign: Vec::new(), unwritable: None };

#[test]
fn output_folders() {
    let (first, second) = ("/a".to_owned(), "/a/b".to_owned());
    let overlap = Some(PlannedOutputOverlap { first: first.clone(), second: second.clone() });
    let details = details::FoldersOverlap { first, second };
    let overlapping = PlannedOutput { overlap, ..SMOOTH };
    assert_eq!(Nowhere::folders_overlap(&overlapping), fails(details, "`/a` and `/a/b` do not lie apart"));
    assert_eq!(Nowhere::folders_overlap(&SMOOTH), Ok(()));

    let (path, reason) = ("out".to_owned(), "denied".to_owned());
    let unreadable = Some(OutputFoldersUnreadable { path: path.clone(), reason: reason.clone() });
    let details = details::OutputUnreadable { path: path.clone(), reason: reason.clone() };
    let closed = OutputFolders { unreadable, ..FREE };
    assert_eq!(Nowhere::output_unreadable(&closed), fails(details, "`out` cannot be read: denied"));
    assert_eq!(Nowhere::output_unreadable(&FREE), Ok(()));

    let unwritable = Some(PlannedOutputUnwritable { path: path.clone(), reason: reason.clone() });
    let details = details::OutputUnwritable { path, reason };
    let closed = PlannedOutput { unwritable, ..SMOOTH };
    assert_eq!(Nowhere::output_unwritable(&closed), fails(details, "`out` cannot be written: denied"));
    assert_eq!(Nowhere::output_unwritable(&SMOOTH), Ok(()));

    let busy = OutputFolders { busy: Some("out".to_owned()), ..FREE };
    let details = details::OutputBusy { folder: "out".to_owned() };
    assert_eq!(Nowhere::output_busy(&busy), fails(details, "another run is writing to `out`"));
    assert_eq!(Nowhere::output_busy(&FREE), Ok(()));
}

#[test]
fn foreign_files() {
    let check = |count: usize, shown: &str| {
        let files: Vec<String> = (0..count).map(|number| number.to_string()).collect();
        let facts = PlannedOutput { foreign: files.clone(), ..SMOOTH };
        let because = format!("files that no run wrote stand in the output:{shown}");
        let expected = fails(details::OutputHasForeignFiles { files }, &because);
        assert_eq!(Nowhere::output_has_foreign_files(false, &facts), expected);
        assert_eq!(Nowhere::output_has_foreign_files(true, &facts), Ok(()));
    };
    check(1, "\n  0");
    check(10, "\n  0\n  1\n  2\n  3\n  4\n  5\n  6\n  7\n  8\n  9");
    check(12, "\n  0\n  1\n  2\n  3\n  4\n  5\n  6\n  7\n  8\n  9\n  and 2 more");
    assert_eq!(Nowhere::output_has_foreign_files(false, &SMOOTH), Ok(()));
}

#[test]
fn key_lock() {
    let torn = KeyLock { unreadable: Some("torn".to_owned()) };
    let details = details::KeyLockUnreadable { reason: "torn".to_owned() };
    let because = "the previous keys.json cannot be read: torn";
    assert_eq!(Nowhere::key_lock_unreadable(&torn), fails(details, because));
    assert_eq!(Nowhere::key_lock_unreadable(&KeyLock { unreadable: None }), Ok(()));

    let moved: MovedKeys = serde_json::from_value(json!({"moved": [{"verb": "v", "locked_revision": 2,
        "revision": 1, "locked": "{}", "now": "[]", "difference": "  v\n    verb: a -> b"}]}))
    .unwrap();
    let details = serde_json::from_value(json!({"moved": [{"verb": "v", "locked_revision": 2,
        "revision": 1, "locked": "{}", "now": "[]"}]}))
    .unwrap();
    let because = "keys that were given out would move:\n  v\n    verb: a -> b";
    assert_eq!(Nowhere::key_recipe_changed(&moved), fails(details, because));
    assert_eq!(Nowhere::key_recipe_changed(&MovedKeys { moved: Vec::new() }), Ok(()));
}

#[test]
fn error_table() {
    let read = ErrorTable { unreadable: None };
    let torn = ErrorTable { unreadable: Some("torn".to_owned()) };
    let check = |errors, because: &str| {
        let details = details::ErrorsUnreadable { reason: "torn".to_owned() };
        assert_eq!(Nowhere::errors_unreadable(errors, &torn), fails(details, because));
        assert_eq!(Nowhere::errors_unreadable(errors, &read), Ok(()));
    };
    check(Some("e.json"), "`e.json` is no errors.json that can be read: torn");
    check(None, "the table of this tool cannot be read: torn");

    let row = |known, nearest: &[&str]| CodeRow {
        surface: "keeper".to_owned(),
        known,
        nearest: nearest.iter().map(|code| (*code).to_owned()).collect(),
    };
    let unknown = |nearest: &[&str], because: &str| {
        let row = row(false, nearest);
        let details = details::CodeUnknown { nearest: row.nearest.clone() };
        assert_eq!(Nowhere::code_unknown("CODE", &row), fails(details, because));
    };
    unknown(&[], "the table of `keeper` has no code `CODE`");
    unknown(&["A", "B"], "the table of `keeper` has no code `CODE`; the nearest: A, B");
    unknown(&["A\nB"], r"the table of `keeper` has no code `CODE`; the nearest: A\nB");
    assert_eq!(Nowhere::code_unknown("CODE", &row(true, &["CODE"])), Ok(()));
}

#[test]
fn called_verb() {
    let called = |verb: serde_json::Value| -> CalledVerb {
        let mut fact = json!({"surface": "keeper", "nearest": ["open"]});
        if !verb.is_null() {
            fact.as_object_mut().unwrap().insert("verb".to_owned(), verb);
        }
        serde_json::from_value(fact).unwrap()
    };
    let recipe = json!({"verb": "open", "target": null, "ignored": [], "defaults": {}, "objects": {}});
    let keyed = |input: serde_json::Value| called(json!({"recipe": recipe, "input": input}));
    let sound = keyed(json!({"required": ["a"]}));

    let details = details::VerbUnknown { nearest: vec!["open".to_owned()] };
    let because = "the surface `keeper` has no verb `opne`; the nearest: open";
    assert_eq!(Nowhere::verb_unknown("opne", &called(json!(null))), fails(details, because));
    assert_eq!(Nowhere::verb_unknown("open", &sound), Ok(()));

    let because = "the verb `list` is read-only, so it has no key";
    assert_eq!(Nowhere::verb_has_no_key("list", &called(json!({"input": true}))), fails((), because));
    assert_eq!(Nowhere::verb_has_no_key("open", &sound), Ok(()));

    let refused = |text: &str, called: &CalledVerb, code: &str, message: &str| {
        let (code, at, message) = (code.to_owned(), String::new(), message.to_owned());
        let because = format!("the verb `open` would refuse this input:\n  1:1: {code}: {message}");
        let problems = vec![KeyedInputRefusedProblemsItem { code, at, line: 1, column: 1, message }];
        let expected = fails(details::KeyedInputRefused { problems }, &because);
        assert_eq!(Nowhere::keyed_input_refused("open", text, called), expected);
    };
    refused("{}", &sound, "SCHEMA_INVALID", "\"a\" is a required property");
    refused("{}", &called(json!({"input": true})), "SCHEMA_INVALID", "the verb has no key");
    assert_eq!(Nowhere::keyed_input_refused("open", r#"{"a": 1}"#, &sound), Ok(()));
}

const READY: NewFolder = NewFolder { entries: Vec::new(), obstacle: None };

#[test]
fn new_project() {
    let missing = RuntimeCrate { path: None, missing: Some("gone".to_owned()) };
    let details = details::RuntimeCrateMissing { reason: "gone".to_owned() };
    let because = "`f` is not the crate `forecheck`: gone";
    assert_eq!(Nowhere::runtime_crate_missing(Some("f"), &missing), fails(details, because));
    let found = RuntimeCrate { path: Some("/f".to_owned()), missing: None };
    assert_eq!(Nowhere::runtime_crate_missing(Some("f"), &found), Ok(()));
    assert_eq!(Nowhere::runtime_crate_missing(None, &RuntimeCrate { path: None, missing: None }), Ok(()));

    let (path, reason) = ("a".to_owned(), "denied".to_owned());
    let obstacle = Some(NewFolderObstacle { path: path.clone(), reason: reason.clone() });
    let details = details::FolderUnwritable { path, reason };
    let closed = NewFolder { obstacle, ..READY };
    let because = "`a/b` cannot be filled: `a`: denied";
    assert_eq!(Nowhere::folder_unwritable("a/b", &closed), fails(details, because));
    assert_eq!(Nowhere::folder_unwritable("a/b", &READY), Ok(()));

    let full = |count: usize, shown: &str| {
        let entries: Vec<String> = (0..count).map(|number| number.to_string()).collect();
        let found = NewFolder { entries: entries.clone(), ..READY };
        let expected = fails(details::FolderNotEmpty { entries }, &format!("`a` is not empty: {shown}"));
        assert_eq!(Nowhere::folder_not_empty("a", &found), expected);
    };
    full(1, "0");
    full(10, "0, 1, 2, 3, 4, 5, 6, 7, 8, 9");
    full(12, "0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more");
    assert_eq!(Nowhere::folder_not_empty("a", &READY), Ok(()));
}

#[test]
fn ledger_file() {
    let sound = |path: &str| LedgerFile { path: path.to_owned(), missing: None, unreadable: None };
    let missing = |ledger, path: &str, because: &str| {
        let file = LedgerFile { missing: Some("gone".to_owned()), ..sound(path) };
        let expected = fails(details::LedgerMissing { reason: "gone".to_owned() }, because);
        assert_eq!(Nowhere::ledger_missing(ledger, &file), expected);
        assert_eq!(Nowhere::ledger_unreadable(ledger, &file), Ok(()));
    };
    missing(Some("l"), "l", "there is no ledger at `l`: gone");
    missing(None, "/l", "there is no ledger of this tool at `/l`: gone");
    missing(None, "", "there is no ledger of this tool: gone");

    let torn = LedgerFile { unreadable: Some("`l`: torn".to_owned()), ..sound("l") };
    let details = details::LedgerUnreadable { reason: "`l`: torn".to_owned() };
    let because = "the ledger cannot be used: `l`: torn";
    assert_eq!(Nowhere::ledger_unreadable(Some("l"), &torn), fails(details, because));
    assert_eq!(Nowhere::ledger_unreadable(Some("l"), &sound("l")), Ok(()));
    assert_eq!(Nowhere::ledger_missing(Some("l"), &torn), Ok(()));
}

#[test]
fn recorded_calls() {
    let call = |key: &str, scope: &str, state| RecordedCall {
        key: key.to_owned(),
        scope: scope.to_owned(),
        verb: "open".to_owned(),
        state,
        why: None,
        started: String::new(),
        ended: None,
        until: None,
    };
    let (started, succeeded, in_doubt) = (CallState::Started, CallState::Succeeded, CallState::InDoubt);
    let twice = vec![call("ab", "me", in_doubt), call("ab", "me", succeeded)];
    let unknown = |scope, calls: &[RecordedCall], names: &[(&str, &str)], because: &str| {
        let name = |&(key, scope): &(&str, &str)| CallName { key: key.to_owned(), scope: scope.to_owned() };
        let details = details::CallUnknown { fitting: names.iter().map(name).collect() };
        assert_eq!(Nowhere::call_unknown("a", scope, &calls.to_vec()), fails(details, because));
    };
    unknown(None, &[], &[], "the ledger holds no call `a`");
    unknown(Some("me"), &[], &[], "the ledger holds no call `a` of `me`");
    let calls = [call("ac", "m\ne", started), call("ab", "me", started), call("ab", "me", started)];
    let names = [("ab", "me"), ("ac", "m\ne")];
    unknown(None, &calls, &names, "the ledger holds 2 calls `a`:\n  ab of `me`\n  ac of `m\\ne`");
    let many: Vec<_> = (0..12).map(|number| call(&format!("a{number:x}"), "me", started)).collect();
    let names: Vec<_> = many.iter().map(|call| (&*call.key, &*call.scope)).collect();
    let lines: Vec<String> = names[..10].iter().map(|(key, _)| format!("{key} of `me`")).collect();
    unknown(
        None,
        &many,
        &names,
        &format!("the ledger holds 12 calls `a`:\n  {}\n  and 2 more", lines.join("\n  ")),
    );
    assert_eq!(Nowhere::call_unknown("a", None, &twice), Ok(()));

    let known = |calls: &[RecordedCall], state, because: &str| {
        let expected = fails(details::CallNotInDoubt { state }, because);
        assert_eq!(Nowhere::call_not_in_doubt("a", None, &calls.to_vec()), expected);
    };
    known(&twice[1..], succeeded, "the call `a` succeeded, so there is nothing to resolve");
    known(&calls, started, "the call `a` is at work, so there is nothing to resolve");
    assert_eq!(Nowhere::call_not_in_doubt("a", None, &twice), Ok(()));
}
