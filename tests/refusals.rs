//! Every code of the shipped surface, raised by the real command, with nothing written; and beside
//! each the same call in the world in which it does not arise.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use crate::program::{Ran, Scene, as_nobody, keeper, repository};

/// Runs a call that is refused with `code`; nothing in the scene changes, nor is the call recorded. Gives back the
/// details.
pub(crate) fn refused(scene: &Scene, arguments: &[&str], code: &str) -> Value {
    refused_with(scene, arguments, "", code)
}

fn refused_with(scene: &Scene, arguments: &[&str], stdin: &str, code: &str) -> Value {
    let before = scene.everything();
    let with_json: Vec<&str> = arguments.iter().copied().chain(["--json"]).collect();
    let ran = scene.run_with(&with_json, stdin);
    let answer = ran.json();
    assert_eq!(
        (ran.exit, &answer["status"], &answer["refusal"]["code"], &answer["effects_of_this_call"]),
        (3, &json!("refused"), &json!(code), &json!("none")),
        "{ran:?}"
    );
    assert_eq!(misfits(&answer), [""; 0], "{ran:?}");
    let in_words = scene.run_with(arguments, stdin);
    assert_eq!((in_words.exit, &*in_words.stdout), (3, ""));
    assert!(in_words.stderr.contains(&format!("refused[{code}]: ")), "{in_words:?}");
    assert_eq!(scene.everything(), before, "a refused call changed something");
    answer["refusal"]["details"].clone()
}

/// Where the answer of a refused call is not what is published: the shape of every refusal, and what the row of its
/// code promises for its verb.
pub(crate) fn misfits(answer: &Value) -> Vec<String> {
    let read = |path: &str| -> Value {
        serde_json::from_slice(&fs::read(repository().join(path)).unwrap()).unwrap()
    };
    let (refusal, verb) = (&answer["refusal"], answer["verb"].as_str().unwrap());
    let common = |name: &str| {
        let mut schema = read("spec/verbs/_common.schema.json");
        schema["$ref"] = json!(format!("#/$defs/{name}"));
        schema
    };
    let mut misfits = faults("status", &common("Status"), &answer["status"]);
    misfits.extend(faults("refusal", &common("Error"), refusal));
    let code = refusal["code"].as_str().unwrap();
    let table = read("generated/errors.json");
    let of_verb = |row: &Value| row["verbs"].as_array().unwrap().iter().any(|one| one == verb);
    let own = table["codes"].as_array().unwrap().iter().find(|row| row["code"] == code && of_verb(row));
    let runtime = || table["runtime_codes"].as_array().unwrap().iter().find(|row| row["code"] == code);
    let Some(row) = own.or_else(runtime) else {
        misfits.push(format!("code: {code} is no code of {verb}"));
        return misfits;
    };
    let group = row["by_verb"].as_array().and_then(|groups| groups.iter().find(|group| of_verb(group)));
    for member in ["resend", "change"] {
        let (said, promised) = (&refusal[member], &group.unwrap_or(row)[member]);
        if said != promised {
            misfits.push(format!("{member}: {said} instead of {promised}"));
        }
    }
    if row["details"].is_null() != refusal["details"].is_null() {
        misfits.push(format!("details: {} where the schema is {}", refusal["details"], row["details"]));
    } else if !row["details"].is_null() {
        misfits.extend(faults("details", &row["details"], &refusal["details"]));
    }
    misfits
}

fn faults(what: &str, schema: &Value, instance: &Value) -> Vec<String> {
    let validator = jsonschema::options().offline().build(schema).unwrap();
    validator.iter_errors(instance).map(|fault| format!("{what}: {fault}")).collect()
}

/// The positive control: the same call goes through.
pub(crate) fn done(scene: &Scene, arguments: &[&str]) -> Ran {
    let ran = scene.run(arguments);
    assert_eq!(ran.exit, 0, "{ran:?}");
    ran
}

#[test]
fn spec_unreadable() {
    let scene = keeper();
    for command in [&["gen"][..], &["gen", "--check"], &["check"], &["key", "open_change"], &["table"]] {
        let call: Vec<&str> = command.iter().copied().chain(["--spec", "none"]).collect();
        let details = refused(&scene, &call, "SPEC_UNREADABLE");
        assert_eq!(details, json!({"reason": "No such file or directory (os error 2)"}));
    }
    done(&scene, &["gen"]);
    done(&scene, &["gen", "--check"]);
    done(&scene, &["check"]);
    done(&scene, &["table"]);
}

#[test]
fn spec_has_errors() {
    let scene = keeper();
    scene.write("spec/verbs/bad.schema.json", r#"{"verb": "bad", "target": null, "input": {}}"#);
    for command in [&["gen"][..], &["gen", "--check"], &["key", "open_change"], &["table"]] {
        let details = refused(&scene, command, "SPEC_HAS_ERRORS");
        let expected = json!({"errors": 1, "warnings": 0, "problems": [{
            "severity": "error", "lint": "missing-field", "file": "verbs/bad.schema.json", "line": 1, "column": 1,
            "message": "a verb needs the member `constraints`", "related": []}]});
        assert_eq!(details, expected);
    }
    scene.write(
        "spec/verbs/bad.schema.json",
        r#"{"verb": "bad", "target": null, "input": {}, "constraints": []}"#,
    );
    done(&scene, &["gen"]);
}

#[test]
fn warnings_denied() {
    let scene = keeper();
    scene.write("spec/defs/unused.schema.json", "{}");
    for command in [&["gen", "--deny-warnings"][..], &["gen", "--check", "--deny-warnings"]] {
        let details = refused(&scene, command, "WARNINGS_DENIED");
        assert_eq!((&details["warnings"], &details["problems"][0]["lint"]), (&json!(1), &json!("unused")));
    }
    done(&scene, &["gen"]);
}

#[test]
fn folders_overlap() {
    let scene = keeper();
    for out in ["spec", "spec/generated", "."] {
        refused(&scene, &["gen", "--out", out], "FOLDERS_OVERLAP");
        refused(&scene, &["gen", "--out", out, "--prune"], "FOLDERS_OVERLAP");
    }
    refused(&scene, &["gen", "--out", "generated", "--rust", "generated/rust"], "FOLDERS_OVERLAP");
    done(&scene, &["gen", "--out", "generated", "--rust", "rust"]);
}

#[test]
fn output_unreadable() {
    let scene = keeper();
    scene.write("generated", "a file");
    let details = refused(&scene, &["gen"], "OUTPUT_UNREADABLE");
    assert_eq!(details["path"], "generated");
    fs::remove_file(scene.path("generated")).unwrap();
    done(&scene, &["gen"]);
}

#[test]
fn key_lock_unreadable() {
    let scene = keeper();
    done(&scene, &["gen"]);
    let keys = fs::read(scene.path("generated/keys.json")).unwrap();
    scene.write("generated/keys.json", "<<<<<<< HEAD\n");
    refused(&scene, &["gen"], "KEY_LOCK_UNREADABLE");
    refused(&scene, &["gen", "--check"], "KEY_LOCK_UNREADABLE");
    scene.write("generated/keys.json", keys);
    done(&scene, &["gen"]);
}

#[test]
fn key_recipe_changed() {
    let scene = keeper();
    done(&scene, &["gen"]);
    let verb = scene.path("spec/verbs/open_change.schema.json");
    let edit = |from: &str, to: &str| {
        let text = fs::read_to_string(&verb).unwrap();
        assert!(text.contains(from));
        fs::write(&verb, text.replace(from, to)).unwrap();
    };
    edit(r#""default": false"#, r#""default": true"#);
    let details = refused(&scene, &["gen"], "KEY_RECIPE_CHANGED");
    let moved = &details["moved"][0];
    assert_eq!(
        (&moved["verb"], &moved["locked_revision"], &moved["revision"]),
        (&json!("open_change"), &json!(1), &json!(1))
    );
    assert!(moved["locked"].as_str().unwrap().contains(r#""/draft":"false""#));
    assert!(moved["now"].as_str().unwrap().contains(r#""/draft":"true""#));
    refused(&scene, &["gen", "--check"], "KEY_RECIPE_CHANGED");
    edit(r#""verb": "open_change","#, r#""verb": "open_change", "revision": 2,"#);
    done(&scene, &["gen"]);
    edit(r#""revision": 2,"#, "");
    refused(&scene, &["gen"], "KEY_RECIPE_CHANGED");
}

/// A verb that comes back after it was gone, or was read-only for a while, is locked as it was.
#[test]
fn key_recipe_changed_while_the_verb_was_gone() {
    let scene = keeper();
    done(&scene, &["gen"]);
    let verb = scene.path("spec/verbs/open_change.schema.json");
    let text = fs::read_to_string(&verb).unwrap();
    fs::write(&verb, text.replace(r#"[{"kind": "write", "target": "a branch"}]"#, "[]")).unwrap();
    done(&scene, &["gen"]);
    done(&scene, &["gen", "--check"]);
    fs::write(&verb, text.replace(r#""default": false"#, r#""default": true"#)).unwrap();
    refused(&scene, &["gen"], "KEY_RECIPE_CHANGED");
    fs::write(&verb, text).unwrap();
    done(&scene, &["gen"]);
}

#[test]
fn output_has_foreign_files() {
    let scene = keeper();
    scene.write("generated/notes.txt", "mine");
    scene.write("generated/errors.json", "mine");
    let details = refused(&scene, &["gen"], "OUTPUT_HAS_FOREIGN_FILES");
    assert_eq!(details, json!({"files": ["generated/errors.json", "generated/notes.txt"]}));
    done(&scene, &["gen", "--prune"]);
    assert!(!scene.path("generated/notes.txt").exists());
}

#[test]
fn output_busy() {
    let scene = keeper();
    done(&scene, &["gen"]);
    let folder = File::open(scene.path("generated")).unwrap();
    folder.lock().unwrap();
    assert_eq!(refused(&scene, &["gen"], "OUTPUT_BUSY"), json!({"folder": "generated"}));
    folder.unlock().unwrap();
    done(&scene, &["gen"]);
}

/// As an ordinary user: mode bits mean nothing to root.
#[test]
fn output_unwritable() {
    let scene = keeper();
    done(&scene, &["gen"]);
    let spec = scene.path("spec/constraints/REPO_NOT_IN_REGISTRY.json");
    fs::write(&spec, fs::read_to_string(&spec).unwrap().replace("looked after", "known")).unwrap();
    let set_mode =
        |path: &str, mode| fs::set_permissions(scene.path(path), fs::Permissions::from_mode(mode)).unwrap();
    set_mode("", 0o755);
    set_mode("generated", 0o555);
    as_nobody(&scene, &[]);
    let before = scene.tree("");
    let run = || Ran::of(as_nobody(&scene, &["gen", "--json"]).output().unwrap());
    let ran = run();
    assert_eq!((ran.exit, &ran.json()["refusal"]["code"]), (3, &json!("OUTPUT_UNWRITABLE")), "{ran:?}");
    assert_eq!(scene.tree(""), before);
    for folder in ["generated", "generated/codes", "generated/verbs", "generated/rust"] {
        set_mode(folder, 0o777);
    }
    let ran = run();
    assert_eq!(ran.exit, 0, "{ran:?}");
}

#[test]
fn errors_unreadable() {
    let scene = keeper();
    done(&scene, &["gen"]);
    scene.write("other.json", r#"{"codes": []}"#);
    refused(&scene, &["explain", "NO_PRIVILEGED_PATHS", "--errors", "none.json"], "ERRORS_UNREADABLE");
    refused(&scene, &["explain", "NO_PRIVILEGED_PATHS", "--errors", "other.json"], "ERRORS_UNREADABLE");
    done(&scene, &["explain", "NO_PRIVILEGED_PATHS", "--errors", "generated/errors.json"]);
}

#[test]
fn code_unknown() {
    let scene = keeper();
    done(&scene, &["gen"]);
    let explain = |code| ["explain", code, "--errors", "generated/errors.json"];
    let nearest = |code| refused(&scene, &explain(code), "CODE_UNKNOWN")["nearest"].clone();
    assert_eq!(nearest("NO_PRIVILEGED_PATH"), json!(["NO_PRIVILEGED_PATHS"]));
    assert_eq!(nearest("no-privileged-paths"), json!(["NO_PRIVILEGED_PATHS"]));
    assert_eq!(nearest("ZZZ"), json!([]));
    done(&scene, &explain("NO_PRIVILEGED_PATHS"));
    done(&scene, &explain("SCHEMA_INVALID"));
}

#[test]
fn verb_unknown() {
    let scene = keeper();
    let details = refused_with(&scene, &["key", "open_chnage"], "{}", "VERB_UNKNOWN");
    assert_eq!(details, json!({"nearest": ["open_change"]}));
    assert_eq!(scene.run_with(&["key", "open_change"], r#"{"repo": "a", "paths": []}"#).exit, 0);
}

#[test]
fn verb_has_no_key() {
    let scene = keeper();
    assert_eq!(refused_with(&scene, &["key", "list_repos"], "{}", "VERB_HAS_NO_KEY"), Value::Null);
    assert_eq!(scene.run_with(&["key", "open_change"], r#"{"repo": "a", "paths": []}"#).exit, 0);
}

#[test]
fn keyed_input_refused() {
    let scene = keeper();
    let problems = |input: &str| {
        let details = refused_with(&scene, &["key", "open_change"], input, "KEYED_INPUT_REFUSED");
        let problems = details["problems"].as_array().unwrap().iter();
        problems
            .map(|p| {
                format!(
                    "{}:{} {} {}",
                    p["line"],
                    p["column"],
                    p["code"].as_str().unwrap(),
                    p["at"].as_str().unwrap()
                )
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(problems("{\n\"repo\": }"), ["2:9 INPUT_NOT_JSON /repo"]);
    assert_eq!(problems(r#"{"repo": "a", "repo": "b"}"#), ["1:15 INPUT_DUPLICATE_KEY /repo"]);
    assert_eq!(problems(r#"{"repo": "\ud800"}"#), ["1:11 INPUT_INVALID_UNICODE /repo"]);
    assert_eq!(problems(r#"{"n": 9007199254740993}"#), ["1:7 INPUT_NUMBER_UNSAFE /n"]);
    assert_eq!(
        problems(r#"{"repo": "a", "paths": [], "retries": 1e20}"#),
        ["1:39 INPUT_NUMBER_UNSAFE /retries"]
    );
    assert_eq!(problems(&"[".repeat(65)), [format!("1:65 INPUT_TOO_DEEP {}", "/0".repeat(64))]);
    assert_eq!(
        problems(r#"{"repo": 1, "paths": [2]}"#),
        ["1:23 SCHEMA_INVALID /paths/0", "1:10 SCHEMA_INVALID /repo"]
    );
    assert_eq!(problems(r#"{"repo": "a|b", "paths": []}"#), ["1:10 TARGET_INVALID /repo"]);
    assert_eq!(problems(r#"{"repo": "", "paths": []}"#), ["1:10 TARGET_INVALID /repo"]);
    let set: BTreeSet<i32> =
        [r#"{"repo": "a", "paths": []}"#, r#"{"repo": "A", "paths": ["x"], "title": "t"}"#]
            .map(|input| scene.run_with(&["key", "open_change"], input).exit)
            .into();
    assert_eq!(set, BTreeSet::from([0]));
}

#[test]
fn name_invalid() {
    let scene = keeper();
    let long = "a".repeat(65);
    for name in [
        "",
        "Keeper",
        "a--b",
        "a-",
        "a.b",
        "2d",
        "a b",
        "match",
        "serde-json",
        "forecheck-contract",
        "nul",
        "build",
        &long,
    ] {
        let call = ["init", "new", "--name", name];
        assert_eq!(refused(&scene, &call, "NAME_INVALID"), Value::Null);
    }
    refused(&scene, &["init", "My Keeper"], "NAME_INVALID");
    done(&scene, &["init", "My Keeper", "--name", "my-keeper"]);
    for name in ["a", "matches", "a-2_b", &"a".repeat(64)] {
        done(&scene, &["init", &format!("new {name}"), "--name", name]);
    }
}

#[test]
fn runtime_crate_missing() {
    let scene = keeper();
    scene.write("other/Cargo.toml", "[package]\nname = \"forecheck-verbs\"\n");
    let init = |path| ["init", "new", "--forecheck", path];
    let details = refused(&scene, &init("none"), "RUNTIME_CRATE_MISSING");
    assert_eq!(details, json!({"reason": "none/Cargo.toml: No such file or directory (os error 2)"}));
    let details = refused(&scene, &init("other"), "RUNTIME_CRATE_MISSING");
    assert_eq!(details, json!({"reason": "its Cargo.toml has another name"}));
    done(&scene, &init(repository().join("crates/forecheck").to_str().unwrap()));
}

#[test]
fn folder_not_empty() {
    let scene = keeper();
    scene.write("new/.git/config", "");
    scene.write("new/notes.txt", "mine");
    let details = refused(&scene, &["init", "new"], "FOLDER_NOT_EMPTY");
    assert_eq!(details, json!({"entries": ["notes.txt"]}));
    refused(&scene, &["init", "--name", "new"], "FOLDER_NOT_EMPTY");
    fs::remove_file(scene.path("new/notes.txt")).unwrap();
    done(&scene, &["init", "new"]);
    refused(&scene, &["init", "new"], "FOLDER_NOT_EMPTY");
}

#[test]
fn folder_unwritable() {
    let scene = keeper();
    scene.write("file", "mine");
    std::os::unix::fs::symlink("nowhere", scene.path("link")).unwrap();
    for (folder, reason) in [
        ("file", "Not a directory (os error 20)"),
        ("file/new", "Not a directory (os error 20)"),
        ("link", "No such file or directory (os error 2)"),
    ] {
        let details = refused(&scene, &["init", folder, "--name", "new"], "FOLDER_UNWRITABLE");
        assert_eq!(details, json!({"path": folder, "reason": reason}));
    }
    done(&scene, &["init", "new"]);
}

/// As an ordinary user: mode bits mean nothing to root.
#[test]
fn folder_unwritable_by_this_user() {
    let scene = keeper();
    let set_mode = |mode| fs::set_permissions(scene.path(""), fs::Permissions::from_mode(mode)).unwrap();
    set_mode(0o755);
    as_nobody(&scene, &[]);
    let before = scene.tree("");
    let run = || Ran::of(as_nobody(&scene, &["init", "new/er", "--json"]).output().unwrap());
    let ran = run();
    let refusal = &ran.json()["refusal"];
    assert_eq!((ran.exit, &refusal["code"]), (3, &json!("FOLDER_UNWRITABLE")), "{ran:?}");
    assert_eq!(refusal["details"], json!({"path": ".", "reason": "Permission denied (os error 13)"}));
    assert_eq!(scene.tree(""), before, "a refused call changed something");
    set_mode(0o777);
    let ran = run();
    assert_eq!(ran.exit, 0, "{ran:?}");
}

/// The input of a call is itself a text inside the input of `derive_key`, and both share one limit.
#[test]
fn input_too_large() {
    let scene = keeper();
    let input = r#"{"repo": "a", "paths": []}"#;
    let around = serde_json::json!({"spec": "spec", "verb": "open_change", "text": input}).to_string();
    let padded = |blanks: usize| input.to_owned() + &" ".repeat(blanks);
    let room = (1 << 20) - around.len();
    assert_eq!(scene.run_with(&["key", "open_change"], &padded(room)).exit, 0);
    let quoted = format!(r#"{{"repo": "a", "paths": [{}""]}}"#, r#""","#.repeat(300_000));
    assert!(quoted.len() < 1 << 20);
    for input in [padded(room + 1), padded(2 << 20), quoted] {
        let details = refused_with(&scene, &["key", "open_change"], &input, "INPUT_TOO_LARGE");
        assert_eq!(details, Value::Null);
    }
}

/// A target stands in a key even where the verb has none: a bar in it is refused.
#[test]
fn target_invalid() {
    let scene = keeper();
    refused(&scene, &["check", "--spec", "a|b"], "TARGET_INVALID");
    done(&scene, &["check", "--spec", "spec/"]);
}
