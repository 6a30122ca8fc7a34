//! The pinned plans of the contract, and the law: what a plan gives at a path is what the coverage relation says.

use forecheck_boundary::{Extent, Level, Protection};
use proptest::collection::vec;
use proptest::prelude::*;

use super::simulate::{Seen, seen};
use super::*;

fn at(path: &str) -> AbsolutePath {
    AbsolutePath::parse(path).unwrap()
}

fn grant(path: &str, access: Access, extent: Extent) -> FoundGrant {
    let kind = if extent == Extent::Exact { Kind::File } else { Kind::Directory };
    FoundGrant { grant: Grant { path: at(path), access, extent }, kind, hops: Vec::new() }
}

fn tree(path: &str, access: Access) -> FoundGrant {
    grant(path, access, Extent::Recursive)
}

fn blueprint(roots: &[&str], protections: &[(&str, Level)], grants: Vec<FoundGrant>) -> Blueprint {
    let protections = protections.iter().map(|(path, level)| Protection { path: at(path), level: *level });
    Blueprint {
        coverage: Coverage {
            writable_roots: roots.iter().map(|root| at(root)).collect(),
            protections: protections.collect(),
        },
        protected_files: Vec::new(),
        grants,
        private: Vec::new(),
        proc: Proc::Fresh,
        network: Network::Isolated,
        workdir: at("/"),
    }
}

/// The mounts between those that every launch has, one a line.
fn planned(blueprint: &Blueprint) -> Vec<String> {
    let plan = Plan::of(blueprint).unwrap();
    let middle = plan.mounts().iter().filter_map(|mount| match mount {
        Mount::Root | Mount::Devices | Mount::Processes { .. } => None,
        Mount::Bind { at, access } => Some(format!("{access:?} {at}")),
        Mount::Private { at } => Some(format!("private {at}")),
        Mount::EmptyFile { at } => Some(format!("file {at}")),
        Mount::EmptyDirectory { at, passable } => {
            Some(format!("mask{} {at}", if *passable { " 0111" } else { "" }))
        }
        Mount::Directory { at } => Some(format!("directory {at}")),
        Mount::Symlink { at, target } => Some(format!("link {at} {target}")),
        Mount::RemountReadOnly { at } => Some(format!("remount {at}")),
    });
    middle.collect()
}

#[test]
fn pinned_a_a_write_grant_at_a_protected_path_takes_the_place_of_its_protection() {
    let protections = [("/w/.git", Level::ReadOnly), ("/w/other", Level::ReadOnly)];
    let blueprint = blueprint(&["/w"], &protections, vec![tree("/w/.git", Access::Write)]);
    assert_eq!(planned(&blueprint), ["Write /w", "Write /w/.git", "Read /w/other"]);
}

#[test]
fn pinned_b_a_grant_through_a_link_into_a_mask() {
    let mut token = grant("/m/real/token", Access::Read, Extent::Exact);
    token.hops = vec![Hop { at: at("/m/link"), target: b"real/token".to_vec() }];
    let blueprint = blueprint(&["/w"], &[("/m", Level::Inaccessible)], vec![token]);
    let expected = [
        "Write /w",
        "mask 0111 /m",
        "link /m/link real/token",
        "directory /m/real",
        "Read /m/real/token",
        "remount /m",
    ];
    assert_eq!(planned(&blueprint), expected);
}

#[test]
fn pinned_c_a_read_grant_on_a_mask_drops_it_and_keeps_the_remount() {
    let blueprint = blueprint(&["/w"], &[("/w/s", Level::Inaccessible)], vec![tree("/w/s", Access::Read)]);
    assert_eq!(planned(&blueprint), ["Write /w", "Read /w/s", "remount /w/s"]);
}

#[test]
fn pinned_d_a_granted_tree_keeps_the_mask_of_its_child() {
    let blueprint =
        blueprint(&["/w"], &[("/meta/child", Level::Inaccessible)], vec![tree("/meta", Access::Write)]);
    assert_eq!(planned(&blueprint), ["Write /w", "Write /meta", "mask /meta/child", "remount /meta/child"]);
}

#[test]
fn pinned_e_a_granted_child_of_a_granted_tree_stays_writable() {
    let protections = [("/m/.git", Level::ReadOnly), ("/m/.git/worktrees/x", Level::ReadOnly)];
    let grants = vec![tree("/m/.git", Access::Write), tree("/m/.git/worktrees/x", Access::Write)];
    let blueprint = blueprint(&["/w"], &protections, grants);
    assert_eq!(planned(&blueprint), ["Write /w", "Write /m/.git", "Write /m/.git/worktrees/x"]);
}

#[test]
fn ancestors_of_what_is_protected_are_pinned_up_to_the_root() {
    let protections = [("/w/a/b/.git", Level::ReadOnly), ("/w/a/.git", Level::ReadOnly)];
    let blueprint = blueprint(&["/w"], &protections, Vec::new());
    let expected = ["Write /w", "Write /w/a", "Read /w/a/.git", "Write /w/a/b", "Read /w/a/b/.git"];
    assert_eq!(planned(&blueprint), expected);
}

/// A pin of an outer directory that came later would cover what is protected in an inner one.
#[test]
fn a_grant_around_a_root_leaves_no_pin_out() {
    let protections = [("/b/a/a/x", Level::ReadOnly), ("/b/a/b/x", Level::ReadOnly)];
    let blueprint = blueprint(&["/b/a/a"], &protections, vec![tree("/b", Access::Write)]);
    let expected = [
        "Write /b/a/a",
        "Write /b",
        "Write /b/a",
        "Write /b/a/a",
        "Read /b/a/a/x",
        "Write /b/a/b",
        "Read /b/a/b/x",
    ];
    assert_eq!(planned(&blueprint), expected);
}

#[test]
fn a_read_grant_in_the_place_of_a_mask_is_pinned_as_the_mask_was() {
    let protections = [("/w/a/s", Level::Inaccessible), ("/w/a/.git", Level::ReadOnly)];
    let blueprint = blueprint(&["/w"], &protections, vec![tree("/w/a/s", Access::Read)]);
    let expected = ["Write /w", "Write /w/a", "Read /w/a/.git", "Read /w/a/s", "remount /w/a/s"];
    assert_eq!(planned(&blueprint), expected);
}

#[test]
fn what_cannot_be_written_anyway_needs_no_mount() {
    let blueprint = blueprint(
        &["/w"],
        &[("/other/.git", Level::ReadOnly)],
        vec![tree("/usr", Access::Read), tree("/w/sub", Access::Write)],
    );
    assert_eq!(planned(&blueprint), ["Write /w"]);
}

#[test]
fn a_mask_of_a_file_is_a_file() {
    let mut blueprint = blueprint(&["/w"], &[("/w/secret", Level::Inaccessible)], Vec::new());
    blueprint.protected_files = vec![at("/w/secret")];
    assert_eq!(planned(&blueprint), ["Write /w", "file /w/secret"]);
}

#[test]
fn a_plan_that_gives_something_else_is_a_conflict() {
    let blueprint = blueprint(&["/w"], &[("/w/.git", Level::ReadOnly)], Vec::new());
    let mut mounts = build::mounts(&blueprint);
    assert_eq!(simulate::check(&mounts, &blueprint), Ok(()));
    mounts.reverse();
    let conflict = Conflict { path: at("/w/.git"), asked: Some(Access::Read) };
    assert_eq!(simulate::check(&mounts, &blueprint), Err(conflict));
}

fn some_path() -> impl Strategy<Value = AbsolutePath> {
    vec(prop_oneof![Just("a"), Just("b")], 1..=4)
        .prop_map(|components| AbsolutePath::parse(format!("/{}", components.join("/"))).unwrap())
}

/// Paths of four components are files, all others directories.
fn is_file(path: &AbsolutePath) -> bool {
    path.depth() == 4
}

fn some_blueprint() -> impl Strategy<Value = Blueprint> {
    let level = || prop_oneof![Just(Level::ReadOnly), Just(Level::Inaccessible)];
    let access = || prop_oneof![Just(Access::Read), Just(Access::Write)];
    let roots = vec(some_path().prop_filter("directory", |path| !is_file(path)), 0..3);
    let protections = vec((some_path(), level()), 0..5);
    let grants = vec((some_path(), access()), 0..4);
    (roots, protections, grants).prop_map(|(writable_roots, protections, grants)| {
        let protections: Vec<_> =
            protections.into_iter().map(|(path, level)| Protection { path, level }).collect();
        let grant = |(path, access): (AbsolutePath, Access)| {
            let extent = if is_file(&path) { Extent::Exact } else { Extent::Recursive };
            let kind = if is_file(&path) { Kind::File } else { Kind::Directory };
            FoundGrant { grant: Grant { path, access, extent }, kind, hops: Vec::new() }
        };
        Blueprint {
            protected_files: protections.iter().map(|one| one.path.clone()).filter(is_file).collect(),
            coverage: Coverage { writable_roots, protections },
            grants: grants.into_iter().map(grant).collect(),
            private: Vec::new(),
            proc: Proc::Fresh,
            network: Network::Isolated,
            workdir: AbsolutePath::root(),
        }
    })
}

fn universe() -> Vec<AbsolutePath> {
    let mut all = vec![AbsolutePath::root()];
    for index in 0..15 {
        let below = ["a", "b"].map(|name| all[index].join(name).unwrap());
        all.extend(below);
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 5_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_plan_gives_at_every_path_what_the_coverage_relation_says(blueprint in some_blueprint()) {
        let mounts = build::mounts(&blueprint);
        let grants: Vec<Grant> = blueprint.grants.iter().map(|found| found.grant.clone()).collect();
        for path in universe() {
            let allowed = blueprint.coverage.authority(&grants, &path);
            prop_assert_eq!(seen(&mounts, &path), Seen::Host(allowed), "{} in {:#?}", path, mounts);
        }
        let is_writable = |root| blueprint.coverage.base(root) == Some(Access::Write);
        let refused = !blueprint.coverage.writable_roots.iter().all(is_writable);
        prop_assert_eq!(simulate::check(&mounts, &blueprint).is_err(), refused);
    }
}
