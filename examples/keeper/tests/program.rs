//! The program: exit codes, and calls line by line.

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use crate::scene::{Scene, Stage, input};

fn run(scene: &Scene, arguments: &[&str], stdin: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_keeper"));
    command.args(arguments).current_dir(scene.path(""));
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(stdin.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn lines(output: &Output) -> Vec<Value> {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn exit_codes_say_how_a_call_ended() {
    let scene = Scene::at(Stage::Installed);
    let told = |arguments: &[&str], stdin: &str| {
        let output = run(&scene, arguments, stdin);
        let status = lines(&output).first().map_or(Value::Null, |answer| answer["status"].clone());
        (output.status.code(), status)
    };
    let change = input("open_change").to_string();
    let in_the_way = change.replace("README.md", "README.md/a");
    assert_eq!(told(&["preflight", "open_change", "--as", "bob"], &change), (Some(0), "cleared".into()));
    assert_eq!(told(&["call", "open_change", "--as", "bob"], &in_the_way), (Some(4), "failed".into()));
    assert_eq!(told(&["call", "open_change", "--as", "bob"], &change), (Some(0), "succeeded".into()));
    let skipped = (Some(0), "skipped_idempotent".into());
    assert_eq!(told(&["call", "open_change", "--as", "bob"], &change), skipped);
    let retitled = change.replace("Greet", "Salute");
    assert_eq!(told(&["call", "open_change", "--as", "bob"], &retitled), (Some(3), "refused".into()));
    assert_eq!(told(&["preflight", "open_change"], &change), (Some(3), "refused".into()));
    assert_eq!(told(&["call", "no_such_verb"], "{}"), (Some(2), Value::Null));
    assert_eq!(told(&["call", "open_change", "--input", "no-such-file"], ""), (Some(2), Value::Null));
    assert_eq!(told(&["calls"], ""), (Some(2), Value::Null));
    // The branch can be made, and its record cannot be written.
    crate::scene::write(&scene.path("changes/2.toml.new/in-the-way"), "");
    let another = change.replace("greeting\"", "another\"");
    assert_eq!(told(&["call", "open_change", "--as", "ada"], &another), (Some(5), "in_doubt".into()));
}

#[test]
fn the_verbs_are_those_of_the_surface() {
    let scene = Scene::at(Stage::Unregistered);
    let told = &lines(&run(&scene, &["verbs"], ""))[0];
    let mut told: Vec<&str> =
        told["verbs"].as_array().unwrap().iter().map(|verb| verb.as_str().unwrap()).collect();
    told.sort_unstable();
    let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/spec/verbs")).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut verbs: Vec<String> = names.map(|name| name.replace(".schema.json", "")).collect();
    verbs.sort_unstable();
    assert_eq!(told, verbs);
}

/// A repeat is skipped, for whoever made the call; other people's calls are their own.
#[test]
fn calls_at_one_desk_share_a_ledger() {
    let scene = Scene::at(Stage::Registered);
    let line =
        |verb: &str, caller: &str| json!({"verb": verb, "as": caller, "input": input(verb)}).to_string();
    let calls = [
        line("open_change", "bob"),
        line("install_playbook", "ada"),
        line("open_change", "bob"),
        line("open_change", "bob"),
        line("open_change", "ada"),
        line("open_change", "eve"),
        "no JSON".to_owned(),
        r#"{"verb": "land", "as": "bob", "input": {}}"#.to_owned(),
        r#"{"verb": "list_changes", "as": "bob", "input": {"repo": "octo/hello", "repo": "octo/hello"}}"#
            .to_owned(),
        line("land_change", "bob"),
    ];
    let output = run(&scene, &["serve"], &(calls.join("\n") + "\n"));
    assert_eq!((output.status.code(), &output.stderr[..]), (Some(0), &b""[..]));
    let told = lines(&output).into_iter().map(|answer| {
        let code = answer["refusal"]["code"].as_str().map(str::to_owned);
        code.unwrap_or_else(|| answer["status"].as_str().unwrap_or("error").to_owned())
    });
    let expected = [
        "PLAYBOOK_NOT_INSTALLED",
        "succeeded",
        "succeeded",
        "skipped_idempotent",
        "BRANCH_EXISTS",
        "AUTH_DENIED",
        "error",
        "error",
        "INPUT_DUPLICATE_KEY",
        "succeeded",
    ];
    assert_eq!(told.collect::<Vec<_>>(), expected);
    assert_eq!((scene.marks(), scene.fsck()), (Vec::new(), String::new()));
}
