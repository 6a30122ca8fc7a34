//! The laws of the coverage relation, over random boundaries.
//!
//! Paths are made of `a`, `b` and `c`; points also end in `z`, which no grant, root or protection names, so
//! that a tree is told from a list of all the names that happen to be there.

use forecheck_boundary::{AbsolutePath, Access, Coverage, Extent, Grant, Level, Protection};
use proptest::collection::vec;
use proptest::prelude::*;

const DEPTH: usize = 4;

fn path() -> impl Strategy<Value = AbsolutePath> {
    vec(prop_oneof![Just("a"), Just("b"), Just("c")], 0..=DEPTH)
        .prop_map(|components| AbsolutePath::parse(format!("/{}", components.join("/"))).unwrap())
}

fn grant() -> impl Strategy<Value = Grant> {
    let access = prop_oneof![Just(Access::Read), Just(Access::Write)];
    let extent = prop_oneof![Just(Extent::Exact), Just(Extent::Recursive)];
    (path(), access, extent).prop_map(|(path, access, extent)| Grant { path, access, extent })
}

fn protection() -> impl Strategy<Value = Protection> {
    let level = prop_oneof![Just(Level::ReadOnly), Just(Level::Inaccessible)];
    (path(), level).prop_map(|(path, level)| Protection { path, level })
}

fn coverage() -> impl Strategy<Value = Coverage> {
    (vec(path(), 0..3), vec(protection(), 0..6))
        .prop_map(|(writable_roots, protections)| Coverage { writable_roots, protections })
}

fn universe() -> Vec<AbsolutePath> {
    let mut level = vec![AbsolutePath::root()];
    let mut all = Vec::new();
    for _ in 0..=DEPTH {
        all.extend(level.iter().map(|path| path.join("z").unwrap()));
        all.extend(level.iter().cloned());
        let below = |path: &AbsolutePath| ["a", "b", "c"].map(|name| path.join(name).unwrap());
        level = level.iter().flat_map(below).collect();
    }
    all
}

/// What a request is about.
fn points(coverage: &Coverage, asked: &Grant) -> Vec<AbsolutePath> {
    universe().into_iter().filter(|path| coverage.reaches(asked, path)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn more_grants_never_take_away(coverage in coverage(), grants in vec(grant(), 0..4), more in grant()) {
        let all: Vec<Grant> = grants.iter().cloned().chain([more]).collect();
        for path in universe() {
            prop_assert!(coverage.authority(&grants, &path) <= coverage.authority(&all, &path));
        }
    }

    #[test]
    fn more_protections_never_open(coverage in coverage(), grants in vec(grant(), 0..4), more in protection()) {
        let mut narrower = coverage.clone();
        narrower.protections.push(more);
        for path in universe() {
            prop_assert!(narrower.authority(&grants, &path) <= coverage.authority(&grants, &path));
        }
    }

    #[test]
    fn what_is_covered_is_allowed_at_every_point_and_nothing_else_is(
        coverage in coverage(), grants in vec(grant(), 0..4), asked in grant()
    ) {
        let allowed = points(&coverage, &asked)
            .iter()
            .all(|path| coverage.authority(&grants, path) >= Some(asked.access));
        prop_assert_eq!(coverage.is_covered(&grants, &asked), allowed);
    }

    #[test]
    fn covering_is_transitive_and_reflexive(coverage in coverage(), a in grant(), b in grant(), c in grant()) {
        prop_assert!(coverage.covers(&a, &a));
        if coverage.covers(&a, &b) && coverage.covers(&b, &c) {
            prop_assert!(coverage.covers(&a, &c));
        }
    }

    #[test]
    fn redundant_grants_can_be_left_out(coverage in coverage(), grants in vec(grant(), 0..6)) {
        let kept = coverage.without_redundant(&grants);
        for path in universe() {
            prop_assert_eq!(coverage.authority(&kept, &path), coverage.authority(&grants, &path));
        }
        for (index, grant) in kept.iter().enumerate() {
            let others = kept.iter().enumerate().filter(|(other, _)| *other != index);
            prop_assert!(!others.into_iter().any(|(_, other)| coverage.covers(other, grant)));
        }
    }

    #[test]
    fn revoking_one_grant_leaves_what_the_others_give(
        coverage in coverage(), grants in vec(grant(), 1..5), revoked in any::<prop::sample::Index>()
    ) {
        let mut left = grants.clone();
        let taken = left.remove(revoked.index(grants.len()));
        let mut back = left.clone();
        back.push(taken);
        for path in universe() {
            let others = left.iter().map(|one| coverage.authority(std::slice::from_ref(one), &path)).max();
            let expected = coverage.base(&path).max(others.flatten());
            prop_assert_eq!(coverage.authority(&left, &path), expected);
            prop_assert_eq!(coverage.authority(&back, &path), coverage.authority(&grants, &path));
        }
    }

    #[test]
    fn boundaries_survive_json(coverage in coverage(), grants in vec(grant(), 0..4)) {
        let text = serde_json::to_string(&(&coverage, &grants)).unwrap();
        let read: (Coverage, Vec<Grant>) = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(read, (coverage, grants));
    }

    #[test]
    fn any_bytes_make_a_path_or_are_refused(bytes in vec(any::<u8>(), 0..24)) {
        if let Ok(path) = AbsolutePath::parse(&bytes) {
            let text = serde_json::to_string(&path).unwrap();
            prop_assert_eq!(&serde_json::from_str::<AbsolutePath>(&text).unwrap(), &path);
            prop_assert_eq!(AbsolutePath::parse(path.as_bytes()).unwrap(), path.clone());
            prop_assert!(!path.to_string().chars().any(char::is_control));
        }
    }
}

fn at(path: &str) -> AbsolutePath {
    AbsolutePath::parse(path).unwrap()
}

fn tree(path: &str) -> Grant {
    Grant { path: at(path), access: Access::Write, extent: Extent::Recursive }
}

#[test]
fn a_protected_child_needs_a_grant_of_its_own() {
    let coverage = Coverage {
        writable_roots: vec![at("/repo"), at("/sibling")],
        protections: ["/repo/.git", "/sibling/.git"]
            .map(|path| Protection { path: at(path), level: Level::ReadOnly })
            .to_vec(),
    };
    assert!(!coverage.is_covered(&[tree("/repo")], &tree("/repo/.git")));
    assert!(coverage.is_covered(&[tree("/repo/.git")], &tree("/repo/.git")));
    assert_eq!(coverage.authority(&[tree("/repo/.git")], &at("/sibling/.git")), Some(Access::Read));
}

#[test]
fn the_root_of_one_path_is_not_that_of_a_longer_name() {
    assert!(!at("/repo-other").is_within(&at("/repo")));
    assert!(at("/repo/other").is_within(&at("/repo")));
    assert!(at("/repo").is_within(&AbsolutePath::root()));
}

#[test]
fn paths_are_read_and_refused() {
    use forecheck_boundary::PathError::{Climbs, Nul, Relative};
    let rows = [("a", Err(Relative)), ("", Err(Relative)), ("/a/../b", Err(Climbs)), ("/a\0", Err(Nul))];
    for (text, expected) in rows {
        assert_eq!(AbsolutePath::parse(text), expected, "{text:?}");
    }
    for (text, expected) in [("/", "/"), ("//a/./b/", "/a/b"), ("/a b", "/a b"), ("/...", "/...")] {
        assert_eq!(AbsolutePath::parse(text).unwrap().to_string(), expected);
    }
}

#[test]
fn paths_are_ordered_by_components() {
    let mut paths = ["/a-b", "/a/c", "/a", "/b", "/"].map(at);
    paths.sort();
    assert_eq!(paths.map(|path| path.to_string()), ["/", "/a", "/a/c", "/a-b", "/b"]);
}
