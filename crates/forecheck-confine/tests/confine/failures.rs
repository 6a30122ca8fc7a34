//! Launches that do not come to their start: one answer, nothing executed, nothing started in their place.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use forecheck_boundary::Preference;
use forecheck_confine::facts::{Enforcement, Filesystem, NetworkFact, Sandbox, Started};
use forecheck_confine::{Answer, RefusalCode, Request, Settled};

use crate::scene::{Scene, absolute};

/// A scene whose bubblewrap is a program that does this first; `FOLDER` stands for the scene's folder.
fn scene_with_backend(before: &str) -> Scene {
    let scene = Scene::new();
    let folder = scene.at("");
    let folder = folder.to_str().unwrap();
    let text = format!("#!/bin/sh\n{}\nexec /usr/bin/bwrap \"$@\"\n", before.replace("FOLDER", folder));
    fs::write(scene.at("bwrap"), text).unwrap();
    fs::set_permissions(scene.at("bwrap"), fs::Permissions::from_mode(0o755)).unwrap();
    let program = scene.path("bwrap");
    scene.with_settings(|settings| settings.bubblewrap = Some(program))
}

/// Whether a launch, not a probe, is what the program was started for.
const FAILS_LAUNCHES: &str =
    "case \"$*\" in *--bind-fd*) echo \"bwrap: setting up uid map: Permission denied\" >&2; exit 1;; esac";

fn is_not_started(scene: &Scene, settled: &Settled) {
    let facts = settled.facts();
    let Answer::NotStarted(refusal) = settled.answer() else { panic!("{settled:#?}") };
    assert_eq!(refusal.code, RefusalCode::LaunchNotStarted);
    assert_eq!(facts.started, Started::No);
    let said = (facts.sandbox, facts.filesystem, facts.network, facts.enforcement);
    assert_eq!(said, (Sandbox::Refused, Filesystem::Refused, NetworkFact::Refused, Enforcement::Refused));
    assert!(!scene.at("workspace/marker").exists());
    assert_eq!(fs::read_dir(scene.at("spool")).unwrap().count(), 0);
}

#[test]
fn a_launch_that_fails_is_answered_once_and_nothing_is_started_in_its_place() {
    for preference in [Preference::BestEffort, Preference::Required] {
        let scene = scene_with_backend(FAILS_LAUNCHES);
        let request = Request { preference, ..scene.script("touch marker") };
        let settled = scene.run(request.clone());
        is_not_started(&scene, &settled);
        assert!(settled.facts().stderr.text.contains("uid map"), "its diagnostics are kept");
        is_not_started(&scene, &scene.run(request.clone()));
        let refused = scene.launcher.run(request.clone()).unwrap_err();
        assert_eq!(refused.refusal.code, RefusalCode::LaunchFailureUnchanged);
        // Another boundary is another launch; and a user may ask for another try.
        let other = Request { network: forecheck_boundary::Network::Unrestricted, ..request.clone() };
        is_not_started(&scene, &scene.run(other));
        scene.launcher.reprobe();
        is_not_started(&scene, &scene.run(request));
    }
}

#[test]
fn the_control_of_a_wrapped_backend_works() {
    let scene = scene_with_backend("");
    scene.works(scene.script("touch marker"));
    assert!(scene.at("workspace/marker").exists());
}

/// Closes the descriptor that the last argument but one names, and goes on.
const WITHOUT_START: &str =
    r#"exec bash -c 'n=${@: -2:1}; eval "exec $n>&-"; exec /usr/bin/bwrap "$@"' bash "$@""#;

#[test]
fn every_way_to_fail_before_the_start_is_no_start() {
    let real = "case \"$*\" in *--bind-fd*) BREAK;; esac";
    let rows = [
        ("killed", "kill -KILL $$"),
        ("ended well without doing anything", "exit 0"),
        ("no descriptors", "ulimit -n 3"),
        ("a line that looks fatal, and no start", "echo 'bwrap: execvp sh: No such file' >&2; exit 1"),
        ("another program in place of the inner stage", "exec /usr/bin/bwrap --ro-bind / / -- /bin/true"),
        // Then there is a record of the end of something that was executed.
        ("the inner stage cannot say that it starts", WITHOUT_START),
    ];
    for (row, how) in rows {
        let scene = scene_with_backend(&real.replace("BREAK", how));
        let settled = scene.run(scene.script("touch marker"));
        assert!(matches!(settled.answer(), Answer::NotStarted(_)), "{row}: {settled:#?}");
        is_not_started(&scene, &settled);
    }
}

#[test]
fn a_backend_that_is_gone_after_the_probe_starts_nothing() {
    for preference in [Preference::BestEffort, Preference::Required] {
        let scene = scene_with_backend("");
        let request = Request { preference, ..scene.script("touch marker") };
        let prepared = scene.launcher.prepare(scene.launcher.boundary(request).unwrap()).unwrap();
        fs::remove_file(scene.at("bwrap")).unwrap();
        is_not_started(&scene, &prepared.launch().settle());
    }
}

#[test]
fn a_supervisor_that_is_gone_starts_nothing() {
    let scene = Scene::new();
    fs::create_dir(scene.at("bin")).unwrap();
    fs::copy(crate::scene::supervisor(), scene.at("bin/forecheck-supervisor")).unwrap();
    let supervisor = scene.path("bin/forecheck-supervisor");
    let scene = scene.with_settings(|settings| settings.supervisor = supervisor);
    let request = scene.script("touch marker");
    let prepared = scene.launcher.prepare(scene.launcher.boundary(request.clone()).unwrap()).unwrap();
    fs::remove_file(scene.at("bin/forecheck-supervisor")).unwrap();
    is_not_started(&scene, &prepared.launch().settle());
    let refused = scene.launcher.run(request).unwrap_err();
    assert_eq!(refused.facts.reason.as_deref(), Some("BACKEND_NOT_FOUND"));
}

#[test]
fn without_a_backend_required_refuses_and_best_effort_says_so_once() {
    let scene = Scene::with(|settings| settings.bubblewrap = Some(absolute("/nonexistent/bwrap".as_ref())));
    let refused = scene.launcher.run(scene.script("touch marker")).unwrap_err();
    assert_eq!(refused.refusal.code, RefusalCode::SandboxRequiredUnavailable);
    assert_eq!(refused.facts.reason.as_deref(), Some("BACKEND_NOT_FOUND"));
    assert_eq!((refused.facts.sandbox, refused.facts.started), (Sandbox::Refused, Started::No));
    assert!(!scene.at("workspace/marker").exists());
    let request = Request { preference: Preference::BestEffort, ..scene.script("touch marker") };
    for first in [true, false] {
        let facts = scene.run(request.clone()).facts().clone();
        assert_eq!((facts.sandbox, facts.first_direct_fallback), (Sandbox::Unavailable, first));
        assert_eq!(facts.reason.as_deref(), Some("BACKEND_NOT_FOUND"));
    }
    assert!(scene.at("workspace/marker").exists());
}

#[test]
fn a_probe_that_hangs_is_no_denial_and_is_not_remembered() {
    let scene = scene_with_backend("[ -e FOLDER/fast ] || sleep 600");
    let refused = scene.launcher.run(scene.script("touch marker")).unwrap_err();
    assert_eq!(refused.facts.reason.as_deref(), Some("PROBE_TIMED_OUT"));
    fs::write(scene.at("fast"), "").unwrap();
    scene.works(scene.script("touch marker"));
}

#[test]
fn a_probe_names_the_stage_that_is_missing() {
    let rows = [
        ("case \"$*\" in *--unshare-user*) exit 1;; esac", "USERNS_DENIED"),
        ("case \"$*\" in *--unshare-pid*) exit 1;; esac", "PIDNS_DENIED"),
        ("case \"$*\" in *--unshare-net*) exit 1;; esac", "NETNS_LOOPBACK_DENIED"),
    ];
    for (before, reason) in rows {
        let scene = scene_with_backend(before);
        let refused = scene.launcher.run(scene.script("touch marker")).unwrap_err();
        assert_eq!(refused.facts.reason.as_deref(), Some(reason));
    }
    let scene = scene_with_backend("case \"$*\" in *'--proc /proc'*) exit 1;; esac");
    let facts = scene.works(scene.script("touch marker"));
    assert_eq!(facts.proc, Some(forecheck_confine::facts::Proc::Host));
}

#[test]
fn an_answer_of_a_probe_is_kept_until_a_launch_fails() {
    let scene = scene_with_backend("echo probe >> FOLDER/count");
    let count = || fs::read_to_string(scene.at("count")).unwrap().lines().count();
    scene.works(scene.script("true"));
    let first = count();
    scene.works(scene.script("true"));
    assert_eq!((first, count()), (2, 3));
}
