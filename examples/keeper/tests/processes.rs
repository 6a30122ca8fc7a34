//! Several calls at once, in one process and in several, and processes that die.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;

use forecheck::outcome::{Next, Status};
use serde_json::{Value, json};

use crate::scene::{Scene, Stage, input};

/// Starts the program, which waits for the end of its input.
fn started(scene: &Scene, verb: &str, path: Option<&str>) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_keeper"));
    command.args(["call", verb, "--as", "ada", "--desk"]).arg(scene.path(""));
    command.envs(path.map(|path| ("PATH", path)));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn ended(mut child: Child, input: &Value) -> Output {
    child.stdin.take().unwrap().write_all(input.to_string().as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn answer(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

/// The answers to calls that are sent to as many processes at the same time.
fn at_once(scene: &Scene, verb: &str, inputs: &[Value]) -> Vec<Value> {
    let children: Vec<Child> = inputs.iter().map(|_| started(scene, verb, None)).collect();
    std::thread::scope(|scope| {
        let threads = children.into_iter().zip(inputs);
        let threads: Vec<_> =
            threads.map(|(child, input)| scope.spawn(move || ended(child, input))).collect();
        threads.into_iter().map(|thread| answer(&thread.join().unwrap())).collect()
    })
}

#[test]
fn processes_that_open_changes_at_once_do_not_mix() {
    let scene = Scene::at(Stage::Installed);
    scene.edit("registry.toml", "change_limit = 3", "change_limit = 6");
    let inputs: Vec<Value> = (0..8)
        .map(|number| {
            let mut change = input("open_change");
            change["branch"] = format!("greeting-{number}").into();
            change
        })
        .collect();
    let answers = at_once(&scene, "open_change", &inputs);
    let opened: BTreeSet<u64> =
        answers.iter().filter_map(|answer| answer["output"]["change"].as_u64()).collect();
    assert_eq!(opened, (1..=6).collect());
    let refused = answers.iter().filter(|answer| answer["refusal"]["code"] == "CHANGE_LIMIT_REACHED");
    assert_eq!(refused.count(), 2);
    assert_eq!(scene.git(&["for-each-ref", "--format=x", "refs/heads/greeting-*"]).lines().count(), 6);
    assert_eq!((scene.fsck(), scene.marks()), (String::new(), Vec::new()));
}

/// What a change is refused for while another process lands it: its work tree may be on its way, and what
/// is on its way cannot always be read.
const LANDED_MEANWHILE: [&str; 5] =
    ["CHANGE_NOT_OPEN", "BASE_MOVED", "WORKTREE_DIRTY", "REPO_LOCKED", "FACT_UNAVAILABLE"];

/// Every process has a ledger of its own, so the second call is not skipped: it is refused.
#[test]
fn of_two_processes_that_make_the_same_call_one_acts() {
    let codes: [(&str, Stage, &[&str]); 3] = [
        ("open_change", Stage::Installed, &["BRANCH_EXISTS"]),
        ("land_change", Stage::Opened, &LANDED_MEANWHILE),
        ("retire_repo", Stage::Installed, &["REPO_RETIRED"]),
    ];
    for (verb, stage, codes) in codes {
        for _ in 0..5 {
            let scene = Scene::at(stage);
            let mut answers = at_once(&scene, verb, &[input(verb), input(verb)]);
            answers.sort_by_key(|answer| answer["status"] != "succeeded");
            let [first, second] = answers.as_slice() else { panic!("{answers:?}") };
            assert_eq!(
                (&first["status"], &second["effects_of_this_call"]),
                (&"succeeded".into(), &"none".into())
            );
            let code = second["refusal"]["code"].as_str().unwrap_or_default();
            assert!(codes.contains(&code), "{second}");
            assert_eq!((scene.fsck(), scene.marks()), (String::new(), Vec::new()));
        }
    }
}

#[test]
fn an_exclusive_call_waits_for_nobody_in_its_process() {
    let scene = Scene::at(Stage::Opened);
    let ledger = Arc::clone(&scene.host().ledger);
    let land = || {
        let text = input("land_change").to_string();
        keeper::generated::land_change::call(scene.host(), text.as_bytes())
    };
    let hold = ledger.hold("octo/hello").unwrap().unwrap();
    let before = scene.snapshot();
    let outcome = land();
    assert_eq!((outcome.status, outcome.next), (Status::InFlight, Some(Next::Wait)));
    assert_eq!(scene.snapshot(), before);
    ledger.release(&hold).unwrap();
    assert_eq!(land().status, Status::Succeeded);
}

/// The search path to a `git` that runs lines of a shell before and after the real one.
fn git_between(scene: &Scene, before: &str, after: &str) -> String {
    let git = Command::new("sh").args(["-c", "command -v git"]).output().unwrap().stdout;
    let git = String::from_utf8(git).unwrap();
    let folder = scene.path("bin");
    let script = format!("#!/bin/sh\n{before}\n{} \"$@\"\nended=$?\n{after}\nexit $ended\n", git.trim());
    crate::scene::write(&folder.join("git"), script);
    fs::set_permissions(folder.join("git"), fs::Permissions::from_mode(0o755)).unwrap();
    format!("{}:{}", folder.display(), std::env::var("PATH").unwrap())
}

/// A `git` that kills whoever started it, once its command number `fatal` is done.
fn deadly_git(scene: &Scene, fatal: usize) -> String {
    let count = scene.path("count").display().to_string();
    let after = format!("if [ $(wc -l < '{count}') -eq {fatal} ]; then kill -9 $PPID; fi");
    git_between(scene, &format!("echo >> '{count}'"), &after)
}

/// What somebody does between the checks and the effect, which reads a tree first, is seen in time.
#[test]
fn a_work_tree_that_changes_meanwhile_is_left_alone() {
    let meanwhile = [
        (":", Value::Null),
        ("echo mine > README.md", "WORKTREE_DIRTY".into()),
        ("touch .git/index.lock", "REPO_LOCKED".into()),
    ];
    for (somebody, code) in meanwhile {
        let scene = Scene::at(Stage::Registered);
        let before = scene.git(&["rev-parse", "main"]);
        let path = git_between(&scene, &format!("case \"$*\" in *read-tree*) {somebody};; esac"), "");
        let told =
            answer(&ended(started(&scene, "install_playbook", Some(&path)), &input("install_playbook")));
        let mine = fs::read_to_string(scene.path("hello/README.md")).unwrap();
        assert_eq!(told["refusal"]["code"], code, "{told}");
        assert_eq!(
            (scene.git(&["rev-parse", "main"]) == before, mine == "mine\n"),
            (code != Value::Null, code == "WORKTREE_DIRTY")
        );
    }
}

/// What the same call comes to after the process of the first died behind each of its git commands.
fn after_each_death(verb: &str) -> BTreeSet<String> {
    let mut told = BTreeSet::new();
    for fatal in 1.. {
        let scene = Scene::at(Stage::for_verb(verb));
        let output = ended(started(&scene, verb, Some(&deadly_git(&scene, fatal))), &input(verb));
        if output.status.signal() != Some(9) {
            assert_eq!(answer(&output)["status"], "succeeded");
            assert!(fatal > 8, "{verb} has {fatal} git commands");
            return told;
        }
        assert_eq!((scene.fsck(), scene.marks()), (String::new(), Vec::new()), "{verb} {fatal}");
        let again = scene.call_as("ada", verb, &input(verb));
        told.insert(again.refusal.map_or(again.status.as_str().to_owned(), |refusal| refusal.code));
        let usable = json!({"repo": "octo/hello"});
        assert_eq!(scene.call_as("ada", "list_changes", &usable).status, Status::Succeeded, "{verb} {fatal}");
        assert_eq!((scene.fsck(), scene.marks()), (String::new(), Vec::new()), "{verb} {fatal}");
    }
    told
}

/// A process that dies leaves a sound repository, and what it had done when it died is seen.
#[test]
fn a_death_between_any_two_git_commands_leaves_a_sound_repository() {
    let set = |codes: &[&str]| -> BTreeSet<String> { codes.iter().map(|code| (*code).to_owned()).collect() };
    assert_eq!(after_each_death("open_change"), set(&["BRANCH_EXISTS", "succeeded"]));
    assert_eq!(after_each_death("install_playbook"), set(&["PLAYBOOK_ALREADY_INSTALLED", "succeeded"]));
    assert_eq!(after_each_death("land_change"), set(&["BASE_MOVED", "succeeded"]));
    assert_eq!(after_each_death("abandon_change"), set(&["succeeded"]));
}
