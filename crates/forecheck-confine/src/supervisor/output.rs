//! What the command writes, relayed into files up to a limit.

use std::ffi::OsStr;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Write as _};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::OpenOptionsExt as _;

use crate::wire::Counted;
use forecheck_boundary::ByteText;

/// A new file of its user alone.
pub(super) fn create(spool: &ByteText) -> std::io::Result<File> {
    let path = OsStr::from_bytes(spool.as_bytes());
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}

/// One output of the command.
pub(super) struct Relay<R> {
    source: Option<R>,
    file: File,
    pub(super) counted: Counted,
}

impl<R: Read + AsFd> Relay<R> {
    pub(super) fn new(source: Option<R>, file: File) -> Self {
        Relay { source, file, counted: Counted::default() }
    }

    /// Absent once it has ended.
    pub(super) fn source(&self) -> Option<BorrowedFd<'_>> {
        self.source.as_ref().map(AsFd::as_fd)
    }

    /// Reads what is there, and keeps at most `room` bytes of it. Says whether anything came. What a full disk
    /// does not take was seen and is not kept.
    pub(super) fn relay(&mut self, room: u64) -> bool {
        let Some(source) = &mut self.source else {
            return false;
        };
        let mut buffer = [0; 16_384];
        let read = match source.read(&mut buffer) {
            Err(error) if error.kind() == ErrorKind::WouldBlock => return false,
            Err(error) if error.kind() == ErrorKind::Interrupted => return true,
            Ok(0) | Err(_) => {
                self.source = None;
                return false;
            }
            Ok(read) => read,
        };
        let kept = usize::try_from(room).unwrap_or(usize::MAX).min(read);
        self.counted.seen += read as u64;
        if self.file.write_all(buffer.get(..kept).unwrap_or_default()).is_ok() {
            self.counted.kept += kept as u64;
        }
        true
    }
}
