//! The folders of one run together: the output folder, and a folder for Rust where it is apart.

use std::path::{Component, Path, PathBuf};

use super::{Drift, Folder, FolderError, Lock, LockError, Plan, WriteError, Written};
use crate::generator::Generated;

/// Where a run writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Destination {
    /// The folder for JSON and Markdown.
    pub out: PathBuf,
    /// The folder for Rust; `rust/` below `out` when it is absent.
    pub rust: Option<PathBuf>,
}

/// What a run would change in all its folders.
#[derive(Debug)]
pub struct Outputs {
    /// Each plan, with what stands in front of its paths in reports.
    plans: Vec<(&'static str, Plan)>,
}

impl Destination {
    /// The first two of `spec` and the output folders of which one is, or lies in, the other; by
    /// where they really lie.
    pub fn overlap(&self, spec: &Path) -> Option<(PathBuf, PathBuf)> {
        let folders: Vec<PathBuf> =
            [Some(spec), Some(&self.out), self.rust.as_deref()].into_iter().flatten().map(real_path).collect();
        let pairs = folders.iter().enumerate().flat_map(|(at, a)| folders.iter().skip(at + 1).map(move |b| (a, b)));
        let mut overlapping = pairs.filter(|(a, b)| a.starts_with(b) || b.starts_with(a));
        overlapping.next().map(|(a, b)| (a.clone(), b.clone()))
    }

    /// Lists the folders and compares them with what was generated.
    ///
    /// # Errors
    /// [`FolderError`] when one of them cannot be listed.
    pub fn plan(&self, mut generated: Generated) -> Result<Outputs, FolderError> {
        let mut plans = Vec::new();
        match &self.rust {
            Some(rust) => plans.push(("rust/", Plan::new(Folder::list(rust)?, generated.rust))),
            None => {
                for mut file in generated.rust {
                    file.path = format!("rust/{}", file.path);
                    generated.neutral.push(file);
                }
            }
        }
        plans.insert(0, ("", Plan::new(Folder::list(&self.out)?, generated.neutral)));
        Ok(Outputs { plans })
    }

    /// Locks the folders.
    ///
    /// # Errors
    /// The folder that could not be locked, and why.
    pub fn lock(&self) -> Result<Vec<Lock>, (PathBuf, LockError)> {
        let folders = std::iter::once(&self.out).chain(&self.rust);
        folders.map(|folder| Lock::take(folder).map_err(|error| (folder.clone(), error))).collect()
    }
}

impl Outputs {
    /// The same comparison with the folders as they are now.
    ///
    /// # Errors
    /// [`FolderError`] when one of them cannot be listed.
    pub fn relist(self) -> Result<Outputs, FolderError> {
        let relisted = self.plans.into_iter().map(|(prefix, plan)| {
            Ok((prefix, Plan { folder: Folder::list(&plan.folder.path)?, files: plan.files }))
        });
        Ok(Outputs { plans: relisted.collect::<Result<_, FolderError>>()? })
    }

    /// The bytes of a file of the output folder as it is.
    pub fn previous(&self, path: &str) -> Option<&[u8]> {
        self.plans.first().and_then(|(_, plan)| plan.folder.file(path))
    }

    /// Files that are not ours, with their folders.
    pub fn foreign(&self) -> Vec<PathBuf> {
        let plans = self.plans.iter();
        plans.flat_map(|(_, plan)| plan.foreign().into_iter().map(|path| plan.folder.path.join(path))).collect()
    }

    /// Every difference, with what stands in front of its path.
    pub fn drift(&self) -> Vec<(&'static str, Drift<'_>)> {
        self.plans.iter().flat_map(|(prefix, plan)| plan.drift().into_iter().map(|drift| (*prefix, drift))).collect()
    }

    /// Writes all folders, each as [`Plan::write`] does.
    ///
    /// # Errors
    /// [`WriteError`]; `partial` also where an earlier folder has been written.
    pub fn write(&self, locks: &[Lock]) -> Result<Written, WriteError> {
        let mut all = Written::default();
        for ((prefix, plan), lock) in self.plans.iter().zip(locks) {
            let changed_before = !all.written.is_empty() || !all.removed.is_empty();
            let written = plan.write(lock).map_err(|error| WriteError { partial: error.partial || changed_before, ..error })?;
            let named = |paths: Vec<String>| paths.into_iter().map(|path| format!("{prefix}{path}")).collect::<Vec<_>>();
            all.written.extend(named(written.written));
            all.removed.extend(named(written.removed));
            all.unchanged += written.unchanged;
        }
        all.written.sort();
        all.removed.sort();
        Ok(all)
    }
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
        let Some((parent, last)) = existing.parent().zip(existing.components().next_back()) else { return absolute };
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
        let check = |out: &str, rust: Option<&str>, overlaps: bool| {
            let destination = Destination { out: at(out), rust: rust.map(at) };
            assert_eq!(destination.overlap(&at("spec")).is_some(), overlaps, "{out} {rust:?}");
        };
        check("generated", None, false);
        check("generated", Some("src/generated"), false);
        check("spec2", None, false);
        check("spec", None, true);
        check("spec/out", None, true);
        check("link/out", None, true);
        check("none/../spec/out", None, true);
        check("", None, true);
        check("generated", Some("generated/rust"), true);
        check("generated", Some("spec/rust"), true);
    }
}
