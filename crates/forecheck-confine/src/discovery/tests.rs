//! What is found, and when a search refuses.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use super::*;
use crate::identity::from_path;

const LIMITS: Limits = Limits { time: Duration::from_secs(5), entries: 1_000 };

fn at(path: &Path) -> AbsolutePath {
    from_path(path).unwrap()
}

fn search(root: &Path, rules: &[Rule], limits: Limits) -> Result<Found, RefusalCode> {
    let roots = [at(root)];
    let mut found = discover(rules, &roots, &roots, limits).map_err(|refusal| refusal.code)?;
    // What the host listens at is not of the test's making.
    found.protections.retain(|one| one.path.is_within(&at(root.parent().unwrap())));
    Ok(found)
}

#[test]
fn names_are_found_wherever_they_stand_and_not_looked_into() {
    let folder = tempfile::tempdir().unwrap();
    for path in [".git/.git", "a/b/.git", "a/.gitignore"] {
        fs::create_dir_all(folder.path().join(path)).unwrap();
    }
    let found = search(folder.path(), &[Rule::named(b".git", Level::ReadOnly)], LIMITS).unwrap();
    let mut paths: Vec<_> = found.protections.into_iter().map(|one| one.path).collect();
    paths.sort();
    assert_eq!(paths, [".git", "a/b/.git"].map(|path| at(&folder.path().join(path))));
    assert!(found.files.is_empty() && found.missing.is_empty());
}

#[test]
fn a_search_that_is_cut_short_refuses() {
    let folder = tempfile::tempdir().unwrap();
    for index in 0..20 {
        fs::create_dir(folder.path().join(index.to_string())).unwrap();
    }
    let rules = [Rule::named(b".git", Level::ReadOnly)];
    assert!(search(folder.path(), &rules, LIMITS).is_ok());
    for limits in [Limits { entries: 19, ..LIMITS }, Limits { time: Duration::ZERO, ..LIMITS }] {
        assert_eq!(search(folder.path(), &rules, limits).unwrap_err(), RefusalCode::ProtectedPathUncoverable);
    }
}

#[test]
fn a_path_that_crosses_a_link_in_a_root_refuses_and_outside_its_target_is_protected() {
    let folder = tempfile::tempdir().unwrap();
    let [root, other] = ["root", "other"].map(|name| folder.path().join(name));
    fs::create_dir(&root).unwrap();
    fs::create_dir(&other).unwrap();
    symlink(&other, root.join("link")).unwrap();
    symlink(&other, folder.path().join("link")).unwrap();
    let rule = |path: &Path| [Rule::at(at(path), Level::Inaccessible)];
    let refused = search(&root, &rule(&root.join("link")), LIMITS).unwrap_err();
    assert_eq!(refused, RefusalCode::ProtectedPathCrossesSymlink);
    let found = search(&root, &rule(&folder.path().join("link")), LIMITS).unwrap();
    assert_eq!(found.protections, [Protection { path: at(&other), level: Level::Inaccessible }]);
}

#[test]
fn what_is_missing_in_a_root_is_remembered_and_outside_it_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("root");
    fs::create_dir(&root).unwrap();
    let inside = at(&root.join("secret"));
    // A longer name beside the root is not inside of it.
    let beside = at(&folder.path().join("root-other"));
    let rules = [Rule::at(inside.clone(), Level::Inaccessible), Rule::at(beside, Level::Inaccessible)];
    assert_eq!(search(&root, &rules, LIMITS).unwrap().missing, [inside]);
}

#[test]
fn a_pipe_in_the_place_of_a_file_keeps_nobody_waiting() {
    let folder = tempfile::tempdir().unwrap();
    let mode = rustix::fs::Mode::from_raw_mode(0o600);
    let pipe = folder.path().join(".git");
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, mode, 0).unwrap();
    let found = search(folder.path(), &[Rule::named(b".git", Level::ReadOnly)], LIMITS).unwrap();
    assert_eq!(found.files, [at(&pipe)]);
}
