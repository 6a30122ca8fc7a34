//! The walk through writable roots. Links are never followed; what cannot be looked into is closed.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::time::Instant;

use forecheck_boundary::{AbsolutePath, Level};

use super::{Found, Limits, git};
use crate::identity::{Kind, as_path};
use crate::refusal::{Refusal, RefusalCode};

/// What an owner needs to look into a directory. User 0 does without, and the child of user 0 does not.
const OWNER_LOOKS: u32 = 0o500;

/// Adds everything with one of these names below the roots.
pub(super) fn search(
    found: &mut Found,
    names: &[(&[u8], Level)],
    roots: &[AbsolutePath],
    limits: Limits,
) -> Result<(), Refusal> {
    let mut walk = Walk { found, names, limits, began: Instant::now(), entries: 0 };
    let mut ahead: Vec<AbsolutePath> = roots.to_vec();
    while let Some(folder) = ahead.pop() {
        walk.folder(&folder, &mut ahead)?;
    }
    Ok(())
}

struct Walk<'a> {
    found: &'a mut Found,
    names: &'a [(&'a [u8], Level)],
    limits: Limits,
    began: Instant,
    entries: usize,
}

impl Walk<'_> {
    fn folder(&mut self, folder: &AbsolutePath, ahead: &mut Vec<AbsolutePath>) -> Result<(), Refusal> {
        let entries = match fs::read_dir(as_path(folder)) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => {
                self.found.add(folder.clone(), Level::Inaccessible, Kind::Directory);
                return Ok(());
            }
            // Gone since its parent was read.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(unreadable(folder, &error)),
        };
        for entry in entries {
            self.entry(folder, &entry.map_err(|error| unreadable(folder, &error))?, ahead)?;
        }
        Ok(())
    }

    fn entry(
        &mut self,
        folder: &AbsolutePath,
        entry: &fs::DirEntry,
        ahead: &mut Vec<AbsolutePath>,
    ) -> Result<(), Refusal> {
        self.count(folder)?;
        let kind = entry.file_type().map_err(|error| unreadable(folder, &error))?;
        let name = entry.file_name();
        let level = self.names.iter().find(|(protected, _)| *protected == name.as_bytes());
        match level {
            None if kind.is_dir() => self.enter(join(folder, &name)?, entry, ahead),
            None => {}
            Some(_) if kind.is_symlink() => {
                let message = "what is to be protected is a link in a writable root";
                let path = join(folder, &name)?;
                return Err(Refusal::at(RefusalCode::ProtectedPathCrossesSymlink, &path, message));
            }
            Some((_, level)) => {
                let path = join(folder, &name)?;
                if kind.is_file() {
                    git::follow_file(self.found, &path, *level);
                }
                let kind = if kind.is_dir() { Kind::Directory } else { Kind::File };
                self.found.add(path, *level, kind);
            }
        }
        Ok(())
    }

    fn enter(&mut self, path: AbsolutePath, entry: &fs::DirEntry, ahead: &mut Vec<AbsolutePath>) {
        let is_closed = entry.metadata().is_ok_and(|metadata| metadata.mode() & OWNER_LOOKS != OWNER_LOOKS);
        if is_closed {
            self.found.add(path, Level::Inaccessible, Kind::Directory);
        } else {
            ahead.push(path);
        }
    }

    fn count(&mut self, folder: &AbsolutePath) -> Result<(), Refusal> {
        self.entries += 1;
        if self.entries > self.limits.entries || self.began.elapsed() > self.limits.time {
            let message = format!("the search ended after {} entries, before its end", self.entries);
            return Err(Refusal::at(RefusalCode::ProtectedPathUncoverable, folder, message));
        }
        Ok(())
    }
}

fn unreadable(folder: &AbsolutePath, error: &std::io::Error) -> Refusal {
    let message = format!("cannot look into it: {error}");
    Refusal::at(RefusalCode::ProtectedPathUncoverable, folder, message)
}

fn join(folder: &AbsolutePath, name: &OsStr) -> Result<AbsolutePath, Refusal> {
    let refused = |error: forecheck_boundary::PathError| {
        Refusal::at(RefusalCode::ProtectedPathUncoverable, folder, error.to_string())
    };
    folder.join(name.as_bytes()).map_err(refused)
}
