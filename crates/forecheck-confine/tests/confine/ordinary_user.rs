//! The same tests as a user without privileges.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use crate::scene;

/// "Nobody", whom every system has, and who owns nothing.
const NOBODY: &str = "65534";

#[test]
fn all_other_tests_pass_as_an_ordinary_user() {
    if !rustix::process::geteuid().is_root() {
        println!("this run is one of an ordinary user already");
        return;
    }
    let folder = tempfile::tempdir_in("/var/tmp").unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let [tests, supervisor] = ["tests", "forecheck-supervisor"].map(|name| folder.path().join(name));
    fs::copy(std::env::current_exe().unwrap(), &tests).unwrap();
    fs::copy(scene::supervisor(), &supervisor).unwrap();
    let output = Command::new("setpriv")
        .args(["--reuid", NOBODY, "--regid", NOBODY, "--clear-groups", "--"])
        .arg(&tests)
        .args(["--skip", "ordinary_user", "--skip", "must_not_compile"])
        .env("FORECHECK_TEST_SUPERVISOR", &supervisor)
        .env("HOME", folder.path())
        .current_dir("/")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("; 0 failed; 0 ignored"), "{text}");
}
