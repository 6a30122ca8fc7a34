//! A plan as the arguments of bubblewrap. Descriptors get their numbers where they are opened.

use forecheck_boundary::{AbsolutePath, Access, ByteText, Network};
use serde::{Deserialize, Serialize};

use super::{Mount, Plan};
use crate::facts::Proc;

/// One argument.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Argument {
    Text(ByteText),
    /// The number of a descriptor of this path, opened without links.
    Opened(AbsolutePath),
    /// An empty file over this path, if there still is one: what has gone needs no cover, and a mount over
    /// it would fail the launch.
    Cover(AbsolutePath),
}

/// Which namespaces of its own a launch has. A probe tries them one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Namespaces {
    pub(crate) processes: bool,
    pub(crate) network: bool,
}

impl Plan {
    /// The arguments up to the descriptor for records and the command, which the supervisor adds.
    pub(crate) fn arguments(&self) -> Vec<Argument> {
        let network = self.network == Network::Isolated;
        self.arguments_in(Namespaces { processes: true, network })
    }

    pub(crate) fn arguments_in(&self, namespaces: Namespaces) -> Vec<Argument> {
        // Capabilities are dropped also for user 0, who could mount otherwise.
        let mut line = texts(&["--unshare-user", "--cap-drop", "ALL", "--disable-userns"]);
        line.extend(texts(&["--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]));
        line.extend(texts(&["--new-session", "--die-with-parent"]));
        if namespaces.processes {
            line.extend(texts(&["--unshare-pid"]));
        }
        if namespaces.network {
            line.extend(texts(&["--unshare-net"]));
        }
        line.extend(self.mounts.iter().flat_map(mount));
        line.extend([text("--chdir"), path(&self.workdir)]);
        line
    }
}

fn mount(mount: &Mount) -> Vec<Argument> {
    match mount {
        Mount::Root => texts(&["--ro-bind", "/", "/"]),
        Mount::Devices => texts(&["--dev", "/dev"]),
        Mount::Private { at } => [texts(&["--perms", "1777", "--tmpfs"]), vec![path(at)]].concat(),
        Mount::Bind { at, access } => {
            let option = match access {
                Access::Read => "--ro-bind-fd",
                Access::Write => "--bind-fd",
            };
            vec![text(option), Argument::Opened(at.clone()), path(at)]
        }
        Mount::EmptyFile { at } => vec![Argument::Cover(at.clone())],
        Mount::EmptyDirectory { at, passable } => {
            let mode = if *passable { "0111" } else { "0000" };
            [texts(&["--perms", mode, "--tmpfs"]), vec![path(at)]].concat()
        }
        Mount::Directory { at } => [texts(&["--perms", "0111", "--dir"]), vec![path(at)]].concat(),
        Mount::Symlink { at, target } => {
            vec![text("--symlink"), Argument::Text(target.clone()), path(at)]
        }
        Mount::RemountReadOnly { at } => vec![text("--remount-ro"), path(at)],
        Mount::Processes { proc: Proc::Fresh } => texts(&["--proc", "/proc"]),
        Mount::Processes { proc: Proc::Host } => Vec::new(),
    }
}

fn text(text: &str) -> Argument {
    Argument::Text(text.into())
}

fn texts(all: &[&str]) -> Vec<Argument> {
    all.iter().map(|one| text(one)).collect()
}

fn path(path: &AbsolutePath) -> Argument {
    Argument::Text(path.as_bytes().into())
}
