//! Which file a path names: links are followed one by one, and what was found is opened without any.

use std::ffi::OsStr;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use forecheck_boundary::AbsolutePath;
use rustix::fs::{FileType, Mode, OFlags, ResolveFlags};
use rustix::io::Errno;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Chains of symbolic links longer than this are refused.
const MAX_HOPS: usize = 40;

/// A file itself, whatever its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    /// The device that it is on.
    pub device: u64,
    /// Its number there.
    pub inode: u64,
}

impl Identity {
    /// What a path names, links followed: what an approval writes down.
    pub fn of(path: &AbsolutePath) -> std::io::Result<Self> {
        let stat = rustix::fs::stat(as_path(path))?;
        Ok(Identity { device: stat.st_dev, inode: stat.st_ino })
    }
}

/// What kind of file it is, as far as mounts care.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Directory,
    /// Files, sockets, devices.
    File,
}

/// A symbolic link on the way to a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hop {
    /// Where the link stands, itself without links.
    pub(crate) at: AbsolutePath,
    /// What it says.
    pub(crate) target: Vec<u8>,
}

/// A file that was found, and is held, so that its number is not given to another one.
#[derive(Debug)]
pub(crate) struct Resolved {
    /// The path without links.
    pub(crate) path: AbsolutePath,
    pub(crate) hops: Vec<Hop>,
    pub(crate) identity: Identity,
    pub(crate) kind: Kind,
    #[expect(dead_code, reason = "held, so that the inode is not reused")]
    descriptor: OwnedFd,
}

/// Why a path names nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unresolved {
    TooManyLinks,
    System(Errno),
}

impl std::fmt::Display for Unresolved {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unresolved::TooManyLinks => write!(f, "more than {MAX_HOPS} symbolic links lead to it"),
            Unresolved::System(errno) => write!(f, "{errno}"),
        }
    }
}

impl From<Errno> for Unresolved {
    fn from(errno: Errno) -> Self {
        Unresolved::System(errno)
    }
}

/// Follows the links of a path and opens what it names.
pub(crate) fn resolve(path: &AbsolutePath) -> Result<Resolved, Unresolved> {
    let (path, hops) = follow(path)?;
    let (descriptor, identity, kind) = open_unlinked(&path)?;
    Ok(Resolved { path, hops, identity, kind, descriptor })
}

/// Opens a path of which no component may be a link by now.
pub(crate) fn open_unlinked(path: &AbsolutePath) -> Result<(OwnedFd, Identity, Kind), Errno> {
    let flags = OFlags::PATH | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    let how = ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    let descriptor = rustix::fs::openat2(rustix::fs::CWD, as_path(path), flags, Mode::empty(), how)?;
    let stat = rustix::fs::fstat(&descriptor)?;
    let kind = match FileType::from_raw_mode(stat.st_mode) {
        FileType::Directory => Kind::Directory,
        _ => Kind::File,
    };
    Ok((descriptor, Identity { device: stat.st_dev, inode: stat.st_ino }, kind))
}

fn follow(path: &AbsolutePath) -> Result<(AbsolutePath, Vec<Hop>), Unresolved> {
    let mut found = AbsolutePath::root();
    let mut hops = Vec::new();
    let mut ahead: Vec<Vec<u8>> = path.components().map(<[u8]>::to_vec).collect();
    ahead.reverse();
    while let Some(component) = ahead.pop() {
        match component.as_slice() {
            b"" | b"." => {}
            b".." => found = found.parent().unwrap_or(found),
            name => {
                let next = found.join(name).map_err(|_| Errno::INVAL)?;
                match rustix::fs::readlink(as_path(&next), Vec::new()) {
                    Ok(target) if hops.len() < MAX_HOPS => {
                        let target = target.into_bytes();
                        if target.starts_with(b"/") {
                            found = AbsolutePath::root();
                        }
                        ahead.extend(target.split(|byte| *byte == b'/').rev().map(<[u8]>::to_vec));
                        hops.push(Hop { at: next, target });
                    }
                    Ok(_) => return Err(Unresolved::TooManyLinks),
                    Err(Errno::INVAL) => found = next,
                    Err(errno) => return Err(errno.into()),
                }
            }
        }
    }
    Ok((found, hops))
}

/// The path as the standard library takes it.
pub(crate) fn as_path(path: &AbsolutePath) -> &Path {
    Path::new(OsStr::from_bytes(path.as_bytes()))
}

/// The path of the system as a list of components; `None` for one that is not absolute.
pub(crate) fn from_path(path: &Path) -> Option<AbsolutePath> {
    AbsolutePath::parse(path.as_os_str().as_bytes()).ok()
}
