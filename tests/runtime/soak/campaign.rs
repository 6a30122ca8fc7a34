//! Three processes, killed one after the other; then every call is sent once more.

use std::env;
use std::process::{Child, Command};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

use crate::found::Found;
use crate::protocol::Protocol;

/// The steps of a call at which a process kills itself. Every other kill falls at any instant.
pub(crate) const STEPS: [&str; 4] = ["before_claim", "after_claim", "after_effect", "after_settle"];
/// The file that effects write.
pub(crate) const EFFECTS: &str = "effects";
/// The file in which callers note that they were told of a success.
pub(crate) const SUCCESSES: &str = "successes";
/// How many keys a process calls before it goes on to the next ones.
pub(crate) const WINDOW: u64 = 101;

/// A soak of one protocol.
pub(crate) struct Campaign {
    protocol: Protocol,
    folder: TempDir,
    kills: usize,
    keys: usize,
    /// How far the processes go on from one kill to the next.
    stride: usize,
}

impl Campaign {
    pub(crate) fn new(protocol: Protocol, kills: usize, keys: usize) -> Self {
        Campaign { protocol, folder: tempfile::tempdir().unwrap(), kills, keys, stride: keys / kills }
    }

    pub(crate) fn run(&self) -> Found {
        let mut workers: Vec<Child> = (0..3).map(|number| self.spawn(number, None)).collect();
        for kill in 0..self.kills {
            // Numbers without a pattern that are the same in every run.
            let random = (kill as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
            let step = (kill % 2 == 0).then(|| STEPS[kill / 2 % STEPS.len()]);
            thread::sleep(Duration::from_micros(random % 40_000));
            let victim = &mut workers[kill % 3];
            victim.kill().unwrap();
            victim.wait().unwrap();
            *victim = self.spawn(kill, step);
        }
        for mut worker in workers {
            worker.kill().unwrap();
            worker.wait().unwrap();
        }
        let resending = self.command("resend").arg(self.keys.to_string()).status().unwrap();
        assert!(resending.success());
        Found::in_folder(self.folder.path())
    }

    fn spawn(&self, kill: usize, step: Option<&str>) -> Child {
        let from = kill * self.stride;
        let arguments = [kill.to_string(), from.to_string(), step.unwrap_or("none").to_owned()];
        self.command("work").args(arguments).spawn().unwrap()
    }

    fn command(&self, mode: &str) -> Command {
        let mut command = Command::new(env::current_exe().unwrap());
        command.args([mode, self.protocol.name()]).arg(self.folder.path());
        command
    }
}
