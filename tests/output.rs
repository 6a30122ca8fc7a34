//! Output folders: what is written, what is left alone, and that nothing is ever half done.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::program::{Ran, Scene, forecheck, keeper, tree};

#[test]
fn a_second_run_changes_nothing() {
    let scene = keeper();
    let first = scene.run(&["gen"]);
    assert_eq!(first.exit, 0, "{first:?}");
    let files = scene.tree("generated");
    let modified = |path: &str| fs::metadata(scene.path(path)).unwrap().modified().unwrap();
    let before = modified("generated/errors.json");
    let second = scene.run(&["gen"]);
    let written = files.keys().filter(|path| scene.path(&format!("generated/{path}")).is_file()).count() - 1;
    assert_eq!(
        (second.exit, second.stdout),
        (0, format!("2 verbs, 2 codes: 0 files written, 0 removed, {written} unchanged\n"))
    );
    assert_eq!((scene.tree("generated"), modified("generated/errors.json")), (files, before));
}

#[test]
fn what_a_run_no_longer_makes_is_removed() {
    let scene = keeper();
    assert_eq!(scene.run(&["gen"]).exit, 0);
    fs::remove_file(scene.path("spec/verbs/list_repos.schema.json")).unwrap();
    let ran = scene.run(&["gen", "--json"]);
    assert_eq!(
        ran.json()["output"]["removed"],
        serde_json::json!(["rust/list_repos.rs", "verbs/list_repos.md"])
    );
    assert!(!scene.path("generated/verbs/list_repos.md").exists());
}

#[test]
fn drift_is_reported_with_a_diff_and_the_command_that_mends_it() {
    let scene = keeper();
    assert_eq!(scene.run(&["gen"]).exit, 0);
    scene.write("generated/codes/NO_PRIVILEGED_PATHS.md", "edited\n");
    fs::remove_file(scene.path("generated/llms.txt")).unwrap();
    scene.write("generated/orphan.txt", "x");
    insta::assert_snapshot!(scene.run(&["gen", "--check"]).seen());
    let spec = scene.path("spec/constraints/REPO_NOT_IN_REGISTRY.json");
    let edited = fs::read_to_string(&spec).unwrap().replace("looked after", "known");
    fs::write(spec, edited).unwrap();
    let stale: BTreeSet<String> = scene.run(&["gen", "--check", "--json"]).json()["output"]["drift"]
        .as_array()
        .unwrap()
        .iter()
        .map(|drift| format!("{} {}", drift["state"].as_str().unwrap(), drift["path"].as_str().unwrap()))
        .collect();
    let expected = [
        "missing llms.txt",
        "orphan orphan.txt",
        "stale codes/NO_PRIVILEGED_PATHS.md",
        "stale codes/REPO_NOT_IN_REGISTRY.md",
        "stale errors.json",
        "stale keys.json",
        "stale rust/codes.rs",
        "stale rust/mod.rs",
        "stale rust/open_change.rs",
        "stale verbs/open_change.md",
    ];
    assert_eq!(stale, expected.map(str::to_owned).into());
}

/// basecamp/basecamp-sdk#932: a generator that refuses midway must leave the previous output whole.
#[test]
fn a_run_that_is_refused_leaves_the_previous_output() {
    let scene = keeper();
    assert_eq!(scene.run(&["gen"]).exit, 0);
    let before = scene.tree("");
    scene.write("spec/verbs/broken.schema.json", "{");
    assert_eq!(scene.run(&["gen"]).exit, 3);
    fs::remove_file(scene.path("spec/verbs/broken.schema.json")).unwrap();
    assert_eq!(scene.tree(""), before);
    assert_eq!(scene.run(&["gen"]).exit, 0);
}

#[test]
fn a_link_in_the_output_is_foreign_and_is_not_followed() {
    let scene = keeper();
    scene.write("elsewhere/keep.md", "x");
    fs::create_dir_all(scene.path("generated")).unwrap();
    symlink(scene.path("elsewhere"), scene.path("generated/codes")).unwrap();
    let before = scene.tree("");
    assert_eq!(scene.run(&["gen"]).exit, 3);
    assert_eq!(scene.tree(""), before);
    assert_eq!(scene.run(&["gen", "--prune"]).exit, 0);
    assert_eq!(scene.tree("elsewhere"), [("keep.md".to_owned(), b"x".to_vec())].into());
    assert!(scene.path("generated/codes/NO_PRIVILEGED_PATHS.md").is_file());
}

#[test]
fn a_manifest_cannot_make_files_outside_ours() {
    let scene = keeper();
    scene.write("keep.txt", "x");
    scene
        .write("generated/manifest.json", r#"{"generator": "x", "files": ["../keep.txt", "/etc/hostname"]}"#);
    assert_eq!(scene.run(&["gen"]).exit, 0);
    assert!(scene.path("keep.txt").is_file());
}

/// Kills a run at many instants. Whatever it had done, each file is one of the two versions, and
/// the next run ends the work.
#[test]
fn a_run_that_is_killed_leaves_each_file_whole() {
    let (scene, old, new) = two_versions();
    let mut mixed = 0;
    for step in 0..60 {
        set(&scene, if step % 2 == 0 { &new } else { &old }.0);
        let mut child = Command::new(forecheck())
            .args(["gen"])
            .current_dir(scene.path(""))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        thread::sleep(Duration::from_micros(step * 400));
        drop(child.kill());
        child.wait().unwrap();
        let found = tree(&scene.path("generated"));
        let is_whole = |(path, bytes): (&String, &Vec<u8>)| {
            path.starts_with(".forecheck-staging")
                || path == "manifest.json"
                || old.1.get(path) == Some(bytes)
                || new.1.get(path) == Some(bytes)
        };
        assert!(found.iter().all(is_whole), "step {step}");
        mixed += usize::from(found != old.1 && found != new.1);
        let ran = scene.run(&["gen"]);
        assert_eq!(ran.exit, 0, "step {step}: {ran:?}");
    }
    assert!(mixed < 60);
}

type Version = (&'static str, std::collections::BTreeMap<String, Vec<u8>>);

/// Two texts of one constraint with the output of each.
fn two_versions() -> (Scene, Version, Version) {
    let scene = keeper();
    let mut output = |text: &'static str| {
        set(&scene, text);
        assert_eq!(scene.run(&["gen"]).exit, 0);
        (text, scene.tree("generated"))
    };
    let (old, new) = (output("The repository is not looked after."), output("The repository is unknown."));
    (scene, old, new)
}

fn set(scene: &Scene, text: &str) {
    let constraint = format!(
        r#"{{"code": "REPO_NOT_IN_REGISTRY", "description": "{text}", "reads": ["target", "registry"], "policy": true}}"#
    );
    scene.write("spec/constraints/REPO_NOT_IN_REGISTRY.json", constraint);
}

#[test]
fn runs_at_the_same_time_do_not_mix() {
    let scene = keeper();
    let runs: Vec<_> =
        (0..8).map(|_| scene.command(&["gen"]).stdout(Stdio::null()).spawn().unwrap()).collect();
    let exits: BTreeSet<i32> = runs.into_iter().map(|mut run| run.wait().unwrap().code().unwrap()).collect();
    assert!(exits.contains(&0) && exits.is_subset(&BTreeSet::from([0, 3])), "{exits:?}");
    let ran: Ran = scene.run(&["gen", "--check"]);
    assert_eq!(ran.exit, 0, "{ran:?}");
}
