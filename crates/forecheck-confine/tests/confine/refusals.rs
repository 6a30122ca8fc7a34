//! Requests that are refused, and the same ones that are not once their fault is gone.

use std::fs;
use std::os::unix::fs::symlink;

use forecheck_boundary::{AbsolutePath, Access, Extent, Mode, Preference};
use forecheck_confine::facts::{Enforcement, Sandbox, Started};
use forecheck_confine::{AskedGrant, Escalation, RefusalCode, Request, Writable};

use crate::scene::{Scene, absolute, inaccessible};

fn refused(scene: &Scene, request: Request) -> RefusalCode {
    let refused = scene.launcher.run(request).unwrap_err();
    let facts = &refused.facts;
    assert_eq!(
        (facts.sandbox, facts.enforcement, facts.started),
        (Sandbox::Refused, Enforcement::Refused, Started::No)
    );
    assert_eq!(facts.reason.as_deref(), Some(refused.refusal.code.name()));
    assert!(!scene.at("workspace/marker").exists());
    refused.refusal.code
}

fn granted(path: AbsolutePath, access: Access, extent: Extent) -> Vec<AskedGrant> {
    vec![AskedGrant { grant: forecheck_boundary::Grant { path, access, extent }, approved: None }]
}

#[test]
fn grants_that_no_boundary_can_hold() {
    let scene = Scene::new();
    symlink("loop", scene.at("outside/loop")).unwrap();
    let root = || absolute("/".as_ref());
    let write = Access::Write;
    let rows = [
        (scene.path("outside/missing"), write, Extent::Exact, RefusalCode::GrantPathMissing),
        (scene.path("outside/loop"), write, Extent::Exact, RefusalCode::GrantPathMissing),
        (scene.path("home"), Access::Read, Extent::Recursive, RefusalCode::GrantTooBroad),
        (scene.path(""), write, Extent::Recursive, RefusalCode::GrantTooBroad),
        (root(), Access::Read, Extent::Recursive, RefusalCode::GrantTooBroad),
        (absolute("/proc/sys".as_ref()), write, Extent::Recursive, RefusalCode::BoundaryUnenforceable),
        (absolute("/dev".as_ref()), write, Extent::Recursive, RefusalCode::BoundaryUnenforceable),
        (scene.path("outside"), write, Extent::Exact, RefusalCode::BoundaryUnenforceable),
        (scene.path("home/.ssh"), Access::Read, Extent::Exact, RefusalCode::BoundaryUnenforceable),
    ];
    for (path, access, extent, expected) in rows {
        let request =
            Request { grants: granted(path.clone(), access, extent), ..scene.script("touch marker") };
        assert_eq!(refused(&scene, request), expected, "{path}");
    }
}

#[test]
fn grants_that_change_nothing() {
    let scene = Scene::new();
    let rows = [
        (absolute("/dev/null".as_ref()), Access::Write, Extent::Exact),
        (absolute("/usr".as_ref()), Access::Read, Extent::Exact),
        (scene.path("workspace/file"), Access::Write, Extent::Exact),
    ];
    let plain = scene.works(scene.script("true")).binds;
    for (path, access, extent) in rows {
        let request = Request { grants: granted(path, access, extent), ..scene.script("true") };
        assert_eq!(scene.works(request).binds, plain);
    }
}

#[test]
fn requests_that_contradict_themselves() {
    let scene = Scene::new();
    let request = || scene.script("touch marker");
    let grants = scene.grant("outside", Access::Write, Extent::Recursive);
    let outside = vec![scene.path("outside")];
    let rows = [
        (Request { escalation: Escalation::Full, grants, ..request() }, RefusalCode::BoundaryInvalid),
        (Request { writable: Writable::Roots(Vec::new()), ..request() }, RefusalCode::BoundaryInvalid),
        (Request { command: Vec::new(), ..request() }, RefusalCode::BoundaryInvalid),
        (Request { writable: Writable::Roots(outside), ..request() }, RefusalCode::CwdOutsideBoundary),
        (Request { workdir: scene.path("workspace/none"), ..request() }, RefusalCode::CwdMissing),
        (Request { workdir: scene.path("workspace/file"), ..request() }, RefusalCode::CwdMissing),
        (scene.request(&["touch", "marker", "a\0b"]), RefusalCode::NulInArgument),
        (scene.request(&["touch", "marker", &"x".repeat(131_072)]), RefusalCode::ArgumentTooLong),
    ];
    for (request, expected) in rows {
        assert_eq!(refused(&scene, request), expected);
    }
    scene.works(scene.request(&["true", &"x".repeat(131_071)]));
}

#[test]
fn what_follows_from_mode_preference_and_escalation() {
    let scene = Scene::new();
    let rows = [
        (Mode::Edits, Preference::Off, Escalation::None, Sandbox::Bubblewrap),
        (Mode::Ask, Preference::BestEffort, Escalation::None, Sandbox::Bubblewrap),
        (Mode::Ask, Preference::Off, Escalation::None, Sandbox::Off),
        (Mode::Ask, Preference::Off, Escalation::Full, Sandbox::Off),
        (Mode::FullAccess, Preference::Required, Escalation::None, Sandbox::Off),
        (Mode::Ask, Preference::Required, Escalation::Full, Sandbox::Escalated),
    ];
    for (mode, preference, escalation, expected) in rows {
        let request = Request { mode, preference, escalation, ..scene.script("true") };
        assert_eq!(scene.run(request).facts().sandbox, expected, "{mode:?} {preference:?} {escalation:?}");
    }
}

#[test]
fn a_root_in_what_is_protected_is_a_conflict() {
    let scene = Scene::with(|settings| {
        let home = settings.home.clone().unwrap();
        settings.policy.push(inaccessible(home.parent().unwrap().join("workspace").unwrap()));
    });
    assert_eq!(refused(&scene, scene.script("touch marker")), RefusalCode::GrantConflict);
}

#[test]
fn programs_of_ours_in_a_root_are_not_trusted() {
    let scene = Scene::new();
    fs::copy("/usr/bin/bwrap", scene.at("workspace/bwrap")).unwrap();
    let program = scene.path("workspace/bwrap");
    let scene = scene.with_settings(|settings| settings.bubblewrap = Some(program));
    assert_eq!(refused(&scene, scene.script("touch marker")), RefusalCode::BackendUntrustedPath);
}

#[test]
fn a_protected_link_refuses() {
    let scene = Scene::new();
    fs::create_dir(scene.at("workspace/sub")).unwrap();
    symlink("../.git", scene.at("workspace/sub/.git")).unwrap();
    let request = || scene.script("touch marker");
    assert_eq!(refused(&scene, request()), RefusalCode::ProtectedPathCrossesSymlink);
    fs::remove_file(scene.at("workspace/sub/.git")).unwrap();
    scene.works(request());
}

#[test]
fn more_mounts_than_can_be_made_are_refused() {
    let scene = Scene::new();
    for index in 0..260 {
        fs::create_dir_all(scene.at(&format!("workspace/{index}/.git"))).unwrap();
    }
    assert_eq!(refused(&scene, scene.script("touch marker")), RefusalCode::BoundaryTooLarge);
    for index in 100..260 {
        fs::remove_dir(scene.at(&format!("workspace/{index}/.git"))).unwrap();
    }
    let facts = scene.works(scene.script("touch marker"));
    assert_eq!((facts.protected_paths, facts.binds), (102, 203));
}
