//! What a process gets from the one that started it, and must not keep: descriptors, signal dispositions, the
//! session.

#![expect(
    unsafe_code,
    reason = "descriptors of unknown owners and signal dispositions have no safe interface"
)]

use std::fs;
use std::os::fd::{FromRawFd as _, OwnedFd, RawFd};

/// Signals of Linux, without those of real time that the C library keeps.
const SIGNALS: std::ops::RangeInclusive<libc::c_int> = 1..=31;

/// Makes the process what a supervisor has to be. To be called first.
pub(super) fn leave_behind() -> std::io::Result<()> {
    close_all_but(&[])?;
    for signal in SIGNALS {
        // A write to a closed pipe is an error to us; the standard library resets it for what it spawns.
        if signal != libc::SIGPIPE {
            // SAFETY: the default disposition runs no code of ours, and there is one thread. SIGKILL and
            // SIGSTOP fail, which changes nothing.
            unsafe { libc::signal(signal, libc::SIG_DFL) };
        }
    }
    // Who leads a session already stays in it.
    if let Err(error) = rustix::process::setsid()
        && error != rustix::io::Errno::PERM
    {
        return Err(error.into());
    }
    rustix::process::set_child_subreaper(rustix::process::Pid::from_raw(1))?;
    Ok(())
}

/// Closes every descriptor above standard error but these.
pub(super) fn close_all_but(kept: &[RawFd]) -> std::io::Result<()> {
    let names = fs::read_dir("/proc/self/fd")?.map(|entry| Ok(entry?.file_name()));
    let names = names.collect::<std::io::Result<Vec<_>>>()?;
    let numbers = names.iter().filter_map(|name| name.to_str()?.parse::<RawFd>().ok());
    for number in numbers.filter(|number| *number > 2 && !kept.contains(number)) {
        // The descriptor that listed the others is gone by now.
        if fs::read_link(format!("/proc/self/fd/{number}")).is_ok() {
            // SAFETY: everything that this process owns by now is among `kept`, and it has one thread: so the
            // number is open, and nobody else closes it.
            drop(unsafe { OwnedFd::from_raw_fd(number) });
        }
    }
    Ok(())
}

/// Takes over a descriptor that was passed on purpose.
pub(super) fn passed(number: &str) -> Option<OwnedFd> {
    let number: RawFd = number.parse().ok().filter(|number| *number > 2)?;
    fs::read_link(format!("/proc/self/fd/{number}")).ok()?;
    // SAFETY: it is open, was named by whoever passed it, and is taken over once.
    Some(unsafe { OwnedFd::from_raw_fd(number) })
}
