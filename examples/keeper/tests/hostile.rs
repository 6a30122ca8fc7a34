//! A repository whose configuration, attributes and hooks name programs, each of which leaves a mark.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use forecheck::outcome::Status;
use serde_json::json;

use crate::scene::{Scene, Stage, input, plain_git};

const HOOKS: [&str; 12] = [
    "pre-commit",
    "post-commit",
    "post-checkout",
    "post-index-change",
    "post-merge",
    "post-rewrite",
    "post-update",
    "pre-auto-gc",
    "prepare-commit-msg",
    "commit-msg",
    "reference-transaction",
    "update",
];

/// Has a repository name a program wherever one can be named.
pub(crate) fn arm(repo: &Path, marks: &Path) {
    let program = |name: &str| {
        let path = repo.join(".git/evil").join(name);
        // A filter gives back what it gets; a remote that did so would keep git waiting.
        let answer = if name == "remote" { "exit 1" } else { "cat" };
        crate::scene::write(&path, format!("#!/bin/sh\ntouch '{}'\n{answer}\n", marks.join(name).display()));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path.display().to_string()
    };
    fs::create_dir_all(repo.join(".git/hooks")).unwrap();
    for hook in HOOKS {
        program(hook);
        fs::copy(repo.join(".git/evil").join(hook), repo.join(".git/hooks").join(hook)).unwrap();
    }
    let commands =
        ["ls-tree", "ls-files", "rev-parse", "hash-object", "update-ref", "commit-tree", "cat-file"];
    let aliases: String =
        commands.map(|command| format!("\t{command} = !{}\n", program(&format!("alias-{command}")))).concat();
    let text = format!(
        "[core]\n\tfsmonitor = {}\n\thooksPath = {}\n\tsshCommand = {}\n\tpager = {}\n\teditor = {}\n\taskPass = {}\n\
         \tgitProxy = {}\n\talternateRefsCommand = {}\n\tuntrackedCache = true\n\tsplitIndex = true\n\
         \tprotectNTFS = false\n\
         [filter \"evil\"]\n\tclean = {}\n\tsmudge = {}\n\trequired = true\n\
         [filter \"worse\"]\n\tprocess = {}\n\trequired = true\n\
         [diff]\n\texternal = {}\n[diff \"evil\"]\n\ttextconv = {}\n[diff \"worse\"]\n\tcommand = {}\n\
         [merge \"evil\"]\n\tdriver = {}\n[gpg]\n\tprogram = {}\n[commit]\n\tgpgSign = true\n\
         [credential]\n\thelper = {}\n[sequence]\n\teditor = {}\n[gc]\n\tauto = 1\n\
         [protocol \"ext\"]\n\tallow = always\n[remote \"origin\"]\n\turl = ext::{}\n\tpromisor = true\n\
         [extensions]\n\tpartialClone = origin\n[alias]\n{aliases}[include]\n\tpath = included\n",
        program("fsmonitor"),
        repo.join(".git/evil").display(),
        program("sshCommand"),
        program("pager"),
        program("editor"),
        program("askPass"),
        program("gitProxy"),
        program("alternateRefsCommand"),
        program("clean"),
        program("smudge"),
        program("process"),
        program("external"),
        program("textconv"),
        program("diff-command"),
        program("merge-driver"),
        program("gpg"),
        program("credential"),
        program("sequence"),
        program("remote"),
    );
    let config = repo.join(".git/config");
    let before = fs::read_to_string(&config)
        .unwrap()
        .replace("repositoryformatversion = 0", "repositoryformatversion = 1");
    fs::write(&config, before + &text).unwrap();
    fs::write(repo.join(".git/included"), format!("[core]\n\tfsmonitor = {}\n", program("included")))
        .unwrap();
    let attributes = "* filter=evil diff=evil merge=evil\n*.sh filter=worse diff=worse\n";
    crate::scene::write(&repo.join(".git/info/attributes"), attributes);
}

/// The programs that have left a mark.
pub(crate) fn marks(marks: &Path) -> Vec<String> {
    let entries = fs::read_dir(marks).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = entries.collect();
    names.sort_unstable();
    names
}

/// What ordinary commands set off, so that the absence of marks elsewhere says something.
#[test]
fn ordinary_commands_run_the_programs_of_the_repository() {
    let scene = Scene::at(Stage::Installed);
    let ran_by = |arguments: &[&str]| {
        for mark in scene.marks() {
            fs::remove_file(scene.path("marks").join(mark)).unwrap();
        }
        plain_git(&scene.repo()).args(arguments).output().unwrap();
        scene.marks()
    };
    crate::scene::write(&scene.path("hello/README.md"), "changed\n");
    crate::scene::write(&scene.path("hello/run.sh"), "changed\n");
    let runs = |arguments: &[&str], expected: &[&str]| {
        let ran = ran_by(arguments);
        let missing: Vec<_> = expected.iter().filter(|mark| !ran.iter().any(|ran| ran == *mark)).collect();
        assert!(missing.is_empty(), "{arguments:?} did not run {missing:?}, only {ran:?}");
    };
    runs(&["status"], &["included", "post-index-change"]);
    runs(&["-c", "core.fsmonitor=false", "add", "run.sh"], &["process"]);
    runs(&["-c", "core.fsmonitor=false", "diff", "--", "README.md"], &["external"]);
    runs(&["-c", "core.fsmonitor=false", "-c", "diff.external=", "show", "HEAD"], &["textconv"]);
    runs(&["-c", "core.fsmonitor=false", "add", "README.md"], &["clean", "post-index-change"]);
    runs(&["-c", "core.fsmonitor=false", "commit", "--message=x"], &["pre-commit", "gpg"]);
    runs(
        &["-c", "core.fsmonitor=false", "checkout", "HEAD", "--", "link", ".gitignore"],
        &["post-index-change"],
    );
    fs::remove_file(scene.path("hello/README.md")).unwrap();
    runs(&["-c", "core.fsmonitor=false", "checkout", "HEAD", "--", "README.md"], &["smudge"]);
    runs(&["update-ref", "refs/heads/new", "HEAD"], &["reference-transaction"]);
    runs(&["cat-file", "-e", &"1".repeat(40)], &["remote"]);
}

#[test]
fn no_call_runs_a_program_of_the_repository() {
    for verb in
        ["register_repo", "install_playbook", "open_change", "land_change", "abandon_change", "list_changes"]
    {
        let scene = Scene::at(Stage::for_verb(verb));
        scene.does(verb);
        assert_eq!((scene.marks(), scene.fsck()), (Vec::new(), String::new()), "{verb}");
    }
    let scene = Scene::at(Stage::Opened);
    let mut merge = input("land_change");
    merge["how"] = "merge".into();
    assert_eq!(scene.call_as("ada", "land_change", &merge).status, Status::Succeeded);
    assert_eq!((scene.marks(), scene.fsck()), (Vec::new(), String::new()));
}

/// A partial clone fetches what is missing as soon as it is asked for: here, it is not.
#[test]
fn a_missing_object_is_not_fetched() {
    let lose = |scene: &Scene, name: &str| {
        let blob = scene.git(&["rev-parse", name]);
        let (folder, file) = blob.split_at(2);
        fs::remove_file(scene.repo().join(".git/objects").join(folder).join(file)).unwrap();
        blob
    };
    let scene = Scene::at(Stage::Installed);
    let blob = lose(&scene, "main:README.md");
    let mut change = input("open_change");
    change["files"] = json!([{"path": "docs/a", "content": "a"}]);
    let outcome = scene.call_as("ada", "open_change", &change);
    assert_eq!((outcome.status, scene.marks()), (Status::Succeeded, Vec::new()), "{outcome:?}");
    plain_git(&scene.repo()).args(["cat-file", "-e", &blob]).output().unwrap();
    assert!(scene.marks().contains(&"remote".to_owned()), "{:?}", scene.marks());

    let scene = Scene::at(Stage::Opened);
    lose(&scene, "greeting:docs/greeting.md");
    let before = scene.git(&["rev-parse", "main"]);
    let outcome = scene.call_as("ada", "land_change", &input("land_change"));
    assert_eq!((outcome.status, scene.marks()), (Status::Failed, Vec::new()), "{outcome:?}");
    assert_eq!(scene.git(&["rev-parse", "main"]), before);
}

/// Gatherers write nothing, whatever the repository asks for.
#[test]
fn a_preflight_leaves_everything_as_it_is() {
    for verb in
        ["register_repo", "install_playbook", "open_change", "land_change", "abandon_change", "retire_repo"]
    {
        let scene = Scene::at(Stage::for_verb(verb));
        let before = scene.snapshot();
        let text = input(verb).to_string();
        let outcome = keeper::generated::preflight(scene.host(), verb, text.as_bytes()).unwrap();
        assert_eq!(
            (outcome.status, scene.snapshot() == before),
            (Status::Cleared, true),
            "{verb}: {outcome:?}"
        );
    }
}
