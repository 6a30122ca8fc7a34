//! `manifest.json`: the files of an output folder that are ours.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::MANIFEST;
use crate::generator::GeneratedFile;

/// The manifest of an output folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    /// What made the files.
    pub(super) generator: String,
    /// Their paths below the folder, sorted; the manifest itself is not among them.
    pub(super) files: BTreeSet<String>,
}

impl Manifest {
    pub(super) fn of(files: BTreeSet<String>) -> Manifest {
        Manifest { generator: "forecheck gen".to_owned(), files }
    }

    pub(super) fn text(&self) -> String {
        // INVARIANT: a struct of strings always becomes JSON.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// The files that a manifest names, without those that lead out of the folder. Of one in which a
    /// merge left its marks, none is taken for ours; `None` for what is no manifest.
    pub(super) fn files_of(text: &str) -> Option<BTreeSet<String>> {
        match serde_json::from_str::<Manifest>(text) {
            Ok(manifest) => Some(manifest.files.into_iter().filter(|path| is_inside(path)).collect()),
            Err(_) if text.contains("<<<<<<< ") => Some(BTreeSet::new()),
            Err(_) => None,
        }
    }
}

/// The files of a run and the manifest that it would write beside them: an output folder from which no
/// run takes anything for somebody else's.
pub fn with_manifest(mut files: Vec<GeneratedFile>) -> Vec<GeneratedFile> {
    let manifest = Manifest::of(files.iter().map(|file| file.path.clone()).collect());
    files.push(GeneratedFile { path: MANIFEST.to_owned(), content: manifest.text() });
    files
}

/// Whether a path with `/` between its parts stays below its folder.
fn is_inside(path: &str) -> bool {
    path.split('/')
        .all(|part| !part.is_empty() && part != "." && part != ".." && !part.contains(['\\', '\0']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_names_only_what_is_inside() {
        let text =
            r#"{"generator": "x", "files": ["a.json", "rust/b.rs", "../c", "/etc/passwd", "d//e", ""]}"#;
        let expected = BTreeSet::from(["a.json".to_owned(), "rust/b.rs".to_owned()]);
        assert_eq!(Manifest::files_of(text), Some(expected));
        assert_eq!(Manifest::files_of("<<<<<<< HEAD"), Some(BTreeSet::new()));
        assert_eq!(Manifest::files_of(r#"{"name": "my web app"}"#), None);
        let manifest = Manifest::of(BTreeSet::from(["a.json".to_owned()]));
        assert_eq!(Manifest::files_of(&manifest.text()), Some(manifest.files));
    }
}
