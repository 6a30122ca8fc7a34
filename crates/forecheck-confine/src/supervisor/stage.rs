//! The inner stage: the last of our code before the command, inside of the boundary. It says that the
//! command starts, right before it does.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::fd::AsRawFd as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::process::CommandExt as _;
use std::process::{Command, ExitCode};

use rustix::io::FdFlags;

use super::inheritance;
use crate::identity::as_path;
use crate::wire::Stage;

/// Written right before `exec`.
pub(super) const START: u8 = b'S';
/// Written when `exec` has failed, with the number of the error.
pub(super) const FAILED: u8 = b'E';

/// Executes the command of an order that a descriptor holds, and comes back only if that fails.
pub(super) fn run(start: &str, order: &str) -> ExitCode {
    match prepare(start, order) {
        Ok((start, command)) => execute(start, command),
        Err(_) => ExitCode::from(125),
    }
}

fn prepare(start: &str, order: &str) -> std::io::Result<(File, Command)> {
    let missing = || std::io::Error::from(std::io::ErrorKind::InvalidInput);
    let start = File::from(inheritance::passed(start).ok_or_else(missing)?);
    let order = File::from(inheritance::passed(order).ok_or_else(missing)?);
    inheritance::close_all_but(&[start.as_raw_fd(), order.as_raw_fd()])?;
    rustix::io::fcntl_setfd(&start, FdFlags::CLOEXEC)?;
    let mut text = Vec::new();
    (&order).read_to_end(&mut text)?;
    drop(order);
    let stage: Stage = serde_json::from_slice(&text)?;
    let mut words = stage.command.iter().map(|word| OsStr::from_bytes(word.as_bytes()));
    let mut command = Command::new(words.next().ok_or_else(missing)?);
    let variables = stage.environment.iter();
    command
        .args(words)
        .env_clear()
        .envs(
            variables.map(|(name, value)| {
                (OsStr::from_bytes(name.as_bytes()), OsStr::from_bytes(value.as_bytes()))
            }),
        )
        .current_dir(as_path(&stage.workdir));
    Ok((start, command))
}

fn execute(mut start: File, mut command: Command) -> ExitCode {
    if start.write_all(&[START]).is_err() {
        return ExitCode::from(125);
    }
    let error = command.exec();
    let number = error.raw_os_error().unwrap_or(0);
    let said = [&[FAILED], number.to_le_bytes().as_slice()].concat();
    let code = if error.kind() == std::io::ErrorKind::NotFound { 127 } else { 126 };
    // Nobody listens any more: the code is left to say it.
    start.write_all(&said).map_or(ExitCode::from(code), |()| ExitCode::from(code))
}
