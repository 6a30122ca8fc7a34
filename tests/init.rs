//! `forecheck init`: what it writes builds, passes and says what is so.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};

use crate::program::{Scene, forecheck, repository};

/// The crate that new projects are built with.
fn runtime() -> PathBuf {
    repository().join("crates/forecheck").canonicalize().unwrap()
}

fn init(scene: &Scene, arguments: &[&str]) -> String {
    let mut command = scene.command(&["init"]);
    let output = command.args(arguments).arg("--forecheck").arg(runtime()).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).unwrap().replace(runtime().to_str().unwrap(), "[runtime]")
}

/// Locks what was fetched for this repository: nothing is asked of a registry.
fn lock(scene: &Scene, folder: &str) {
    fs::copy(repository().join("Cargo.lock"), scene.path(folder).join("Cargo.lock")).unwrap();
}

/// Runs words as they were printed, in a shell, with nothing fetched. None of them has a warning to give.
fn typed(scene: &Scene, folder: &str, words: &str) -> String {
    let programs = [forecheck(), env!("CARGO").as_ref()].map(|program| program.parent().unwrap());
    let path = format!("{}:{}:/usr/bin:/bin", programs[0].display(), programs[1].display());
    let mut shell = Command::new("bash");
    scene.keep_records_apart(&mut shell);
    let shell = shell
        .args(["-euo", "pipefail", "-c", words])
        .current_dir(scene.path(folder))
        .env("PATH", path)
        .env("CARGO_NET_OFFLINE", "true")
        .env("CARGO_TARGET_DIR", repository().join("target/generated-crates"))
        .output()
        .unwrap();
    let stderr = String::from_utf8(shell.stderr).unwrap();
    assert!(shell.status.success() && !stderr.contains("warning"), "{words}: {stderr}");
    String::from_utf8(shell.stdout).unwrap()
}

/// The status and the code of each answer.
fn answers(stdout: &str) -> Vec<(Value, Value)> {
    let answers = stdout.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    answers.map(|answer| (answer["status"].clone(), answer["refusal"]["code"].clone())).collect()
}

/// A newcomer types what the program and the README say, word for word.
#[test]
fn a_new_project_is_what_its_texts_say() {
    let scene = Scene::new();
    let said = init(&scene, &["keeper"]);
    insta::assert_snapshot!("init", said);
    lock(&scene, "keeper");
    let (_, next) = said.split_once("next:\n").unwrap();
    let printed = typed(&scene, "", next);
    assert!(printed.contains("test result: ok. 3 passed"), "{printed}");
    assert!(printed.ends_with("0 warnings in 1 verb\neverything is up to date\n"), "{printed}");

    let readme = fs::read_to_string(scene.path("keeper/README.md")).unwrap();
    let blocks = readme.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let printed: Vec<String> = blocks.map(|block| typed(&scene, "keeper", block)).collect();
    let told: Vec<_> = printed.iter().map(|stdout| answers(stdout)).collect();
    let refused = vec![(json!("refused"), json!("BOARD_UNKNOWN"))];
    let acted = vec![(json!("succeeded"), Value::Null), (json!("skipped_idempotent"), Value::Null)];
    assert_eq!(told, [vec![], refused, acted, vec![]]);
    assert!(printed[1].contains(r#""resend":"same_input""#), "{}", printed[1]);
    assert!(printed[1].ends_with("sending the call again is safe.\n"), "{}", printed[1]);
    assert_eq!(fs::read_dir(scene.path("keeper/boards/team")).unwrap().count(), 1);
    assert!(printed[3].contains("0 files written, 0 removed, "), "{}", printed[3]);
    assert_eq!(typed(&scene, "keeper", "cargo fmt --check"), "");
}

/// CI runs what the program says to type next, which the test above types; only the program has to be
/// there first.
#[test]
fn the_ci_of_a_new_project_runs_what_is_to_be_typed() {
    let scene = Scene::new();
    let said = init(&scene, &["keeper"]);
    let next: BTreeSet<&str> = said.lines().rev().take(3).map(str::trim).collect();
    let ci = fs::read_to_string(scene.path("keeper/.github/workflows/ci.yml")).unwrap();
    let steps =
        |kind: &str| -> Vec<&str> { ci.lines().filter_map(|line| line.trim().strip_prefix(kind)).collect() };
    assert_eq!(steps("- uses: "), ["actions/checkout@v4"]);
    let run = steps("- run: ");
    let install = concat!("cargo install --locked forecheck-cli@", env!("CARGO_PKG_VERSION"));
    assert_eq!((run[0], run[1..].iter().copied().collect::<BTreeSet<_>>()), (install, next));
}

/// A folder that holds nothing but a repository is filled, under another name than its own, also where that is a name
/// that the code inside has, too.
#[test]
fn a_folder_is_filled_where_it_stands() {
    let scene = Scene::new();
    scene.write(".git/config", "mine");
    let said = init(&scene, &["--name", "add-note"]);
    lock(&scene, "");
    assert!(said.starts_with(".: 38 files written") && said.contains("next:\n  cargo test\n"), "{said}");
    let files = scene.tree("");
    assert_eq!(files[".git/config"], b"mine");
    assert!(String::from_utf8_lossy(&files["Cargo.toml"]).contains("name = \"add-note\""));
    typed(&scene, "", "cargo check --all-targets");
}

/// Without a folder, the package asks for the version that wrote it.
#[test]
fn a_project_asks_for_the_version_of_the_program() {
    let scene = Scene::new();
    let ran = scene.run(&["init", "keeper", "--json"]);
    let answer = ran.json();
    assert_eq!(
        (ran.exit, &answer["status"], &answer["effects_of_this_call"]),
        (0, &json!("succeeded"), &json!("complete"))
    );
    let written = answer["output"]["written"].as_array().unwrap().iter();
    let written: Vec<&str> = written.map(|path| path.as_str().unwrap()).collect();
    let tree = scene.tree("");
    let files: Vec<&str> =
        tree.keys().filter(|path| scene.path(path).is_file()).map(String::as_str).collect();
    assert_eq!(written, files);
    assert_eq!(answer["output"]["dependency"], "\"0.1\"");
    let manifest = String::from_utf8_lossy(&tree["keeper/Cargo.toml"]);
    assert!(manifest.contains("\nforecheck = \"0.1\"\n"), "{manifest}");
}

/// A folder so deep that its first file has a path short enough, and the second has not: what was made by
/// then is removed again.
#[test]
fn a_project_that_stops_half_way_leaves_nothing() {
    let scene = Scene::new();
    let deep = |length: usize| "d/".repeat(length / 2);
    let before = scene.tree("");
    let longest = 4095 - ".gitattributes".len();
    let ran = scene.run(&["init", &deep(longest), "--name", "keeper", "--json"]);
    let answer = ran.json();
    let told = (ran.exit, &answer["status"], &answer["effects_of_this_call"]);
    assert_eq!(told, (4, &json!("failed"), &json!("none")));
    let message = answer["message"].as_str().unwrap().trim_start_matches('`').replace("d/", "");
    assert_eq!(message, ".github/workflows` cannot be written: File name too long (os error 36)");
    assert_eq!(scene.tree(""), before);
    assert_eq!(scene.run(&["init", &deep(3000), "--name", "keeper"]).exit, 0);
}
