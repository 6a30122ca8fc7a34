//! Git, through one function: [`Repository::run`] is the only place that starts a program.
//!
//! A repository's own configuration and attributes can name programs: `core.fsmonitor`, hooks, filters,
//! `diff.*.textconv`, `diff.external`, `core.sshCommand`, `gpg.program`, a promisor remote that fetches
//! what is missing. So no command here is one that looks at those (`status`, `diff`, `checkout`,
//! `merge` are none of ours), file contents are hashed and written as they are, and `run` turns off
//! what any command could start.
//!
//! What that costs: a repository whose files are converted when they are checked out (line ends, LFS)
//! looks dirty, and nothing of keeper's is ever signed.

mod checkout;
mod commit;
mod listing;
mod refs;
mod worktree;

use std::ffi::OsStr;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::trouble::Trouble;

pub use checkout::Move;
pub use commit::{Draft, Raced};

/// The name of an object.
pub type Oid = String;

/// A repository on this machine.
#[derive(Debug, Clone)]
pub struct Repository {
    folder: PathBuf,
    /// `None` for a bare repository.
    work_tree: Option<PathBuf>,
}

/// A git command.
#[derive(Debug, Clone, Copy)]
struct Git<'a> {
    arguments: &'a [&'a str],
    stdin: &'a [u8],
    variables: &'a [(&'a str, &'a OsStr)],
}

impl<'a> Git<'a> {
    const fn of(arguments: &'a [&'a str]) -> Git<'a> {
        Git { arguments, stdin: &[], variables: &[] }
    }

    const fn reads(self, stdin: &'a [u8]) -> Git<'a> {
        Git { stdin, ..self }
    }

    const fn with(self, variables: &'a [(&'a str, &'a OsStr)]) -> Git<'a> {
        Git { variables, ..self }
    }
}

/// What no repository may decide. The command line is stronger than its configuration.
const SETTINGS: [&str; 10] = [
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.untrackedCache=false",
    "core.splitIndex=false",
    "core.sparseCheckout=false",
    "core.protectNTFS=true",
    "core.protectHFS=true",
    "core.quotePath=false",
    "i18n.commitEncoding=UTF-8",
    "protocol.allow=never",
];

const VARIABLES: [(&str, &str); 10] = [
    ("LC_ALL", "C"),
    ("GIT_CONFIG_NOSYSTEM", "1"),
    ("GIT_CONFIG_GLOBAL", "/dev/null"),
    ("GIT_ATTR_NOSYSTEM", "1"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_LITERAL_PATHSPECS", "1"),
    ("GIT_NO_REPLACE_OBJECTS", "1"),
    ("GIT_NO_LAZY_FETCH", "1"),
    // A list of protocols that overrides what the repository allows: none is called so.
    ("GIT_ALLOW_PROTOCOL", "none"),
];

impl Repository {
    /// The repository in a folder: with `.git` as a folder in it, or bare.
    ///
    /// # Errors
    /// [`Trouble::NoRepository`], with what is there instead.
    pub fn at(path: &Path) -> Result<Repository, Trouble> {
        let no = |reason| Trouble::NoRepository { path: path.to_owned(), reason };
        let path = path.canonicalize().map_err(|_| no("nothing is there"))?;
        if !path.is_dir() {
            return Err(no("it is no folder"));
        }
        let inside = path.join(".git");
        let (folder, work_tree) = match inside.symlink_metadata() {
            Ok(found) if found.is_dir() => (inside, Some(path)),
            Ok(_) => return Err(no("its `.git` is no folder")),
            Err(_) => (path, None),
        };
        if !["HEAD", "objects", "refs"].iter().all(|name| folder.join(name).exists()) {
            return Err(no("it holds no git repository"));
        }
        if folder.join("commondir").exists() {
            return Err(no("it is the work tree of a repository elsewhere"));
        }
        Ok(Repository { folder, work_tree })
    }

    /// The folder in full, as it was registered.
    pub fn path(&self) -> &Path {
        self.work_tree.as_deref().unwrap_or(&self.folder)
    }

    fn command(&self, git: Git<'_>) -> Command {
        let mut command = Command::new("git");
        command.env_clear();
        command.envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
        command.envs(VARIABLES).envs(git.variables.iter().copied());
        command.current_dir(self.path()).arg("--no-pager").arg("--git-dir").arg(&self.folder);
        if let Some(work_tree) = &self.work_tree {
            command.arg("--work-tree").arg(work_tree);
        }
        for setting in SETTINGS {
            command.args(["-c", setting]);
        }
        command.args(git.arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs git. It inherits nothing of the environment but `PATH`, to be found.
    fn run(&self, git: Git<'_>) -> Result<Output, Trouble> {
        let failed = |error: std::io::Error| self.trouble(git, &error.to_string());
        let mut child = self.command(git).spawn().map_err(failed)?;
        let stdin = child.stdin.take();
        let output = std::thread::scope(|scope| {
            // Git may end before it has read everything, and then says why itself.
            scope.spawn(move || stdin.map(|mut stdin| drop(stdin.write_all(git.stdin))));
            child.wait_with_output()
        });
        output.map_err(failed)
    }

    /// What git answers, where it succeeds.
    fn ask(&self, git: Git<'_>) -> Result<Vec<u8>, Trouble> {
        let output = self.run(git)?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let said = said.trim();
        Err(self.trouble(git, if said.is_empty() { "it failed without a word" } else { said }))
    }

    /// The one line that git answers; `None` where it fails, as commands do that look for something.
    fn look_for(&self, arguments: &[&str]) -> Result<Option<String>, Trouble> {
        let output = self.run(Git::of(arguments))?;
        Ok(output.status.success().then(|| line(&output.stdout)))
    }

    fn ask_line(&self, git: Git<'_>) -> Result<String, Trouble> {
        self.ask(git).map(|answer| line(&answer))
    }

    #[expect(clippy::unused_self, reason = "it is about this repository")]
    fn trouble(&self, git: Git<'_>, reason: &str) -> Trouble {
        let command = git.arguments.first().copied().unwrap_or_default();
        Trouble::Git { command: command.to_owned(), reason: reason.to_owned() }
    }
}

fn line(answer: &[u8]) -> String {
    String::from_utf8_lossy(answer).trim_end().to_owned()
}
