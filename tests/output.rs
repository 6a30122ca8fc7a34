//! Output folders: what is written, what is left alone, and that nothing is ever half done.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
use std::process::Stdio;
use std::thread;
use std::time::Instant;

use crate::program::{Ran, Scene, keeper};

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
        serde_json::json!(["generated/rust/list_repos.rs", "generated/verbs/list_repos.md"])
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
        "missing generated/llms.txt",
        "orphan generated/orphan.txt",
        "stale generated/codes/NO_PRIVILEGED_PATHS.md",
        "stale generated/codes/REPO_NOT_IN_REGISTRY.md",
        "stale generated/errors.json",
        "stale generated/keys.json",
        "stale generated/rust/codes.rs",
        "stale generated/rust/mod.rs",
        "stale generated/rust/open_change.rs",
        "stale generated/rust/twins.rs",
        "stale generated/verbs/open_change.md",
    ];
    assert_eq!(stale, expected.map(str::to_owned).into());
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

/// Kills runs at 200 instants: half of them spread over the time that a run takes, half as soon as a
/// file is seen to change. Whatever a run had done, each file is one of the two versions, the manifest
/// names every file, and the next run ends the work.
#[test]
fn a_run_that_is_killed_leaves_each_file_whole() {
    let scene = keeper();
    let version = |text| {
        write_verbs(&scene, text);
        let started = Instant::now();
        assert_eq!(scene.run(&["gen"]).exit, 0);
        (text, scene.tree("generated"), started.elapsed())
    };
    version("Something is wrong.");
    let versions = [version("The verb is closed."), version("The verb is shut.")];
    let longest = versions.iter().map(|(.., took)| *took).max().unwrap();
    let mut mixed = 0;
    for step in 0..200_u32 {
        let (text, ..) = versions[step as usize % 2];
        write_verbs(&scene, text);
        let changing = scene.path("generated/errors.json");
        let before = fs::metadata(&changing).unwrap().ino();
        let mut run = scene.command(&["gen"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        if step % 4 < 2 {
            thread::sleep(longest * step / 200);
        } else {
            while fs::metadata(&changing).unwrap().ino() == before && run.try_wait().unwrap().is_none() {
                thread::yield_now();
            }
        }
        drop(run.kill());
        run.wait().unwrap();
        let found = scene.tree("generated");
        let named = named_by_manifest(&found);
        for (path, bytes) in found.iter().filter(|(path, _)| !path.starts_with(".forecheck-staging")) {
            let is_whole =
                path == "manifest.json" || versions.iter().any(|(_, tree, _)| tree.get(path) == Some(bytes));
            assert!(is_whole, "step {step}: {path} is neither version");
            assert!(
                is_folder(bytes) || path == "manifest.json" || named.contains(path),
                "step {step}: {path} is not named"
            );
        }
        mixed += usize::from(versions.iter().all(|(_, tree, _)| *tree != found));
        let ran = scene.run(&["gen"]);
        assert_eq!(ran.exit, 0, "step {step}: {ran:?}");
        assert_eq!(scene.tree("generated"), versions[step as usize % 2].1, "step {step}");
    }
    assert!(mixed > 0, "no kill fell between the first and the last change of a run");
}

/// [`crate::program::tree`] lists folders as files without bytes; no generated file is empty.
fn is_folder(bytes: &[u8]) -> bool {
    bytes.is_empty()
}

fn named_by_manifest(found: &BTreeMap<String, Vec<u8>>) -> BTreeSet<String> {
    let manifest: serde_json::Value = serde_json::from_slice(&found["manifest.json"]).unwrap();
    manifest["files"].as_array().unwrap().iter().map(|path| path.as_str().unwrap().to_owned()).collect()
}

/// Verbs enough that a kill can fall between the first and the last file that changes.
fn write_verbs(scene: &Scene, text: &str) {
    for number in 0..40 {
        let verb = format!(
            r#"{{"verb": "verb_{number}", "target": null, "input": {{}}, "constraints": [{{"code": "CODE_{number}_X", "description": "{text}"}}]}}"#
        );
        scene.write(&format!("spec/verbs/verb_{number}.schema.json"), verb);
    }
}

/// Manifest and folders take part in drift as files do.
#[test]
fn a_lost_manifest_and_a_folder_in_a_files_place_are_drift() {
    let scene = keeper();
    assert_eq!(scene.run(&["gen"]).exit, 0);
    fs::remove_file(scene.path("generated/manifest.json")).unwrap();
    let drift = |scene: &Scene| scene.run(&["gen", "--check", "--json"]).json()["output"]["drift"].clone();
    assert_eq!(drift(&scene), serde_json::json!([{"path": "generated/manifest.json", "state": "missing"}]));
    assert_eq!(scene.run(&["gen"]).exit, 0);
    fs::remove_file(scene.path("generated/errors.json")).unwrap();
    fs::create_dir(scene.path("generated/errors.json")).unwrap();
    assert_eq!(scene.run(&["gen", "--check"]).exit, 1);
    let before = scene.tree("");
    assert_eq!(scene.run(&["gen"]).exit, 3);
    assert_eq!(scene.tree(""), before);
    assert_eq!(scene.run(&["gen", "--prune"]).exit, 0);
    assert_eq!(drift(&scene), serde_json::json!([]));
}

/// Files of all folders are staged before any is renamed: where one folder cannot be written, none
/// is changed, and folders that the call made are gone again.
#[test]
fn a_second_folder_that_cannot_be_written_leaves_the_first_alone() {
    let scene = keeper();
    fs::create_dir(scene.path("rust")).unwrap();
    let busy = fs::File::open(scene.path("rust")).unwrap();
    busy.lock().unwrap();
    let before = scene.tree("");
    let call = ["gen", "--out", "a/b/generated", "--rust", "rust"];
    assert_eq!(scene.run(&call).exit, 3);
    assert_eq!(scene.tree(""), before);
    busy.unlock().unwrap();
    assert_eq!(scene.run(&call).exit, 0);
}

/// Whoever looks at a folder has to lock it for an instant. That stops no run.
#[test]
fn looking_stops_no_run() {
    let scene = keeper();
    assert_eq!(scene.run(&["gen"]).exit, 0);
    for _ in 0..10 {
        let mut looking: Vec<_> = (0..8)
            .map(|_| scene.command(&["gen", "--check"]).stdout(Stdio::null()).spawn().unwrap())
            .collect();
        let ran = scene.run(&["gen"]);
        assert_eq!(ran.exit, 0, "{ran:?}");
        for run in &mut looking {
            assert_eq!(run.wait().unwrap().code(), Some(0));
        }
    }
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

/// A project's own file may be called as ours is.
#[test]
fn a_manifest_that_is_not_ours_is_foreign() {
    let scene = keeper();
    scene.write("generated/manifest.json", r#"{"name": "my web app"}"#);
    let ran = scene.run(&["gen", "--json"]);
    let refusal = &ran.json()["refusal"];
    assert_eq!((ran.exit, &refusal["code"]), (3, &"OUTPUT_HAS_FOREIGN_FILES".into()));
    assert_eq!(refusal["details"]["files"], serde_json::json!(["generated/manifest.json"]));
    let kept = std::fs::read_to_string(scene.path("generated/manifest.json")).unwrap();
    assert_eq!(kept, r#"{"name": "my web app"}"#);
    // One in which a merge left its marks is ours all the same.
    scene.write("generated/manifest.json", "<<<<<<< ours\n=======\n>>>>>>> theirs\n");
    assert_eq!(scene.run(&["gen"]).exit, 0);
}
