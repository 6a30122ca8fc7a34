//! Where folders really lie.

use std::path::{Component, Path, PathBuf};

/// The first two of `folders` of which one is, or lies in, the other.
pub(super) fn overlap(folders: &[&Path]) -> Option<(PathBuf, PathBuf)> {
    let folders: Vec<PathBuf> = folders.iter().copied().map(real_path).collect();
    let pairs =
        folders.iter().enumerate().flat_map(|(at, a)| folders.iter().skip(at + 1).map(move |b| (a, b)));
    let mut overlapping = pairs.filter(|(a, b)| a.starts_with(b) || b.starts_with(a));
    overlapping.next().map(|(a, b)| (a.clone(), b.clone()))
}

/// Where `path` really lies: links followed as far as it exists, `.` and `..` resolved beyond.
fn real_path(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut missing = Vec::new();
    let mut existing = absolute.as_path();
    loop {
        if let Ok(real) = existing.canonicalize() {
            return missing.iter().rev().fold(real, |path: PathBuf, part| match part {
                Component::ParentDir => path.parent().unwrap_or(&path).to_owned(),
                part => path.join(part),
            });
        }
        let Some((parent, last)) = existing.parent().zip(existing.components().next_back()) else {
            return absolute;
        };
        missing.push(last);
        existing = parent;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_overlap_by_where_they_lie() {
        let root = tempfile::tempdir().unwrap();
        let at = |path: &str| root.path().join(path);
        std::fs::create_dir_all(at("spec/verbs")).unwrap();
        std::os::unix::fs::symlink("spec", at("link")).unwrap();
        let check = |folders: &[&str], overlaps: bool| {
            let paths: Vec<PathBuf> = ["spec"].iter().chain(folders).map(|path| at(path)).collect();
            let paths: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
            assert_eq!(overlap(&paths).is_some(), overlaps, "{folders:?}");
        };
        check(&["generated"], false);
        check(&["generated", "src/generated"], false);
        check(&["spec2"], false);
        check(&["spec"], true);
        check(&["spec/out"], true);
        check(&["link/out"], true);
        check(&["none/../spec/out"], true);
        check(&[""], true);
        check(&["generated", "generated/rust"], true);
        check(&["generated", "spec/rust"], true);
    }
}
