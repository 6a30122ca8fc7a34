//! Following one command from its start to the last process gone.

use std::fs::File;
use std::io::Read as _;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, ChildStderr, ChildStdout, ExitStatus};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::fs::OFlags;
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Signal, WaitOptions};
use serde_json::Value;

use super::child::{self, Spawned};
use super::output::{self, Relay};
use super::stage::{FAILED, START};
use crate::facts::{End, Started};
use crate::wire::{Order, Report};

/// How long a killed tree may take to go.
const PATIENCE: Duration = Duration::from_secs(5);

/// Starts what an order asks for, and reports once no process is left.
///
/// # Errors
/// Only before anything was started.
pub(super) fn run(order: &Order, control: &UnixStream) -> std::io::Result<Report> {
    let stdout = output::create(&order.stdout)?;
    let stderr = output::create(&order.stderr)?;
    control.set_nonblocking(true)?;
    let spawned_at = Instant::now();
    Ok(match child::spawn(order) {
        Ok(spawned) => Watch::new(order, control, spawned, spawned_at, (stdout, stderr)).follow(),
        Err(problem) => Report::not_started(problem),
    })
}

struct Watch<'a> {
    order: &'a Order,
    control: &'a UnixStream,
    process: Child,
    process_handle: Option<OwnedFd>,
    status: Option<ExitStatus>,
    /// The first process of the namespace, as the backend's record names it.
    init: Option<(Pid, OwnedFd)>,
    records: Pipe,
    start: Pipe,
    stdout: Relay<ChildStdout>,
    stderr: Relay<ChildStderr>,
    spawned_at: Instant,
    started_at: Option<Instant>,
    ended_at: Option<Instant>,
    is_cancelled: bool,
    ending: Option<Ending>,
}

/// A pipe of which everything is kept: what comes is short.
struct Pipe {
    source: Option<File>,
    text: Vec<u8>,
}

/// A tree that is being ended, politely, then not, then without waiting for its record.
struct Ending {
    why: End,
    step: Step,
    until: Instant,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Asked,
    Killed,
    GivenUp,
}

impl Pipe {
    fn new(source: Option<File>) -> Self {
        Pipe { source: source.filter(is_made_nonblocking), text: Vec::new() }
    }

    fn read(&mut self) {
        if let Some(source) = &mut self.source {
            match source.read_to_end(&mut self.text) {
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
                Ok(_) | Err(_) => self.source = None,
            }
        }
    }
}

impl<'a> Watch<'a> {
    fn new(
        order: &'a Order,
        control: &'a UnixStream,
        spawned: Spawned,
        spawned_at: Instant,
        (stdout, stderr): (File, File),
    ) -> Self {
        let Spawned { mut process, start, records } = spawned;
        let pid = Pid::from_child(&process);
        let out = process.stdout.take().filter(is_made_nonblocking);
        let err = process.stderr.take().filter(is_made_nonblocking);
        Watch {
            order,
            control,
            process,
            process_handle: rustix::process::pidfd_open(pid, PidfdFlags::empty()).ok(),
            status: None,
            init: None,
            records: Pipe::new(records),
            start: Pipe::new(Some(start)),
            stdout: Relay::new(out, stdout),
            stderr: Relay::new(err, stderr),
            spawned_at,
            started_at: None,
            ended_at: None,
            is_cancelled: false,
            ending: None,
        }
    }

    fn follow(mut self) -> Report {
        while self.status.is_none() {
            self.wait();
            self.read();
            self.enforce(Instant::now());
            self.status = self.process.try_wait().unwrap_or(Some(ExitStatus::from_raw(0x7f)));
        }
        self.ended_at = Some(Instant::now());
        let (survivors, all_gone) = end_descendants();
        self.read();
        while self.relay() {}
        self.report(survivors, all_gone)
    }

    /// Until something can be read, the process has ended, or a deadline is there.
    fn wait(&self) {
        let until = self.deadline().map(|deadline| deadline.saturating_duration_since(Instant::now()));
        // Without a handle of the process its end is only seen by looking.
        let longest =
            if self.process_handle.is_some() { Duration::from_secs(60) } else { Duration::from_millis(10) };
        let until = until.map_or(longest, |until| until.min(longest) + Duration::from_millis(1));
        let sources: [Option<BorrowedFd<'_>>; 6] = [
            (!self.is_cancelled).then(|| self.control.as_fd()),
            self.process_handle.as_ref().map(|handle| handle.as_fd()),
            self.records.source.as_ref().map(|pipe| pipe.as_fd()),
            self.start.source.as_ref().map(|pipe| pipe.as_fd()),
            self.stdout.source(),
            self.stderr.source(),
        ];
        let mut polled: Vec<PollFd<'_>> =
            sources.iter().flatten().map(|source| PollFd::new(source, PollFlags::IN)).collect();
        let timeout = Timespec::try_from(until).ok();
        if rustix::event::poll(&mut polled, timeout.as_ref()).is_err() {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    fn deadline(&self) -> Option<Instant> {
        let milliseconds = Duration::from_millis;
        match (&self.ending, self.started_at) {
            (Some(ending), _) => (ending.step != Step::GivenUp).then_some(ending.until),
            (None, None) => Some(self.spawned_at + milliseconds(self.order.setup_ms)),
            (None, Some(started)) => self.order.run_ms.map(|run| started + milliseconds(run)),
        }
    }

    fn read(&mut self) {
        self.start.read();
        if self.started_at.is_none() && self.start.text.first() == Some(&START) {
            self.started_at = Some(Instant::now());
        }
        self.records.read();
        if self.init.is_none() {
            self.init = self.record("child-pid").and_then(handle);
        }
        self.relay();
        self.is_cancelled |= matches!((&mut &*self.control).read(&mut [0]), Ok(0));
    }

    fn relay(&mut self) -> bool {
        let out = self.stdout.relay(self.room());
        let err = self.stderr.relay(self.room());
        out || err
    }

    fn room(&self) -> u64 {
        self.order.output_limit.saturating_sub(self.stdout.counted.kept + self.stderr.counted.kept)
    }

    /// A number that the backend has recorded.
    fn record(&self, name: &str) -> Option<i32> {
        let mut records = serde_json::Deserializer::from_slice(&self.records.text).into_iter::<Value>();
        let number = records.find_map(|record| record.ok()?.get(name)?.as_i64())?;
        i32::try_from(number).ok()
    }

    fn enforce(&mut self, now: Instant) {
        let is_late = self.deadline().is_some_and(|deadline| now >= deadline);
        match &self.ending {
            None if self.is_cancelled => self.end(End::Cancelled),
            None if self.room() == 0 => self.end(End::OutputLimit),
            None if is_late && self.started_at.is_none() => self.end(End::SetupTimedOut),
            None if is_late => self.end(End::TimedOut),
            Some(Ending { step: Step::Asked, .. }) if is_late => self.kill(),
            Some(Ending { step: Step::Killed, .. }) if is_late => self.give_up(),
            None | Some(_) => {}
        }
    }

    fn end(&mut self, why: End) {
        let until = Instant::now() + Duration::from_millis(self.order.grace_ms);
        self.ending = Some(Ending { why, step: Step::Asked, until });
        let is_asked = self.started_at.is_some() && self.signal_group(Signal::TERM);
        if !is_asked {
            self.kill();
        }
    }

    /// Under a backend the group is the one that the namespace's first process leads.
    fn signal_group(&self, signal: Signal) -> bool {
        let leader = match (&self.order.confined, &self.init) {
            (None, _) => Some(Pid::from_child(&self.process)),
            (Some(_), Some((pid, _))) => Some(*pid),
            (Some(_), None) => None,
        };
        leader.is_some_and(|leader| rustix::process::kill_process_group(leader, signal).is_ok())
    }

    /// The namespace's first process, so that the backend itself lives to record the end.
    fn kill(&mut self) {
        let is_killed = match (&self.order.confined, &self.init) {
            (None, _) => self.signal_group(Signal::KILL),
            (Some(_), Some((_, init))) => rustix::process::pidfd_send_signal(init, Signal::KILL).is_ok(),
            (Some(_), None) => false,
        };
        if let Some(ending) = &mut self.ending {
            ending.step = Step::Killed;
            ending.until = Instant::now() + PATIENCE;
        }
        if !is_killed {
            self.give_up();
        }
    }

    fn give_up(&mut self) {
        if let Some(ending) = &mut self.ending {
            ending.step = Step::GivenUp;
        }
        // Who has ended by itself needs no signal.
        drop(self.process.kill());
    }

    fn report(self, survivors: u32, all_gone: bool) -> Report {
        let has_start = self.start.text.first() == Some(&START);
        let started = match (has_start, all_gone) {
            (true, _) => Started::Yes,
            (false, true) => Started::No,
            (false, false) => Started::Unknown,
        };
        let exec_error = match self.start.text.as_slice() {
            [START, FAILED, number @ ..] => number.try_into().ok().map(i32::from_le_bytes),
            _ => None,
        };
        let ended_at = self.ended_at.unwrap_or(self.spawned_at);
        let started_at = self.started_at.unwrap_or(ended_at);
        Report {
            started,
            exec_error,
            end: self.how_it_ended(has_start),
            problem: None,
            survivors_killed: self.order.confined.is_none().then_some(survivors),
            stdout: self.stdout.counted,
            stderr: self.stderr.counted,
            setup_ms: milliseconds(started_at - self.spawned_at),
            run_ms: milliseconds(ended_at - started_at),
            settle_ms: milliseconds(ended_at.elapsed()),
        }
    }

    fn how_it_ended(&self, has_start: bool) -> Option<End> {
        let recorded = self.record("exit-code").filter(|_| has_start).map(|code| End::Exited { code });
        let own = || {
            let status = self.status?;
            let code = status.code().map(|code| End::Exited { code });
            code.or_else(|| status.signal().map(|signal| End::Signalled { signal }))
        };
        self.ending.as_ref().map(|ending| ending.why.clone()).or(recorded).or_else(own)
    }
}

/// A pipe that would block is not read: the deadlines of all others depend on it.
fn is_made_nonblocking(pipe: &impl AsFd) -> bool {
    rustix::fs::fcntl_setfl(pipe, OFlags::NONBLOCK).is_ok()
}

fn handle(pid: i32) -> Option<(Pid, OwnedFd)> {
    let pid = Pid::from_raw(pid)?;
    Some((pid, rustix::process::pidfd_open(pid, PidfdFlags::empty()).ok()?))
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// Kills and reaps whatever is left; says how many there were, and whether all are gone. Descendants whose
/// parents die become children of this process, so that in the end every one of them is found.
fn end_descendants() -> (u32, bool) {
    let until = Instant::now() + PATIENCE;
    let mut killed = std::collections::BTreeSet::new();
    loop {
        for child in children() {
            if rustix::process::kill_process(child, Signal::KILL).is_ok() {
                killed.insert(child.as_raw_nonzero());
            }
        }
        match rustix::process::wait(WaitOptions::NOHANG) {
            Ok(Some(_)) => {}
            Err(Errno::CHILD) => return (u32::try_from(killed.len()).unwrap_or(u32::MAX), true),
            Ok(None) | Err(_) if Instant::now() < until => std::thread::sleep(Duration::from_millis(1)),
            Ok(None) | Err(_) => return (u32::try_from(killed.len()).unwrap_or(u32::MAX), false),
        }
    }
}

/// The children of this process that still run.
fn children() -> Vec<Pid> {
    let text = std::fs::read_to_string("/proc/thread-self/children").unwrap_or_default();
    let numbers = text.split_whitespace().filter_map(|number| number.parse().ok());
    numbers.filter_map(Pid::from_raw).filter(|pid| !is_zombie(*pid)).collect()
}

fn is_zombie(pid: Pid) -> bool {
    let path = format!("/proc/{}/stat", pid.as_raw_nonzero());
    let stat = std::fs::read_to_string(path).unwrap_or_default();
    stat.rsplit(") ").next().is_some_and(|rest| rest.starts_with('Z'))
}
