//! Linked worktrees: a file `.git` names a directory elsewhere, which names the one that it shares.

use std::ffi::OsStr;
use std::fs::OpenOptions;
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::OpenOptionsExt as _;

use forecheck_boundary::{AbsolutePath, Level};

use super::Found;
use crate::identity::{Kind, as_path, from_path, resolve};

/// A file of Git that holds one path is never longer.
const MAX_FILE: u64 = 16_384;

/// Protects the directory that a file `.git` names, and the one that this shares with others. A directory that
/// does not name the file in turn is nobody's business here: the file may be planted.
pub(super) fn follow_file(found: &mut Found, file: &AbsolutePath, level: Level) {
    let Some(directory) = named_directory(file) else {
        return;
    };
    found.add(directory.clone(), level, Kind::Directory);
    if let Some(common) = common_directory(&directory) {
        found.add(common.clone(), level, Kind::Directory);
        if !found.common_directories.contains(&common) {
            found.common_directories.push(common);
        }
    }
}

fn named_directory(file: &AbsolutePath) -> Option<AbsolutePath> {
    let line = first_line(file)?;
    let named = line.strip_prefix(b"gitdir:")?.trim_ascii();
    let directory = canonical(&file.parent()?, named)?;
    let back = first_line(&directory.join("gitdir").ok()?)?;
    let named_back = canonical(&directory, back.trim_ascii())?;
    (named_back == *file).then_some(directory)
}

fn common_directory(directory: &AbsolutePath) -> Option<AbsolutePath> {
    let line = first_line(&directory.join("commondir").ok()?)?;
    canonical(directory, line.trim_ascii())
}

/// The names in these files climb, so the system resolves them; then no link is left.
fn canonical(from: &AbsolutePath, named: &[u8]) -> Option<AbsolutePath> {
    let path = as_path(from).join(OsStr::from_bytes(named));
    let path = from_path(&std::fs::canonicalize(path).ok()?)?;
    resolve(&path).ok().filter(|resolved| resolved.hops.is_empty()).map(|resolved| resolved.path)
}

/// Of a file, not of a pipe that would keep us waiting.
fn first_line(path: &AbsolutePath) -> Option<Vec<u8>> {
    let flags = libc::O_NONBLOCK | libc::O_NOFOLLOW;
    let file = OpenOptions::new().read(true).custom_flags(flags).open(as_path(path)).ok()?;
    let mut text = Vec::new();
    file.metadata().ok().filter(std::fs::Metadata::is_file)?;
    file.take(MAX_FILE).read_to_end(&mut text).ok()?;
    text.split(|byte| *byte == b'\n').next().map(<[u8]>::to_vec)
}
