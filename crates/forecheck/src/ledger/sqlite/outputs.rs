//! Outputs that are too large for a row: a file each, named by its claim and its digest.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::PathBuf;

use sha2::{Digest as _, Sha256};

/// Longer outputs are kept in files, in bytes.
const LONGEST_IN_A_ROW: usize = 16 * 1024;

/// The folder of large outputs.
#[derive(Debug)]
pub(super) struct Outputs {
    pub(super) folder: PathBuf,
}

/// An output as its row holds it: its text, or the name of its file.
#[derive(Debug, Default)]
pub(super) struct Stored<'o> {
    pub(super) text: Option<&'o str>,
    pub(super) file: Option<String>,
}

impl Outputs {
    /// Stores the output of a claim; a file is on disk when this returns. Where the claim is not settled after
    /// all, [`keep_only`](Self::keep_only) removes it.
    pub(super) fn store<'o>(&self, fence: u64, output: &'o str) -> io::Result<Stored<'o>> {
        if output.len() <= LONGEST_IN_A_ROW {
            return Ok(Stored { text: Some(output), file: None });
        }
        let name = format!("{fence:016x}-{}", digest(output.as_bytes()));
        let path = self.folder.join(&name);
        let mut file = File::options().write(true).create(true).truncate(true).mode(0o600).open(&path)?;
        if let Err(error) = file.write_all(output.as_bytes()).and_then(|()| file.sync_all()) {
            drop(fs::remove_file(&path));
            return Err(error);
        }
        File::open(&self.folder)?.sync_all()?;
        Ok(Stored { text: None, file: Some(name) })
    }

    /// The output in the file of that name.
    pub(super) fn read(&self, name: &str) -> Result<String, String> {
        let text = fs::read_to_string(self.folder.join(name)).map_err(|error| error.to_string())?;
        let is_whole = name.split_once('-').is_some_and(|(_, expected)| digest(text.as_bytes()) == expected);
        if is_whole { Ok(text) } else { Err("its file was changed".to_owned()) }
    }

    /// Removes the files that no row names and that are older than any write that is under way.
    pub(super) fn keep_only(&self, is_named: impl Fn(&str) -> bool) -> io::Result<u64> {
        let mut removed = 0;
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            let (name, found) = (entry.file_name(), entry.metadata()?);
            let is_old = found.modified()?.elapsed().is_ok_and(|age| age.as_secs() > 3600);
            if found.is_file() && is_old && !name.to_str().is_some_and(&is_named) {
                fs::remove_file(entry.path())?;
                removed += 1;
            }
        }
        Ok(removed)
    }
}

fn digest(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}
