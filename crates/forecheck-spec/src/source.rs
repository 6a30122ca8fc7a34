//! The bytes of a surface's folder. The only place in this crate that touches the file system.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use forecheck_contract::json::Limits;
use walkdir::{DirEntry, WalkDir};

/// The files of one surface folder.
#[derive(Debug)]
pub struct Sources {
    /// The last component of the folder's canonical path: the name of a surface that has no
    /// `surface.json`.
    pub folder_name: String,
    /// The files, in no order.
    pub files: Vec<SourceFile>,
}

/// One file of a surface folder.
#[derive(Debug)]
pub struct SourceFile {
    /// The path below the folder, with `/` between its parts on every machine.
    pub path: String,
    /// What the file holds, or why that is not known.
    pub content: Result<Vec<u8>, Unread>,
}

/// Why the bytes of a file are not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unread {
    /// The entry is a symbolic link; a surface is read from inside its folder alone.
    Link,
    /// The entry is a device, a socket or the like.
    NotAFile,
    /// The name is not UTF-8.
    Name,
    /// The file is longer than a spec file may be, in bytes.
    TooLarge(u64),
    /// The system's own words.
    Io(String),
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unread::Link => f.write_str("a symbolic link is not followed"),
            Unread::NotAFile => f.write_str("not a regular file"),
            Unread::Name => f.write_str("the name is not UTF-8"),
            Unread::TooLarge(length) => {
                write!(f, "the file has {length} bytes, more than the {} that are read", Limits::SPEC.bytes)
            }
            Unread::Io(error) => f.write_str(error),
        }
    }
}

/// A surface folder that could not be listed at all.
#[derive(Debug)]
pub struct FolderError {
    /// The folder as it was named.
    pub folder: PathBuf,
    /// What the system said.
    pub source: io::Error,
}

impl fmt::Display for FolderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the folder `{}` cannot be read: {}", self.folder.display(), self.source)
    }
}

impl std::error::Error for FolderError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

impl Sources {
    /// Reads every JSON file below `folder`. What cannot be read becomes part of the result, so
    /// that it is reported beside everything else.
    ///
    /// # Errors
    /// [`FolderError`] when `folder` is no folder or cannot be listed.
    pub fn load(folder: &Path) -> Result<Sources, FolderError> {
        let failed = |source| FolderError { folder: folder.to_owned(), source };
        let root = folder.canonicalize().map_err(failed)?;
        fs::read_dir(&root).map_err(failed)?;
        let name = root.file_name().unwrap_or_default();
        let folder_name = name.to_string_lossy().into_owned();
        let walk = WalkDir::new(&root).min_depth(1).follow_links(false);
        let files = walk
            .into_iter()
            .filter_entry(|entry| !is_hidden(entry))
            .filter_map(|entry| source_file(&root, entry))
            .collect();
        Ok(Sources { folder_name, files })
    }
}

fn is_hidden(entry: &DirEntry) -> bool {
    entry.depth() > 0 && entry.file_name().as_encoded_bytes().starts_with(b".")
}

/// The file of an entry; `None` for folders and for files that are no JSON.
fn source_file(root: &Path, entry: walkdir::Result<DirEntry>) -> Option<SourceFile> {
    match entry {
        Ok(entry) if entry.file_type().is_dir() => None,
        Ok(entry) => {
            let is_json = entry.path().extension().is_some_and(|extension| extension == "json");
            let path = relative(root, entry.path());
            (is_json || entry.file_type().is_symlink()).then(|| SourceFile {
                content: path.clone().and_then(|_| content(&entry)),
                path: path.unwrap_or_else(|_| lossy(root, entry.path())),
            })
        }
        Err(error) => {
            let path = lossy(root, error.path().unwrap_or(root));
            Some(SourceFile {
                path,
                content: Err(Unread::Io(
                    error.io_error().map_or_else(|| "a loop".to_owned(), ToString::to_string),
                )),
            })
        }
    }
}

fn content(entry: &DirEntry) -> Result<Vec<u8>, Unread> {
    if entry.file_type().is_symlink() {
        return Err(Unread::Link);
    }
    if !entry.file_type().is_file() {
        return Err(Unread::NotAFile);
    }
    let length = entry.metadata().map_err(|error| Unread::Io(error.to_string()))?.len();
    if length > u64::from(Limits::SPEC.bytes) {
        return Err(Unread::TooLarge(length));
    }
    fs::read(entry.path()).map_err(|error| Unread::Io(error.to_string()))
}

fn relative(root: &Path, path: &Path) -> Result<String, Unread> {
    let below = path.strip_prefix(root).unwrap_or(path);
    let parts: Option<Vec<&str>> = below.components().map(|part| part.as_os_str().to_str()).collect();
    parts.map(|parts| parts.join("/")).ok_or(Unread::Name)
}

fn lossy(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).to_string_lossy().replace('\\', "/")
}
