//! What stands in an output folder.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use super::MANIFEST;
use super::manifest::Manifest;

/// An output folder as it was when it was listed. Names that start with a dot are nobody's and are
/// left alone.
#[derive(Debug)]
pub(super) struct Folder {
    /// The folder.
    pub(super) path: PathBuf,
    /// The manifest, as the last run wrote it.
    pub(super) manifest: Option<Vec<u8>>,
    /// The files that the manifest names.
    pub(super) ours: BTreeSet<String>,
    /// What is there, by path below the folder.
    pub(super) entries: BTreeMap<String, Kind>,
}

/// What an entry of a folder is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A link, a device and the like.
    Other,
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
    pub(super) fn list(path: &Path) -> Result<Folder, FolderError> {
        let mut folder =
            Folder { path: path.to_owned(), manifest: None, ours: BTreeSet::new(), entries: BTreeMap::new() };
        match fs::metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(folder),
            Err(source) => return Err(FolderError { path: path.to_owned(), source }),
            Ok(found) if !found.is_dir() => {
                return Err(FolderError {
                    path: path.to_owned(),
                    source: io::ErrorKind::NotADirectory.into(),
                });
            }
            Ok(_) => {}
        }
        for entry in WalkDir::new(path).min_depth(1).into_iter().filter_entry(is_visible) {
            let entry = entry.map_err(|error| folder_error(path, error))?;
            folder.entries.insert(below(path, &entry), kind(&entry));
        }
        // What is no manifest of ours is foreign, as any other file.
        if folder.entries.get(MANIFEST) == Some(&Kind::File) {
            let text = folder.read(MANIFEST)?;
            if let Some(ours) = Manifest::files_of(&String::from_utf8_lossy(&text)) {
                folder.entries.remove(MANIFEST);
                folder.ours = ours;
                folder.manifest = Some(text);
            }
        }
        Ok(folder)
    }

    /// The bytes of a file of the folder.
    pub(super) fn read(&self, path: &str) -> Result<Vec<u8>, FolderError> {
        let path = self.path.join(path);
        fs::read(&path).map_err(|source| FolderError { path, source })
    }
}

fn is_visible(entry: &DirEntry) -> bool {
    entry.depth() == 0 || !entry.file_name().as_encoded_bytes().starts_with(b".")
}

fn kind(entry: &DirEntry) -> Kind {
    match entry.file_type() {
        kind if kind.is_file() => Kind::File,
        kind if kind.is_dir() => Kind::Folder,
        _ => Kind::Other,
    }
}

fn below(root: &Path, entry: &DirEntry) -> String {
    let below = entry.path().strip_prefix(root).unwrap_or(entry.path());
    let parts = below.components().map(|part| part.as_os_str().to_string_lossy().into_owned());
    parts.collect::<Vec<_>>().join("/")
}

fn folder_error(path: &Path, error: walkdir::Error) -> FolderError {
    let path = error.path().unwrap_or(path).to_owned();
    let source = error.into_io_error().unwrap_or_else(|| io::Error::other("a loop of links"));
    FolderError { path, source }
}
