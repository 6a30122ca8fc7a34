//! What stands in an output folder.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::manifest::Manifest;
use super::{MANIFEST, STAGING};

/// An output folder as it was when it was listed. Names that start with a dot are not ours and are
/// left alone.
#[derive(Debug)]
pub struct Folder {
    /// The folder.
    pub path: PathBuf,
    /// The files that the last run wrote.
    pub(super) ours: BTreeSet<String>,
    /// What is there: the bytes of regular files, `None` for links and the like.
    pub(super) entries: BTreeMap<String, Option<Vec<u8>>>,
}

/// An output folder that cannot be listed.
#[derive(Debug)]
pub struct FolderError {
    /// What could not be read.
    pub path: PathBuf,
    /// What the system said.
    pub source: io::Error,
}

impl fmt::Display for FolderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` cannot be read: {}", self.path.display(), self.source)
    }
}

impl std::error::Error for FolderError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

impl Folder {
    /// Lists `path`; a folder that does not exist is empty.
    ///
    /// # Errors
    /// [`FolderError`] when something in it cannot be read, or `path` is no folder.
    pub fn list(path: &Path) -> Result<Folder, FolderError> {
        let mut folder = Folder { path: path.to_owned(), ours: BTreeSet::new(), entries: BTreeMap::new() };
        match fs::metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(folder),
            Err(source) => return Err(FolderError { path: path.to_owned(), source }),
            Ok(found) if !found.is_dir() => {
                return Err(FolderError { path: path.to_owned(), source: io::ErrorKind::NotADirectory.into() });
            }
            Ok(_) => {}
        }
        let is_visible = |entry: &walkdir::DirEntry| {
            entry.depth() == 0 || !entry.file_name().as_encoded_bytes().starts_with(b".")
        };
        for entry in WalkDir::new(path).follow_root_links(true).into_iter().filter_entry(is_visible) {
            let entry = entry.map_err(|error| folder_error(path, error))?;
            if entry.file_type().is_dir() && entry.depth() > 0 {
                continue;
            }
            folder.add(&entry)?;
        }
        if let Some(Some(manifest)) = folder.entries.remove(MANIFEST) {
            folder.ours = Manifest::files_of(&String::from_utf8_lossy(&manifest));
        }
        Ok(folder)
    }

    fn add(&mut self, entry: &walkdir::DirEntry) -> Result<(), FolderError> {
        if entry.file_type().is_dir() {
            return Ok(());
        }
        let below = entry.path().strip_prefix(&self.path).unwrap_or(entry.path());
        let parts: Vec<String> =
            below.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
        let bytes = if entry.file_type().is_file() {
            let read = fs::read(entry.path());
            Some(read.map_err(|source| FolderError { path: entry.path().to_owned(), source })?)
        } else {
            None
        };
        self.entries.insert(parts.join("/"), bytes);
        Ok(())
    }

    /// The bytes of a regular file of the folder.
    pub fn file(&self, path: &str) -> Option<&[u8]> {
        self.entries.get(path)?.as_deref()
    }

    /// Where files are staged.
    pub(super) fn staging(&self) -> PathBuf {
        self.path.join(STAGING)
    }
}

fn folder_error(path: &Path, error: walkdir::Error) -> FolderError {
    let path = error.path().unwrap_or(path).to_owned();
    let source = error.into_io_error().unwrap_or_else(|| io::Error::other("a loop of links"));
    FolderError { path, source }
}
