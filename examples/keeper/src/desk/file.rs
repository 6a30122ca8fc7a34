//! The TOML files of a desk: each is read whole, and replaced whole or not at all.

use std::fs::{self, File};
use std::io::{ErrorKind, Write as _};
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::trouble::Trouble;

/// Reads a file; `None` where there is none.
pub(super) fn read<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, Trouble> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Trouble::at(path)(error)),
    };
    let value = toml_edit::de::from_str(&text);
    value.map(Some).map_err(|error| unreadable(path, &error))
}

pub(super) fn unreadable(path: &Path, error: &impl ToString) -> Trouble {
    Trouble::Unreadable { path: path.to_owned(), reason: error.to_string().trim_end().to_owned() }
}

/// Writes what a file says.
pub(super) fn replace(path: &Path, value: &impl Serialize) -> Result<(), Trouble> {
    let text = toml_edit::ser::to_string_pretty(value).map_err(|error| unreadable(path, &error))?;
    replace_text(path, &text)
}

/// Writes a file beside the old one, and renames it: whoever reads sees one of both, also after a crash.
pub(super) fn replace_text(path: &Path, text: &str) -> Result<(), Trouble> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(Trouble::at(folder))?;
    }
    let beside = path.with_extension("toml.new");
    let mut file = File::create(&beside).map_err(Trouble::at(&beside))?;
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(Trouble::at(&beside))?;
    fs::rename(&beside, path).map_err(Trouble::at(path))
}

/// The names of the files with that extension in a folder, without it, sorted; none where there is no folder.
pub(super) fn stems(folder: &Path, extension: &str) -> Result<Vec<String>, Trouble> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(Trouble::at(folder)(error)),
    };
    let mut stems = Vec::new();
    for entry in entries {
        let path = entry.map_err(Trouble::at(folder))?.path();
        if path.extension().is_some_and(|found| found == extension)
            && let Some(stem) = path.file_stem().and_then(|stem| stem.to_str())
        {
            stems.push(stem.to_owned());
        }
    }
    stems.sort_unstable();
    Ok(stems)
}
