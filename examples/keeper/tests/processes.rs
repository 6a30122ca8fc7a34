//! Several calls at once, in one process and in several, and processes that die.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;

use forecheck::outcome::{Next, Outcome, Status};
use forecheck::{Reserved, Settled};
use keeper::Keeper;
use keeper::desk::Bench;
use keeper::generated::open_change;
use serde_json::{Value, json};

use crate::scene::{Scene, Stage, host, input};

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

/// As [`at_once`]; calls that are in flight are sent again until none is.
fn at_once_until_ended(scene: &Scene, verb: &str, inputs: Vec<Value>) -> Vec<Value> {
    let (mut open, mut ended) = (inputs, Vec::new());
    while !open.is_empty() {
        let answers = at_once(scene, verb, &open).into_iter().zip(open);
        let (waiting, done): (Vec<_>, Vec<_>) =
            answers.partition(|(answer, _)| answer["status"] == "in_flight");
        ended.extend(done.into_iter().map(|(answer, _)| answer));
        open = waiting.into_iter().map(|(_, input)| input).collect();
    }
    ended
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
    let answers = at_once_until_ended(&scene, "open_change", inputs);
    let opened: BTreeSet<u64> =
        answers.iter().filter_map(|answer| answer["output"]["change"].as_u64()).collect();
    assert_eq!(opened, (1..=6).collect());
    let refused = answers.iter().filter(|answer| answer["refusal"]["code"] == "CHANGE_LIMIT_REACHED");
    assert_eq!(refused.count(), 2);
    assert_eq!(scene.git(&["for-each-ref", "--format=x", "refs/heads/greeting-*"]).lines().count(), 6);
    assert_eq!((scene.fsck(), scene.marks()), (String::new(), Vec::new()));
}

#[test]
fn of_two_processes_that_make_the_same_call_one_acts() {
    let stages = [
        ("open_change", Stage::Installed),
        ("land_change", Stage::Opened),
        ("retire_repo", Stage::Installed),
    ];
    for (verb, stage) in stages {
        for _ in 0..5 {
            let scene = Scene::at(stage);
            let mut answers = at_once(&scene, verb, &[input(verb), input(verb)]);
            answers.sort_by_key(|answer| answer["status"] != "succeeded");
            let [first, second] = answers.as_slice() else { panic!("{answers:?}") };
            assert_eq!(
                (&first["status"], &second["effects_of_this_call"]),
                (&"succeeded".into(), &"none".into())
            );
            let status = second["status"].as_str().unwrap();
            assert!(["in_flight", "skipped_idempotent"].contains(&status), "{second}");
            assert_eq!((scene.fsck(), scene.marks()), (String::new(), Vec::new()));
        }
    }
}

/// One process is held in the middle of its effect; what others answer meanwhile.
#[test]
fn an_exclusive_call_keeps_other_processes_from_its_repository() {
    let scene = Scene::at(Stage::Opened);
    let go = scene.path("go");
    let waits =
        format!("case \"$*\" in *update-ref*) while [ ! -e '{}' ]; do sleep 0.01; done;; esac", go.display());
    let path = git_between(
        &scene,
        &format!("case \"$*\" in *update-ref*) touch '{}.asked';; esac; {waits}", go.display()),
        "",
    );
    let mut landing = started(&scene, "land_change", Some(&path));
    landing.stdin.take().unwrap().write_all(input("land_change").to_string().as_bytes()).unwrap();
    while !scene.path("go.asked").exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let ask = |verb| answer(&ended(started(&scene, verb, None), &input(verb)));
    for (verb, message) in [
        ("land_change", Value::Null),
        ("abandon_change", "another call has `octo/hello` to itself".into()),
        ("retire_repo", "another call has `octo/hello` to itself".into()),
    ] {
        let told = ask(verb);
        let expected = (&Value::from("in_flight"), &Value::from("wait"), &message);
        assert_eq!((&told["status"], &told["next"], &told["message"]), expected, "{verb}");
    }
    // A verb that only reads waits for nobody.
    assert_eq!(ask("list_changes")["status"], "succeeded");
    fs::write(&go, "").unwrap();
    assert_eq!(answer(&landing.wait_with_output().unwrap())["status"], "succeeded");
    assert_eq!(ask("land_change")["status"], "skipped_idempotent");
    assert_eq!((scene.fsck(), scene.marks()), (String::new(), Vec::new()));
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

/// What the same call comes to in another process, after that of the first died behind each of its git commands.
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
        let again = answer(&ended(started(&scene, verb, None), &input(verb)));
        let next = again["next"].as_str().map(|next| format!(", {next}")).unwrap_or_default();
        told.insert(format!("{}{next}", again["status"].as_str().unwrap()));
        let usable = json!({"repo": "octo/hello"});
        assert_eq!(scene.call_as("ada", "list_changes", &usable).status, Status::Succeeded, "{verb} {fatal}");
        assert_eq!((scene.fsck(), scene.marks()), (String::new(), Vec::new()), "{verb} {fatal}");
    }
    told
}

/// A process that dies leaves a sound repository. From its claim on its call is in doubt, and is not made again.
#[test]
fn a_death_between_any_two_git_commands_leaves_a_sound_repository_and_a_doubt() {
    let set = |told: &[&str]| -> BTreeSet<String> { told.iter().map(|told| (*told).to_owned()).collect() };
    // What has left no branch may still be on its way; a branch without a record is for people.
    let looked = set(&["in_doubt, ask_operator", "in_doubt, wait", "succeeded"]);
    assert_eq!(after_each_death("open_change"), looked);
    let in_doubt = set(&["in_doubt, ask_operator", "succeeded"]);
    assert_eq!(after_each_death("install_playbook"), in_doubt);
    assert_eq!(after_each_death("land_change"), in_doubt);
    assert_eq!(after_each_death("abandon_change"), in_doubt);
}

/// What opening a change comes to whose effect ended like that, and the same call sent again.
fn opened_twice(
    scene: &Scene,
    effect: impl FnOnce(&Bench, Reserved<open_change::Verb<Keeper>>) -> Settled<open_change::Verb<Keeper>>,
) -> [Outcome; 2] {
    let text = input("open_change").to_string();
    let first = forecheck::run::<open_change::Verb<Keeper>>(text.as_bytes(), scene.host(), effect);
    [first, open_change::call(scene.host(), text.as_bytes())]
}

#[test]
fn a_look_ends_a_doubt() {
    let told = |outcomes: &[Outcome; 2]| outcomes.each_ref().map(|outcome| (outcome.status, outcome.next));
    let in_doubt = |next| (Status::InDoubt, Some(next));
    // What another process does with a ledger of its own, on behalf of somebody.
    let opens = |scene: &Scene, caller: &str| {
        let text = input("open_change").to_string();
        assert_eq!(
            open_change::call(&host(&scene.path(""), caller), text.as_bytes()).status,
            Status::Succeeded
        );
    };
    let scene = Scene::at(Stage::Installed);
    let nothing = opened_twice(&scene, |_, call| call.in_doubt("stopped before it began"));
    assert_eq!(told(&nothing), [in_doubt(Next::Probe), in_doubt(Next::Wait)]);

    let scene = Scene::at(Stage::Installed);
    let everything = opened_twice(&scene, |_, call| {
        opens(&scene, "ada");
        call.in_doubt("stopped at the end")
    });
    assert_eq!(told(&everything), [in_doubt(Next::Probe), (Status::SkippedIdempotent, None)]);
    let output = json!({"change": 1, "commit": scene.git(&["rev-parse", "greeting"]).trim()});
    assert_eq!(everything[1].output, Some(output));

    // The key of somebody else's call is the same, and its change is theirs.
    let scene = Scene::at(Stage::Installed);
    let of_another = opened_twice(&scene, |_, call| {
        opens(&scene, "bob");
        call.in_doubt("stopped before it began")
    });
    assert_eq!(told(&of_another), [in_doubt(Next::Probe), in_doubt(Next::AskOperator)]);
}
