//! `forecheck ledger`, on ledgers that other programs keep, and the ledger of the program itself.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use changes::generated::{self, facts::Principal};
use changes::{Act, Desk, End, Landing, State, held};
use forecheck::ledger::{ClaimId, Claimed, NewClaim, RowId, Settlement};
use forecheck::{Host, Ledger, SqliteLedger};
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::program::{Ran, Scene, as_nobody, keeper};
use crate::refusals::{done, refused};

/// A key that is a pair of digits again and again.
fn key(pair: &str) -> String {
    pair.repeat(32)
}

/// A call of `open_change` that wants to act.
fn new_claim(key: &str, scope: &str) -> NewClaim {
    let row = RowId { scope: scope.to_owned(), key: key.parse().unwrap() };
    let shown = r#"{"branch":"fix"}"#.to_owned();
    NewClaim { input: row.key, row, verb: "open_change".to_owned(), shown, each_acts: false }
}

fn claim(ledger: &SqliteLedger, claim: NewClaim) -> ClaimId {
    let Claimed::Yes(id) = ledger.claim(claim).unwrap() else { panic!("nothing is known of it") };
    id
}

fn success(window: Option<Duration>) -> Settlement {
    Settlement::Succeeded { output: r#"{"number":7}"#.to_owned(), window }
}

fn doubt(why: &str) -> Settlement {
    Settlement::InDoubt { why: why.to_owned() }
}

/// The ledger at `desk.sqlite`: a success, a doubt of each kind, and a call whose process, this one, is at work.
fn desk(scene: &Scene) -> SqliteLedger {
    let ledger = SqliteLedger::at(scene.path("desk.sqlite"));
    let later = || std::thread::sleep(Duration::from_millis(2));
    ledger.settle(&claim(&ledger, new_claim(&key("50"), "ada")), &success(None)).unwrap();
    later();
    ledger.settle(&claim(&ledger, new_claim(&key("d0"), "ada")), &doubt("the connection was lost")).unwrap();
    later();
    claim(&SqliteLedger::at(ledger.path()), new_claim(&key("d1"), "grace"));
    later();
    claim(&ledger, new_claim(&key("a0"), "ada"));
    ledger
}

fn output(ran: &Ran) -> Value {
    assert_eq!(ran.exit, 0, "{ran:?}");
    ran.json()["output"].clone()
}

fn states(scene: &Scene, arguments: &[&str]) -> Vec<(String, String)> {
    let list: Vec<&str> = ["ledger", "list", "--json"].iter().chain(arguments).copied().collect();
    let text = |call: &Value, name: &str| call[name].as_str().unwrap().to_owned();
    let output = output(&scene.run(&list));
    let calls = output["calls"].as_array().unwrap().iter();
    calls.map(|call| (text(call, "key"), text(call, "state"))).collect()
}

fn state(pair: &str, state: &str) -> (String, String) {
    (key(pair), state.to_owned())
}

const DESK: [&str; 2] = ["--ledger", "desk.sqlite"];

#[test]
fn calls_are_listed_and_shown() {
    let scene = Scene::new();
    let ledger = desk(&scene);
    let before = scene.everything();
    let calls = output(&scene.run(&["ledger", "list", "--json", "--ledger", "desk.sqlite"]));
    let instants: Vec<&str> = calls["calls"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|call| [&call["started"], &call["ended"]])
        .filter_map(Value::as_str)
        .collect();
    let seen = |arguments: &[&str]| {
        let ran = scene.run(arguments).seen();
        instants.iter().fold(ran, |seen, instant| seen.replace(instant, "[instant]"))
    };
    insta::assert_snapshot!("list", seen(&["ledger", "list", "--ledger", "desk.sqlite"]));
    for pair in ["50", "d0", "d1", "a0"] {
        let digits = pair.repeat(4);
        insta::assert_snapshot!(
            format!("show_{pair}"),
            seen(&["ledger", "show", &digits, "--ledger", "desk.sqlite"])
        );
    }
    let shown = output(&scene.run(&["ledger", "show", &key("50"), "--ledger", "desk.sqlite", "--json"]));
    let call = &shown["calls"][0];
    assert_eq!(
        (&call["input"], &call["output"], &call["call"], &shown["ledger"]),
        (&json!({"branch": "fix"}), &json!({"number": 7}), &calls["calls"][0], &json!("desk.sqlite"))
    );
    let doubts = states(&scene, &["--ledger", "desk.sqlite", "--state", "in_doubt"]);
    assert_eq!(doubts, [state("d0", "in_doubt"), state("d1", "in_doubt")]);
    assert_eq!(scene.everything(), before, "looking changed something");
    drop(ledger);
}

/// Whoever writes a ledger, what it holds is text.
#[test]
fn text_from_a_ledger_cannot_steer_the_terminal() {
    let scene = Scene::new();
    let ledger = SqliteLedger::at(scene.path("desk.sqlite"));
    let id = claim(&ledger, new_claim(&key("d0"), "ada\u{1b}]0;owned\u{7}\n\u{202e}x"));
    ledger.settle(&id, &doubt("\u{1b}[2J\r\n")).unwrap();
    let resolve = [&["ledger", "resolve", "d0d0d0d0", "--absent"][..], &DESK].concat();
    for call in [
        [&["ledger", "list"][..], &DESK].concat(),
        [&["ledger", "show", "d0d0d0d0"][..], &DESK].concat(),
        resolve,
    ] {
        let ran = scene.run(&call);
        assert_eq!(ran.exit, 0, "{ran:?}");
        assert!(ran.stdout.contains("ada\\u{1b}]0;owned\\u{7}"), "{ran:?}");
        assert!(!ran.stdout.contains(['\u{1b}', '\u{7}', '\u{202e}', '\r']), "{ran:?}");
        assert!(
            !ran.stdout.lines().any(|line| line.starts_with('\u{202e}') || line.starts_with('x')),
            "{ran:?}"
        );
    }
}

/// A host of another program, with its ledger in the scene.
fn host(scene: &Scene) -> Host<Desk> {
    let repos = vec!["octo/hello".to_owned()];
    let state = State {
        principal: Some(Principal { name: "ada".to_owned(), repos: repos.clone() }),
        registry: repos,
        dirty: Vec::new(),
        branches: Vec::new(),
        frozen_until: 100,
        now: 200,
        landing: Landing::Unclear,
        gathered: Vec::new(),
    };
    let ledger = Arc::new(SqliteLedger::at(scene.path("desk.sqlite")));
    Host { read: Mutex::new(state), act: Act::default(), ledger, scope: "ada".to_owned() }
}

const OPEN: &str = r#"{"repo": "octo/hello", "branch": "fix", "title": "Fix", "paths": ["src/main.rs"]}"#;

/// Makes a call whose effect is lost, has its doubt resolved, and makes the call again. Gives back the answer, and
/// how often the effect began.
fn resolved(found: &[&str], said: &str) -> (Value, usize) {
    let scene = Scene::new();
    let host = host(&scene);
    let call =
        || serde_json::to_value(generated::call(&host, "open_change", OPEN.as_bytes()).unwrap()).unwrap();
    *held(&host.act.end) = End::IsLost;
    let lost = call();
    assert_eq!((&lost["status"], &lost["next"]), (&json!("in_doubt"), &json!("ask_operator")));
    *held(&host.act.end) = End::Succeeds;
    assert_eq!(call()["status"], "in_doubt");
    let key = lost["key"].as_str().unwrap();
    let resolve = [&["ledger", "resolve", key.get(..8).unwrap()][..], found, &DESK].concat();
    let ran = done(&scene, &resolve);
    assert_eq!(ran.stdout, format!("open_change {key} of ada {said}\n"));
    let effects = held(&host.act.log).len();
    assert_eq!(effects, 1);
    (call(), held(&host.act.log).len())
}

#[test]
fn what_landed_is_skipped_with_the_output_that_was_found() {
    let said = "landed: it succeeded, and a repeat is skipped and answers {\"number\":7}";
    let (again, effects) = resolved(&["--landed", "--output", r#"{"number": 7}"#], said);
    assert_eq!(
        (&again["status"], &again["output"], &again["remembered_until"], effects),
        (&json!("skipped_idempotent"), &json!({"number": 7}), &Value::Null, 1)
    );
    let said = "landed: it succeeded, and a repeat is skipped and answers null";
    let (again, effects) = resolved(&["--landed"], said);
    assert_eq!(
        (&again["status"], &again["output"], effects),
        (&json!("skipped_idempotent"), &Value::Null, 1)
    );
}

#[test]
fn what_is_absent_acts_again() {
    let said = "is absent: nothing is known of it any more, and it may be sent again";
    let (again, effects) = resolved(&["--absent"], said);
    assert_eq!(
        (&again["status"], &again["output"], effects),
        (&json!("succeeded"), &json!({"number": 2}), 2)
    );
}

/// Calls that act each time share a key: whoever has looked has looked for all of them.
#[test]
fn attempts_with_one_key_are_resolved_together() {
    let scene = Scene::new();
    let ledger = SqliteLedger::at(scene.path("desk.sqlite"));
    for settlement in [doubt("x"), success(None), doubt("y")] {
        let id = claim(&ledger, NewClaim { each_acts: true, ..new_claim(&key("d0"), "ada") });
        ledger.settle(&id, &settlement).unwrap();
    }
    let shown = output(&scene.run(&["ledger", "show", "d0d0d0d0", "--ledger", "desk.sqlite", "--json"]));
    assert_eq!(shown["calls"].as_array().unwrap().len(), 3);
    let answer = output(&scene.run(&[
        "ledger",
        "resolve",
        "d0d0d0d0",
        "--absent",
        "--json",
        "--ledger",
        "desk.sqlite",
    ]));
    let expected = json!({"ledger": "desk.sqlite", "key": key("d0"), "scope": "ada", "verb": "open_change",
        "became": "absent", "resolved": 2});
    assert_eq!((answer, states(&scene, &DESK)), (expected, vec![state("d0", "succeeded")]));
}

#[test]
fn what_nobody_will_ask_for_is_removed_and_a_doubt_stays() {
    let scene = Scene::new();
    let ledger = desk(&scene);
    ledger
        .settle(&claim(&ledger, new_claim(&key("e0"), "ada")), &success(Some(Duration::from_millis(1))))
        .unwrap();
    std::thread::sleep(Duration::from_millis(5));
    assert_eq!(states(&scene, &DESK).len(), 5);
    let ran = done(&scene, &["ledger", "gc", "--ledger", "desk.sqlite"]);
    assert_eq!(ran.stdout, "desk.sqlite: 1 call forgotten, 0 files of outputs removed\n");
    let left =
        [state("50", "succeeded"), state("d0", "in_doubt"), state("d1", "in_doubt"), state("a0", "started")];
    assert_eq!(states(&scene, &DESK), left);
    let answer = output(&scene.run(&["ledger", "gc", "--ledger", "desk.sqlite", "--json"]));
    assert_eq!(answer, json!({"ledger": "desk.sqlite", "calls": 0, "outputs": 0}));
}

/// Each command, of a call that the ledger at this path would hold.
fn commands<'a>(ledger: &[&'a str]) -> [Vec<&'a str>; 4] {
    let commands: [&[&str]; 4] = [
        &["ledger", "list"],
        &["ledger", "show", "d0d0d0d0"],
        &["ledger", "resolve", "d0d0d0d0", "--absent"],
        &["ledger", "gc"],
    ];
    commands.map(|command| [command, ledger].concat())
}

#[test]
fn ledger_missing() {
    let scene = Scene::new();
    for command in commands(&["--ledger", "new/none.sqlite"]).iter().chain(&commands(&[])) {
        let details = refused(&scene, command, "LEDGER_MISSING");
        assert_eq!(details, json!({"reason": "nothing was recorded there"}));
    }
    assert!(scene.everything().iter().all(std::collections::BTreeMap::is_empty));
    let _ledger = desk(&scene);
    for command in commands(&DESK) {
        done(&scene, &command);
    }
}

/// Where the program keeps none of its own, it says so, and looks after those of others.
#[test]
fn ledger_missing_where_none_is_kept() {
    let scene = Scene::new();
    let reason = |variables: &[(&str, &str)]| {
        let mut command = scene.command(&["ledger", "list", "--json"]);
        command.env_remove("XDG_STATE_HOME").env_remove("HOME").envs(variables.iter().copied());
        let ran = Ran::of(command.output().unwrap());
        assert_eq!((ran.exit, &ran.json()["refusal"]["code"]), (3, &json!("LEDGER_MISSING")), "{ran:?}");
        ran.json()["refusal"]["details"]["reason"].as_str().unwrap().to_owned()
    };
    let none = "FORECHECK_LEDGER is `none`, so that no record outlives its process";
    assert_eq!(reason(&[("FORECHECK_LEDGER", "none")]), none);
    assert!(reason(&[]).starts_with("no place for it is known: set FORECHECK_LEDGER to a path"));
    let _ledger = desk(&scene);
    let mut command = scene.command(&commands(&DESK)[3]);
    assert!(command.env("FORECHECK_LEDGER", "none").output().unwrap().status.success());
}

#[test]
fn ledger_unreadable() {
    let scene = Scene::new();
    scene.write("torn.sqlite", "a text, which is no database");
    let run = |path: &str, sql: &str| Connection::open(scene.path(path)).unwrap().execute_batch(sql).unwrap();
    run("other.sqlite", "CREATE TABLE mine (a INTEGER)");
    drop(desk(&scene));
    fs::copy(scene.path("desk.sqlite-wal"), scene.path("later.sqlite-wal")).unwrap();
    fs::copy(scene.path("desk.sqlite"), scene.path("later.sqlite")).unwrap();
    run("later.sqlite", "PRAGMA user_version = 2; PRAGMA wal_checkpoint(TRUNCATE)");
    fs::create_dir(scene.path("folder.sqlite")).unwrap();
    std::os::unix::fs::symlink("desk.sqlite", scene.path("link.sqlite")).unwrap();
    for (path, why) in [
        ("torn.sqlite", "it is damaged, or no ledger"),
        ("other.sqlite", "it is a database of another program"),
        ("later.sqlite", "it was made by a later version of this program (tables 2)"),
        ("folder.sqlite", "it is no regular file"),
        ("link.sqlite", "it is no regular file"),
    ] {
        for command in commands(&["--ledger", path]) {
            let details = refused(&scene, &command, "LEDGER_UNREADABLE");
            assert_eq!(details, json!({"reason": format!("`{path}`: {why}")}));
        }
    }
    for command in commands(&DESK) {
        done(&scene, &command);
    }
}

/// As an ordinary user: mode bits mean nothing to root. The ledger can be looked at, and is not written.
#[test]
fn ledger_unreadable_where_this_user_may_not_write() {
    let scene = Scene::new();
    let ledger = desk(&scene);
    let set_mode =
        |path: &str, mode| fs::set_permissions(scene.path(path), fs::Permissions::from_mode(mode)).unwrap();
    set_mode("", 0o755);
    as_nobody(&scene, &[]);
    for file in ["desk.sqlite", "desk.sqlite-wal", "desk.sqlite-shm"] {
        set_mode(file, 0o644);
    }
    let before = scene.tree("");
    let run =
        |command: &[&str]| Ran::of(as_nobody(&scene, &[command, &["--json"]].concat()).output().unwrap());
    let [list, _, resolve, gc] = commands(&DESK);
    for command in [&resolve, &gc] {
        let ran = run(command);
        let refusal = &ran.json()["refusal"];
        assert_eq!((ran.exit, &refusal["code"]), (3, &json!("LEDGER_UNREADABLE")), "{ran:?}");
        assert_eq!(
            refusal["details"],
            json!({"reason": "`desk.sqlite`: `desk.sqlite` belongs to another user"})
        );
    }
    assert_eq!((run(&list).exit, scene.tree("")), (0, before));
    assert!(run(&["ledger", "list"]).json()["output"]["calls"].as_array().is_some_and(Vec::is_empty));
    drop(ledger);
    for file in ["desk.sqlite", "desk.sqlite-wal", "desk.sqlite-shm"] {
        set_mode(file, 0o600);
    }
    done(&scene, &resolve);
}

#[test]
fn call_unknown() {
    let scene = Scene::new();
    let ledger = desk(&scene);
    let alike = "d0".repeat(31) + "d1";
    for scope in ["ada", "grace"] {
        ledger.settle(&claim(&ledger, new_claim(&alike, scope)), &doubt("x")).unwrap();
    }
    let name = |key: &str, scope: &str| json!({"key": key, "scope": scope});
    let fitting = [name(&key("d0"), "ada"), name(&alike, "ada"), name(&alike, "grace")];
    for (command, found) in [("show", &[][..]), ("resolve", &["--absent"])] {
        let call = |digits, more: &[&'static str]| -> Vec<&str> {
            [&["ledger", command, digits], found, &DESK, more].concat()
        };
        let unknown = |digits, more: &[&'static str]| refused(&scene, &call(digits, more), "CALL_UNKNOWN");
        assert_eq!(unknown("e0e0e0e0", &[]), json!({"fitting": []}));
        assert_eq!(unknown("d0d0d0d0", &["--scope", "eve"]), json!({"fitting": []}));
        assert_eq!(unknown("d0d0d0d0", &[]), json!({"fitting": fitting}));
        for digits in ["d0d0d0", "D0D0D0D0", "d0d0d0d0d0d0g"] {
            refused(&scene, &call(digits, &[]), "SCHEMA_INVALID");
        }
        done(&scene, &call("d0d0d0d0", &["--scope", "grace"]));
    }
}

#[test]
fn call_not_in_doubt() {
    let scene = Scene::new();
    let ledger = desk(&scene);
    let resolve = |digits, found| ["ledger", "resolve", digits, found, "--ledger", "desk.sqlite"];
    for found in ["--landed", "--absent"] {
        for (digits, state) in [("50505050", "succeeded"), ("a0a0a0a0", "started")] {
            let details = refused(&scene, &resolve(digits, found), "CALL_NOT_IN_DOUBT");
            assert_eq!(details, json!({"state": state}));
        }
    }
    done(&scene, &resolve("d0d0d0d0", "--landed"));
    let details = refused(&scene, &resolve("d0d0d0d0", "--absent"), "CALL_NOT_IN_DOUBT");
    assert_eq!(details, json!({"state": "succeeded"}));
    done(&scene, &resolve("d1d1d1d1", "--absent"));
    refused(&scene, &resolve("d1d1d1d1", "--landed"), "CALL_UNKNOWN");
    drop(ledger);
}

/// An operator says one thing of a call, in words that mean it.
#[test]
fn words_that_decide_nothing_make_no_call() {
    let scene = Scene::new();
    let _ledger = desk(&scene);
    let before = scene.everything();
    let resolve = [&["ledger", "resolve", "d0d0d0d0"][..], &DESK].concat();
    for words in [
        &[][..],
        &["--landed", "--absent"],
        &["--absent", "--output", "1"],
        &["--landed", "--output", "{"],
        &["--landed", "--output", r#"{"a": 1, "a": 2}"#],
    ] {
        let ran = scene.run(&[&resolve[..], words].concat());
        assert_eq!((ran.exit, &*ran.stdout), (2, ""), "{ran:?}");
    }
    assert_eq!(scene.everything(), before);
    done(&scene, &[&resolve[..], &["--landed", "--output", r#"{"a": 1}"#]].concat());
}

#[test]
fn calls_of_the_program_are_recorded_once_they_act() {
    let scene = keeper();
    for command in [&["check"][..], &["explain", "SPEC_HAS_ERRORS"], &["table"], &["gen", "--check"]] {
        scene.run(command);
        assert!(!scene.own_ledger().exists(), "{command:?}");
    }
    refused(&scene, &["gen", "--spec", "none"], "SPEC_UNREADABLE");
    done(&scene, &["gen"]);
    assert!(scene.own_ledger().exists());
    done(&scene, &["gen"]);
    done(&scene, &["init", "new"]);
    let calls = output(&scene.run(&["ledger", "list", "--json"]));
    let verbs = calls["calls"].as_array().unwrap().iter().map(|call| (&call["verb"], &call["state"]));
    let done_once = |verb: &str| (json!(verb), json!("succeeded"));
    let expected = ["generate", "generate", "init"].map(done_once);
    assert_eq!(verbs.map(|(verb, state)| (verb.clone(), state.clone())).collect::<Vec<_>>(), expected);
    assert_eq!(calls["ledger"], scene.own_ledger().to_str().unwrap());
    let answer = output(&scene.run(&["ledger", "gc", "--json"]));
    assert_eq!(answer["calls"], 3);
    assert_eq!(states(&scene, &[]).len(), 1);
}

/// For sandboxes without a home that can be written: nothing is recorded, and everything goes through.
#[test]
fn no_record_is_kept_where_none_is_wanted() {
    let scene = keeper();
    let set_mode =
        |path: &str, mode| fs::set_permissions(scene.path(path), fs::Permissions::from_mode(mode)).unwrap();
    set_mode("", 0o777);
    fs::create_dir(scene.path("home")).unwrap();
    set_mode("home", 0o555);
    let run = |ledger: Option<&str>| {
        let mut command = as_nobody(&scene, &["gen", "--json"]);
        command.env_remove("XDG_STATE_HOME").env("HOME", scene.path("home"));
        Ran::of(command.envs(ledger.map(|ledger| ("FORECHECK_LEDGER", ledger))).output().unwrap())
    };
    let ran = run(None);
    let refusal = &ran.json()["refusal"];
    assert_eq!((ran.exit, &refusal["code"]), (3, &json!("LEDGER_UNAVAILABLE")), "{ran:?}");
    let path = scene.path("home/.local/state/forecheck/ledger.sqlite");
    let reason = format!("`{}`: Permission denied (os error 13)", path.display());
    assert_eq!(refusal["details"], json!({"reason": reason}));
    assert!(!scene.path("generated").exists());
    let ran = run(Some("none"));
    assert_eq!(ran.exit, 0, "{ran:?}");
    assert_eq!(fs::read_dir(scene.path("home")).unwrap().count(), 0);
}

/// What acts is refused where no place for its record is known; what only reads is not.
#[test]
fn a_call_that_acts_needs_a_place_for_its_record() {
    let scene = keeper();
    let run = |arguments: &[&str], variables: &[(&str, &str)]| {
        let mut command = scene.command(arguments);
        command.env_remove("XDG_STATE_HOME").env_remove("HOME").envs(variables.iter().copied());
        Ran::of(command.output().unwrap())
    };
    let before = scene.everything();
    for arguments in [&["gen", "--json"][..], &["init", "new", "--json"]] {
        let ran = run(arguments, &[("HOME", "relative")]);
        let answer = ran.json();
        let told = (ran.exit, &answer["refusal"]["code"], &answer["effects_of_this_call"]);
        assert_eq!(told, (3, &json!("LEDGER_UNAVAILABLE"), &json!("none")), "{ran:?}");
        let reason = "no place for it is known: set FORECHECK_LEDGER to a path, or to `none` to keep no record \
                      beyond the process, or set XDG_STATE_HOME or HOME to an absolute path";
        assert_eq!(answer["refusal"]["details"], json!({"reason": reason}));
    }
    assert_eq!(run(&["check"], &[]).exit, 0);
    assert_eq!(scene.everything(), before);
    let home = scene.path("home");
    assert_eq!(run(&["gen"], &[("HOME", home.to_str().unwrap())]).exit, 0);
    assert!(home.join(".local/state/forecheck/ledger.sqlite").exists());
    assert_eq!(run(&["gen"], &[("FORECHECK_LEDGER", "records")]).exit, 0);
    assert!(scene.path("records").exists());
}
