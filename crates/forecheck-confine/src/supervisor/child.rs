//! Starting the backend, or the command itself, with exactly the descriptors that it is to have.

use std::fs::File;
use std::io::{Seek as _, Write as _};
use std::os::fd::{AsFd, AsRawFd as _, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};

use forecheck_boundary::AbsolutePath;
use rustix::fs::MemfdFlags;
use rustix::io::{Errno, FdFlags};
use rustix::pipe::PipeFlags;

use super::INNER;
use crate::identity::{Kind, as_path, open_unlinked};
use crate::plan::arguments::Argument;
use crate::wire::{Confinement, Order, Problem};

/// A process that was started, and our ends of its pipes.
pub(super) struct Spawned {
    pub(super) process: Child,
    /// The byte before the start.
    pub(super) start: File,
    /// The records of the backend; absent without one.
    pub(super) records: Option<File>,
}

/// Starts what an order asks for.
pub(super) fn spawn(order: &Order) -> Result<Spawned, Problem> {
    let system = |error: std::io::Error| Problem::System(error.to_string());
    // The program itself, by descriptor: its path need not be visible inside of the boundary.
    let this_program = File::open("/proc/self/exe").map_err(system)?;
    let (start, start_of_child) = pipe().map_err(system)?;
    let stage = stage_file(order).map_err(system)?;
    let (start_number, order_number) = (start_of_child.as_raw_fd(), stage.as_raw_fd());
    let inner = format!("/proc/self/fd/{}", this_program.as_raw_fd());
    let mut passed: Vec<OwnedFd> = vec![this_program.into(), start_of_child, stage.into()];
    let mut records = None;
    let mut command = match &order.confined {
        None => Command::new(&inner),
        Some(confinement) => {
            let mut command = backend(confinement, &mut passed)?;
            let (ours, theirs) = pipe().map_err(system)?;
            command.arg("--json-status-fd").arg(theirs.as_raw_fd().to_string());
            command.arg("--").arg(&inner);
            passed.push(theirs);
            records = Some(File::from(ours));
            command
        }
    };
    command.args([INNER, &start_number.to_string(), &order_number.to_string()]);
    // The environment is the command's, not ours and not the backend's: a preloaded library would run outside.
    command.env_clear().process_group(0);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    passed.iter().try_for_each(keep_over_exec).map_err(system)?;
    let process = command.spawn().map_err(system)?;
    Ok(Spawned { process, start: File::from(start), records })
}

fn backend(confinement: &Confinement, passed: &mut Vec<OwnedFd>) -> Result<Command, Problem> {
    let Confinement { program, identity, arguments, expected } = confinement;
    if open_unlinked(program).map(|(_, found, _)| found) != Ok(*identity) {
        return Err(Problem::System("the backend is no longer the one that was probed".to_owned()));
    }
    let mut command = Command::new(as_path(program));
    for argument in arguments {
        match argument {
            Argument::Text(text) => {
                command.arg(std::ffi::OsStr::from_bytes(text.as_bytes()));
            }
            Argument::Opened(path) => {
                let changed = || Problem::Changed(path.clone());
                let wanted = expected.iter().find(|(expected, _)| expected == path).ok_or_else(changed)?;
                let (descriptor, found, _) = open_unlinked(path).map_err(|_| changed())?;
                if found != wanted.1 {
                    return Err(changed());
                }
                command.arg(descriptor.as_raw_fd().to_string());
                passed.push(descriptor);
            }
            Argument::Cover(path) => cover(&mut command, path, passed)?,
        }
    }
    Ok(command)
}

/// The file that covers another one has a descriptor of its own, with nothing to read.
fn cover(command: &mut Command, path: &AbsolutePath, passed: &mut Vec<OwnedFd>) -> Result<(), Problem> {
    match open_unlinked(path) {
        Ok((_, _, Kind::File)) => {}
        Err(Errno::NOENT) => return Ok(()),
        Ok(_) | Err(_) => return Err(Problem::Changed(path.clone())),
    }
    let empty = File::open("/dev/null").map_err(|error| Problem::System(error.to_string()))?;
    command.args(["--perms", "0000", "--ro-bind-data", &empty.as_raw_fd().to_string()]).arg(as_path(path));
    passed.push(empty.into());
    Ok(())
}

fn pipe() -> std::io::Result<(OwnedFd, OwnedFd)> {
    Ok(rustix::pipe::pipe_with(PipeFlags::CLOEXEC)?)
}

/// What the inner stage reads: in memory, so that arguments of any length stay off the backend's line.
fn stage_file(order: &Order) -> std::io::Result<File> {
    let mut file = File::from(rustix::fs::memfd_create("forecheck-stage", MemfdFlags::CLOEXEC)?);
    file.write_all(&serde_json::to_vec(&order.stage)?)?;
    file.rewind()?;
    Ok(file)
}

fn keep_over_exec(descriptor: impl AsFd) -> std::io::Result<()> {
    Ok(rustix::io::fcntl_setfd(descriptor, FdFlags::empty())?)
}
