//! What the child may do with files, each denial with the same command working outside of the boundary.

use std::fs;
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use forecheck_boundary::{Access, Extent};
use forecheck_confine::{Answer, Identity, RefusalCode, Request, Writable};

use crate::scene::{Scene, inaccessible};

const READ_ONLY: &str = "Read-only file system";
const DENIED: &str = "Permission denied";

#[test]
fn the_workspace_is_writable_and_what_lies_outside_is_not() {
    let scene = Scene::new();
    scene.works(scene.script("echo new > inside && cat ../outside/file && echo x > \"$TMPDIR/x\""));
    assert_eq!(fs::read_to_string(scene.at("workspace/inside")).unwrap(), "new\n");
    scene.is_denied(scene.script("echo x > ../outside/file"), READ_ONLY);
}

#[test]
fn a_boundary_without_roots_writes_nothing() {
    let scene = Scene::new();
    let request = Request { writable: Writable::Nothing, ..scene.script("echo x > file") };
    scene.is_denied(request, READ_ONLY);
}

#[test]
fn git_metadata_is_readable_and_not_writable() {
    let scene = Scene::new();
    scene.works(scene.script("cat .git/HEAD"));
    scene.is_denied(scene.script("echo x > .git/HEAD"), READ_ONLY);
    scene.is_denied(scene.script("echo x > .git/hooks/pre-commit"), READ_ONLY);
}

#[test]
fn a_granted_file_of_protected_metadata_is_writable_and_its_sibling_is_not() {
    let scene = Scene::new();
    let granted = scene.grant("workspace/.git/config", Access::Write, Extent::Exact);
    let request = |script| Request { grants: granted.clone(), ..scene.script(script) };
    scene.works(request("echo x > .git/config"));
    scene.is_denied(request("echo x > .git/HEAD"), READ_ONLY);
}

#[test]
fn credentials_are_unreadable() {
    let scene = Scene::new();
    scene.is_denied(scene.script("cat ../home/.ssh/key"), DENIED);
    scene.is_denied(scene.script("ls ../home/.ssh"), DENIED);
    scene.is_denied(scene.script("chmod 700 ../home/.ssh"), READ_ONLY);
}

#[test]
fn a_masked_file_is_unreadable() {
    let scene = Scene::with(|settings| {
        let home = settings.home.as_ref().unwrap();
        settings.policy.push(inaccessible(home.join(".ssh/key").unwrap()));
        settings.policy.remove(1);
    });
    scene.is_denied(scene.script("cat ../home/.ssh/key"), DENIED);
    scene.is_denied(scene.script("chmod 600 ../home/.ssh/key"), READ_ONLY);
}

#[test]
fn a_closed_directory_in_the_workspace_stays_closed() {
    let scene = Scene::new();
    fs::create_dir(scene.at("workspace/closed")).unwrap();
    fs::set_permissions(scene.at("workspace/closed"), fs::Permissions::from_mode(0o000)).unwrap();
    scene.is_denied(scene.script("chmod 700 closed && ls closed"), READ_ONLY);
}

#[test]
fn a_granted_token_is_readable_and_its_sibling_and_their_folder_are_not() {
    let scene = Scene::new();
    fs::write(scene.at("home/.ssh/token"), "token").unwrap();
    let granted = scene.grant("home/.ssh/token", Access::Read, Extent::Exact);
    let request = |script| Request { grants: granted.clone(), ..scene.script(script) };
    assert_eq!(scene.works(request("cat ../home/.ssh/token")).stdout.text, "token");
    scene.is_denied(request("cat ../home/.ssh/key"), "No such file");
    scene.is_denied(request("ls ../home/.ssh"), DENIED);
}

#[test]
fn a_grant_through_a_link_in_a_mask_reaches_its_file() {
    let scene = Scene::new();
    fs::create_dir(scene.at("home/.ssh/real")).unwrap();
    fs::write(scene.at("home/.ssh/real/token"), "token").unwrap();
    symlink("real/token", scene.at("home/.ssh/link")).unwrap();
    let grants = scene.grant("home/.ssh/link", Access::Read, Extent::Exact);
    let request = Request { grants, ..scene.script("cat ../home/.ssh/link ../home/.ssh/real/token") };
    assert_eq!(scene.works(request).stdout.text, "tokentoken");
}

#[test]
fn a_broad_read_grant_keeps_an_inner_mask() {
    let scene = Scene::with(|settings| {
        let home = settings.home.clone().unwrap();
        settings.policy.push(inaccessible(home.join(".ssh/inner").unwrap()));
    });
    fs::create_dir(scene.at("home/.ssh/inner")).unwrap();
    fs::write(scene.at("home/.ssh/inner/key"), "secret").unwrap();
    let granted = scene.grant("home/.ssh", Access::Read, Extent::Recursive);
    let request = |script| Request { grants: granted.clone(), ..scene.script(script) };
    scene.works(request("cat ../home/.ssh/key"));
    scene.is_denied(request("cat ../home/.ssh/inner/key"), DENIED);
    scene.is_denied(request("echo x > ../home/.ssh/key"), READ_ONLY);
}

#[test]
fn a_written_tree_keeps_its_own_metadata() {
    let scene = Scene::new();
    fs::create_dir_all(scene.at("outside/repository/.git")).unwrap();
    let granted = scene.grant("outside/repository", Access::Write, Extent::Recursive);
    let request = |script| Request { grants: granted.clone(), ..scene.script(script) };
    scene.works(request("echo x > ../outside/repository/file"));
    scene.is_denied(request("echo x > ../outside/repository/.git/config"), READ_ONLY);
}

#[test]
fn the_parent_of_something_protected_cannot_be_renamed() {
    let scene = Scene::new();
    fs::create_dir_all(scene.at("workspace/repository/.git")).unwrap();
    let rename = "mv repository other && mkdir -p repository/.git/hooks";
    scene.is_denied(scene.script(rename), "Device or resource busy");
    scene.is_denied(scene.script("mv .git other"), "Device or resource busy");
}

#[test]
fn a_link_cannot_carry_a_file_from_outside_in() {
    let scene = Scene::new();
    scene.is_denied(scene.script("ln ../outside/file linked && echo x >> linked"), "cross-device");
    symlink("../outside/file", scene.at("workspace/link")).unwrap();
    scene.is_denied(scene.script("echo x > link"), READ_ONLY);
}

#[test]
fn user_zero_cannot_mount_in_a_boundary() {
    let scene = Scene::new();
    let settled = scene.run(scene.script("mount -o remount,bind,rw / && echo x > ../outside/file"));
    assert_eq!(fs::read_to_string(scene.at("outside/file")).unwrap(), "outside\n");
    assert!(!settled.facts().stderr.text.is_empty());
    let user_namespace = scene.run(scene.script("unshare --user --map-root-user true"));
    assert!(user_namespace.facts().stderr.text.contains("unshare failed"), "{user_namespace:#?}");
    assert!(
        scene.works(scene.script("grep CapEff /proc/self/status")).stdout.text.contains("0000000000000000")
    );
}

#[test]
fn a_link_that_is_changed_between_approval_and_preparation_is_refused() {
    let scene = Scene::new();
    fs::write(scene.at("outside/approved"), "").unwrap();
    symlink("../outside/approved", scene.at("workspace/link")).unwrap();
    let mut grants = scene.grant("workspace/link", Access::Write, Extent::Exact);
    grants[0].approved = Some(Identity::of(&grants[0].grant.path).unwrap());
    let request = Request { grants, ..scene.script("echo x > ../outside/approved") };
    scene.works(request.clone());
    fs::remove_file(scene.at("workspace/link")).unwrap();
    symlink("../outside/file", scene.at("workspace/link")).unwrap();
    let refused = scene.launcher.run(request).unwrap_err();
    assert_eq!(refused.refusal.code, RefusalCode::GrantTargetChanged);
    assert_eq!(fs::read_to_string(scene.at("outside/file")).unwrap(), "outside\n");
}

#[test]
fn a_target_that_is_changed_between_preparation_and_launch_is_never_opened() {
    let scene = Scene::new();
    fs::create_dir(scene.at("outside/granted")).unwrap();
    let grants = scene.grant("outside/granted", Access::Write, Extent::Recursive);
    let request = Request { grants, ..scene.script("touch marker ../outside/granted/marker") };
    let prepare = || scene.launcher.prepare(scene.launcher.boundary(request.clone()).unwrap()).unwrap();
    assert_eq!(prepare().launch().settle().answer(), &Answer::Ran);
    fs::remove_file(scene.at("workspace/marker")).unwrap();
    let granted = scene.at("outside/granted");
    let moved = scene.at("outside/moved");
    // Another directory of the same name, a link to another one, a link to the very same.
    let swaps: [&dyn Fn(); 3] =
        [&|| fs::create_dir(&granted).unwrap(), &|| symlink(scene.at("home"), &granted).unwrap(), &|| {
            symlink(&moved, &granted).unwrap();
        }];
    for swap in swaps {
        let prepared = prepare();
        fs::rename(&granted, &moved).unwrap();
        swap();
        let settled = prepared.launch().settle();
        let Answer::NotStarted(refusal) = settled.answer() else { panic!("{settled:#?}") };
        assert_eq!(refusal.code, RefusalCode::GrantTargetChanged);
        assert!(!scene.at("workspace/marker").exists() && !scene.at("home/marker").exists());
        if granted.is_symlink() {
            fs::remove_file(&granted).unwrap();
        } else {
            fs::remove_dir(&granted).unwrap();
        }
        fs::rename(&moved, &granted).unwrap();
    }
}

#[test]
fn a_parent_that_has_become_a_link_is_not_followed_even_to_the_same_file() {
    let scene = Scene::new();
    fs::create_dir(scene.at("outside/granted")).unwrap();
    let grants = scene.grant("outside/granted", Access::Write, Extent::Recursive);
    let request = Request { grants, ..scene.script("touch marker") };
    let prepared = scene.launcher.prepare(scene.launcher.boundary(request).unwrap()).unwrap();
    fs::rename(scene.at("outside"), scene.at("moved")).unwrap();
    symlink(scene.at("moved"), scene.at("outside")).unwrap();
    let settled = prepared.launch().settle();
    let Answer::NotStarted(refusal) = settled.answer() else { panic!("{settled:#?}") };
    assert_eq!(refusal.code, RefusalCode::GrantTargetChanged);
    assert!(!scene.at("workspace/marker").exists());
}

#[test]
fn names_are_bytes() {
    let scene = Scene::new();
    let mut request = scene.script("cat \"$1\"; printf %s \"$1\" \"$2\" > out");
    let odd = b"a \n'\"!\xff".to_vec();
    request.command.extend([b"sh".to_vec(), odd.clone(), b"!".to_vec()].map(Into::into));
    let name = std::ffi::OsString::from_vec(odd.clone());
    fs::write(scene.at("workspace").join(name), "odd").unwrap();
    assert_eq!(scene.works(request).stdout.text, "odd");
    assert_eq!(fs::read(scene.at("workspace/out")).unwrap(), [odd, b"!".to_vec()].concat());
}

#[test]
fn launches_leave_nothing_in_the_workspace() {
    let scene = Scene::new();
    let names = || {
        let mut all: Vec<_> = walk(&scene.at("workspace"));
        all.sort();
        all
    };
    let before = names();
    for _ in 0..5 {
        scene.works(scene.script("true"));
    }
    assert_eq!(names(), before);
    assert_eq!(fs::read_dir(scene.at("spool")).unwrap().count(), 0);
}

fn walk(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| if path.is_dir() { [walk(&path), vec![path]].concat() } else { vec![path] })
        .collect()
}
