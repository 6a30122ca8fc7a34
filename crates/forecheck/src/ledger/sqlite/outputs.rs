//! Outputs that are too large for a row: a file each, named by its digest.

use std::fs::{self, DirBuilder, File};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::PathBuf;
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

use sha2::{Digest as _, Sha256};

/// Longer outputs are kept in files, in bytes.
const LONGEST_IN_A_ROW: usize = 16 * 1024;

/// Tells the files apart that threads of this process are writing.
static WRITTEN: AtomicU64 = AtomicU64::new(0);

/// The folder of large outputs.
#[derive(Debug)]
pub(super) struct Outputs {
    pub(super) folder: PathBuf,
}

/// An output as its row holds it: its text, or the name of its file.
#[derive(Debug)]
pub(super) struct Stored<'o> {
    pub(super) text: Option<&'o str>,
    pub(super) file: Option<String>,
}

impl Outputs {
    /// Stores an output; a file is on disk when this returns.
    pub(super) fn store<'o>(&self, output: &'o str) -> io::Result<Stored<'o>> {
        if output.len() <= LONGEST_IN_A_ROW {
            return Ok(Stored { text: Some(output), file: None });
        }
        DirBuilder::new().recursive(true).mode(0o700).create(&self.folder)?;
        let name = digest(output.as_bytes());
        let number = WRITTEN.fetch_add(1, Ordering::Relaxed);
        let staged = self.folder.join(format!("{name}.{}.{number}", process::id()));
        let mut file = File::options().write(true).create(true).truncate(true).mode(0o600).open(&staged)?;
        let written = file.write_all(output.as_bytes()).and_then(|()| file.sync_all());
        let placed = written.and_then(|()| fs::rename(&staged, self.folder.join(&name)));
        if let Err(error) = placed {
            drop(fs::remove_file(&staged));
            return Err(error);
        }
        File::open(&self.folder)?.sync_all()?;
        Ok(Stored { text: None, file: Some(name) })
    }

    /// The output in the file of that name.
    pub(super) fn read(&self, name: &str) -> Result<String, String> {
        let text = fs::read_to_string(self.folder.join(name)).map_err(|error| error.to_string())?;
        if digest(text.as_bytes()) == name { Ok(text) } else { Err("its file was changed".to_owned()) }
    }

    /// Removes the files that no row names and that are older than any write that is under way.
    pub(super) fn keep_only(&self, is_named: impl Fn(&str) -> bool) -> io::Result<u64> {
        let listing = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
            listing => listing?,
        };
        let mut removed = 0;
        for entry in listing {
            let entry = entry?;
            let name = entry.file_name();
            let is_old = entry.metadata()?.modified()?.elapsed().is_ok_and(|age| age.as_secs() > 3600);
            if is_old && !name.to_str().is_some_and(&is_named) {
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
