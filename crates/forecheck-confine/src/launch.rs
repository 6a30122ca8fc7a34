//! The launch itself, and what became of it.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use forecheck_boundary::{AbsolutePath, ByteText};
use tempfile::TempDir;

use crate::facts::{End, LaunchFacts, Started, Stream};
use crate::history::History;
use crate::identity::as_path;
use crate::prepare::Prepared;
use crate::refusal::{Refusal, RefusalCode};
use crate::settings::Settings;
use crate::wire::{Counted, Order, Problem, Report};

const SETUP_MS: u64 = 10_000;
const GRACE_MS: u64 = 2_000;
const OUTPUT_LIMIT: u64 = 64 * 1024 * 1024;
/// Characters of each output that a result holds itself.
const INLINE: usize = 2_000;

impl Prepared {
    /// Makes the launch. What goes wrong is part of the result.
    pub fn launch(self) -> Launched {
        let Prepared { settings, history, confined, stage, timeout, facts } = self;
        let run_ms = timeout.map(|timeout| u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX));
        let (confinement, fingerprint, missing) = match confined {
            Some(confined) => (Some(confined.confinement), Some(confined.fingerprint), confined.missing),
            None => (None, None, Vec::new()),
        };
        let order = |stdout, stderr| Order {
            confined: confinement,
            stage,
            setup_ms: SETUP_MS,
            run_ms,
            grace_ms: GRACE_MS,
            output_limit: OUTPUT_LIMIT,
            stdout,
            stderr,
        };
        let conversation = Conversation::begin(&settings, order);
        Launched { conversation, facts, fingerprint, missing, history }
    }
}

/// A launch that was made. When it is dropped, its processes are ended.
#[derive(Debug)]
pub struct Launched {
    conversation: std::io::Result<Conversation>,
    facts: LaunchFacts,
    fingerprint: Option<String>,
    missing: Vec<AbsolutePath>,
    history: Arc<History>,
}

impl Launched {
    /// Asks for the end of the command: its group gets SIGTERM, and all of it SIGKILL after two seconds.
    pub fn cancel(&self) {
        if let Ok(conversation) = &self.conversation {
            conversation.cancel();
        }
    }

    /// Waits until no process of the command is left.
    pub fn settle(self) -> Settled {
        let Launched { conversation, mut facts, fingerprint, missing, history } = self;
        let report = match conversation {
            Err(error) => Some(Report::not_started(Problem::System(error.to_string()))),
            Ok(mut conversation) => {
                let report = conversation.finish();
                conversation.collect(report.as_ref(), &mut facts);
                report
            }
        };
        facts.protected_created =
            missing.into_iter().filter(|path| rustix::fs::lstat(as_path(path)).is_ok()).collect();
        let answer = match &report {
            None => {
                facts.started = Started::Unknown;
                Answer::InDoubt
            }
            Some(report) => answer(report, fingerprint.as_deref(), &history, &mut facts),
        };
        Settled { answer, facts }
    }
}

fn answer(report: &Report, fingerprint: Option<&str>, history: &History, facts: &mut LaunchFacts) -> Answer {
    facts.started = report.started;
    facts.exec_error = report.exec_error;
    facts.end.clone_from(&report.end);
    facts.survivors_killed = report.survivors_killed;
    facts.timings.setup = report.setup_ms;
    facts.timings.run = report.run_ms;
    facts.timings.settle = report.settle_ms;
    match report.started {
        Started::Unknown => Answer::InDoubt,
        Started::Yes => {
            if let Some(fingerprint) = fingerprint {
                history.started(fingerprint);
            }
            Answer::Ran
        }
        Started::No => {
            let refusal = not_started(report);
            if let Some(fingerprint) = fingerprint {
                if is_failed_launch(report) {
                    history.failed(fingerprint, format!("{:?} {:?}", report.problem, report.end));
                }
                *facts = facts.clone().into_refused(refusal.code.name().to_owned());
            }
            Answer::NotStarted(refusal)
        }
    }
}

/// A confined launch that did not come to its start by itself: not at a deadline, by a signal or at somebody's
/// wish, nor because a file is another one now.
fn is_failed_launch(report: &Report) -> bool {
    match (&report.problem, &report.end) {
        (Some(Problem::System(_)), _) => true,
        (None, Some(End::Exited { code })) => *code != 0,
        (Some(Problem::Changed(_)) | None, _) => false,
    }
}

fn not_started(report: &Report) -> Refusal {
    match (&report.problem, &report.end) {
        (Some(Problem::Changed(path)), _) => {
            let message = "it is no longer what it was when the launch was prepared";
            Refusal::at(RefusalCode::GrantTargetChanged, path, message)
        }
        (Some(Problem::System(why)), _) => {
            Refusal::new(RefusalCode::LaunchNotStarted, format!("nothing could be spawned: {why}"))
        }
        (None, end) => {
            let how = end.as_ref().map_or_else(|| "without a record".to_owned(), |end| format!("{end:?}"));
            let message = format!("what was to start the command ended first: {how}");
            Refusal::new(RefusalCode::LaunchNotStarted, message)
        }
    }
}

/// What a launch came to. It cannot be launched again.
#[derive(Debug)]
pub struct Settled {
    answer: Answer,
    facts: LaunchFacts,
}

/// The one answer to a launch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The command was started and has ended; its exit code is its own business.
    Ran,
    /// It was not started, for this reason, and has had no effect.
    NotStarted(Refusal),
    /// Nobody can say whether it was started: its effects may be there.
    InDoubt,
}

impl Settled {
    /// The answer.
    pub fn answer(&self) -> &Answer {
        &self.answer
    }

    /// What really happened.
    pub fn facts(&self) -> &LaunchFacts {
        &self.facts
    }
}

/// A supervisor at work, and our end of its socket.
#[derive(Debug)]
pub(crate) struct Conversation {
    process: Child,
    control: UnixStream,
    /// `None` once it was taken.
    spool: Option<TempDir>,
}

impl Conversation {
    /// Starts a supervisor, and tells it where to write and what to do.
    pub(crate) fn begin(
        settings: &Settings,
        order: impl FnOnce(ByteText, ByteText) -> Order,
    ) -> std::io::Result<Self> {
        let spool = tempfile::Builder::new().prefix("forecheck-").tempdir_in(as_path(&settings.spool))?;
        let file = |name: &str| ByteText::from(spool.path().join(name).as_os_str().as_bytes());
        let text = serde_json::to_vec(&order(file("stdout"), file("stderr")))?;
        let (control, theirs) = UnixStream::pair()?;
        let mut command = Command::new(as_path(&settings.supervisor));
        command.env_clear().current_dir("/");
        command.stdin(Stdio::from(OwnedFd::from(theirs))).stdout(Stdio::null()).stderr(Stdio::null());
        let process = command.spawn()?;
        drop(command);
        let mut conversation = Conversation { process, control, spool: Some(spool) };
        conversation.tell(&text)?;
        Ok(conversation)
    }

    fn tell(&mut self, text: &[u8]) -> std::io::Result<()> {
        self.control.write_all(&(text.len() as u64).to_le_bytes())?;
        self.control.write_all(text)
    }

    pub(crate) fn cancel(&self) {
        // Fails where the supervisor has ended, and then there is nothing left to end.
        drop(self.control.shutdown(Shutdown::Write));
    }

    /// The report, once no process is left; `None` when the supervisor was lost.
    fn finish(&mut self) -> Option<Report> {
        let mut text = Vec::new();
        let read = self.control.read_to_end(&mut text);
        drop(self.process.wait());
        read.ok().and_then(|_| serde_json::from_slice(&text).ok())
    }

    /// As [`finish`](Self::finish), for whom output does not matter.
    pub(crate) fn end(mut self) -> Option<Report> {
        self.finish()
    }

    fn collect(&mut self, report: Option<&Report>, facts: &mut LaunchFacts) {
        let Some(spool) = self.spool.take() else {
            return;
        };
        let counted = report.map_or_else(Default::default, |report| (report.stdout, report.stderr));
        let stream = |name: &str, counted: Counted| inline(&spool.path().join(name), counted);
        let streams = [stream("stdout", counted.0), stream("stderr", counted.1)];
        let is_long = streams.iter().any(|(_, is_whole)| !is_whole);
        let [(stdout, _), (stderr, _)] = streams;
        facts.stdout = stdout;
        facts.stderr = stderr;
        if is_long {
            let folder = spool.keep();
            let name = |name: &str| Some(folder.join(name).as_os_str().as_bytes().into());
            facts.stdout.file = name("stdout");
            facts.stderr.file = name("stderr");
        }
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        self.cancel();
        // Reaped, whatever its code.
        drop(self.process.wait());
    }
}

/// The beginning of an output, and whether that is all of it.
fn inline(path: &Path, counted: Counted) -> (Stream, bool) {
    let mut bytes = Vec::new();
    // The longest characters have four bytes; one byte more tells whether there is more.
    let most = (INLINE * 4 + 1) as u64;
    let read = File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes));
    let whole = String::from_utf8_lossy(&bytes);
    let text: String = whole.chars().take(INLINE).collect();
    let is_whole = read.is_err() || text.len() == whole.len() && (bytes.len() as u64) < most;
    (Stream { seen: counted.seen, kept: counted.kept, text, file: None }, is_whole)
}
