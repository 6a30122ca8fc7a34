//! The process between a harness and one command. It has one thread, so that `--die-with-parent` follows it;
//! it closes what it inherited, adopts and reaps what the command leaves behind, and answers once.

mod child;
mod inheritance;
mod output;
mod stage;
mod watch;

use std::io::{Read as _, Write as _};
use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;
use std::process::ExitCode;

use crate::wire::{Order, Problem, Report};

/// The first argument of the inner stage, which executes the command; the second one is a descriptor.
const INNER: &str = "inner";
/// The first argument of a command that does nothing, for probes.
pub(crate) const NOTHING: &str = "nothing";

/// The body of the program `forecheck-supervisor`, which a launch starts by itself. Standard input is the
/// launch's end of a socket; called in any other way it ends with 2.
pub fn supervisor_main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        [NOTHING] => ExitCode::SUCCESS,
        [INNER, start, order] => stage::run(start, order),
        [] => supervise().map_or(ExitCode::from(2), |()| ExitCode::SUCCESS),
        _ => ExitCode::from(2),
    }
}

fn supervise() -> std::io::Result<()> {
    inheritance::leave_behind()?;
    let mut control = UnixStream::from(std::io::stdin().as_fd().try_clone_to_owned()?);
    let order = read_order(&mut control)?;
    let report = watch::run(&order, &control)
        .unwrap_or_else(|error| Report::not_started(Problem::System(error.to_string())));
    control.set_nonblocking(false)?;
    control.write_all(&serde_json::to_vec(&report)?)
}

fn read_order(control: &mut UnixStream) -> std::io::Result<Order> {
    let mut length = [0; 8];
    control.read_exact(&mut length)?;
    let mut text = Vec::new();
    control.take(u64::from_le_bytes(length)).read_to_end(&mut text)?;
    Ok(serde_json::from_slice(&text)?)
}
