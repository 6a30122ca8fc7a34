//! The files that the rules read: everything Git knows or would add, parsed where it is Rust.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context, Result};

use crate::process;

/// Other people's files, kept byte for byte.
const CORPORA: &str = "tests/corpora/";

/// A text file, its path from the root with `/`, and its syntax tree when it is Rust.
pub(super) struct SourceFile {
    path: String,
    text: String,
    syntax: Option<syn::File>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    Written,
    Generated,
}

/// Reads all files except the corpora.
pub(super) fn files() -> Result<Vec<SourceFile>> {
    let listing = process::output(&["git", "ls-files", "-z", "-co", "--exclude-standard"])?;
    listing
        .split_terminator('\0')
        .filter(|path| !path.starts_with(CORPORA))
        .filter_map(|path| read(path).transpose())
        .collect()
}

/// `None` for a file that is deleted but still in Git's index, and for a link to a folder.
fn read(path: &str) -> Result<Option<SourceFile>> {
    let bytes = match fs::read(process::root().join(path)) {
        Ok(bytes) => bytes,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::IsADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(error).with_context(|| format!("cannot read `{path}`")),
    };
    SourceFile::new(path, String::from_utf8_lossy(&bytes).into_owned()).map(Some)
}

impl SourceFile {
    pub(super) fn new(path: &str, text: String) -> Result<Self> {
        let is_rust = Path::new(path).extension().is_some_and(|extension| extension == "rs");
        let syntax = is_rust
            .then(|| syn::parse_file(&text))
            .transpose()
            .with_context(|| format!("cannot parse `{path}`"))?;
        Ok(Self { path: path.to_owned(), text, syntax })
    }

    pub(super) fn path(&self) -> &str {
        &self.path
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// `None` for files that are not Rust.
    pub(super) fn syntax(&self) -> Option<&syn::File> {
        self.syntax.as_ref()
    }

    /// The name of the file without folders.
    pub(super) fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or_default()
    }

    pub(super) fn origin(&self) -> Origin {
        if self.path.split('/').any(|folder| folder == "generated") {
            Origin::Generated
        } else {
            Origin::Written
        }
    }

    /// The lines with their numbers, counted from 1.
    pub(super) fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..).zip(self.text.lines())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_rust_is_parsed_and_broken_rust_is_named() {
        let text = || "fn main( {".to_owned();
        assert!(SourceFile::new("a/b.md", text()).unwrap().syntax().is_none());
        let problem = SourceFile::new("a/b.rs", text()).err().unwrap().to_string();
        assert_eq!(problem, "cannot parse `a/b.rs`");
    }

    #[test]
    fn the_listing_holds_this_file_and_no_corpus() {
        let files = files().unwrap();
        assert!(files.iter().any(|file| file.path() == "xtask/src/tidy/source.rs"));
        assert!(files.iter().all(|file| !file.path().starts_with(CORPORA)));
    }
}
