//! A folder with a workspace and what lies outside of it, and ways to run commands there.

use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use forecheck_boundary::{AbsolutePath, Access, Extent, Grant, Level, Mode, Network, Preference};
use forecheck_confine::facts::{End, Sandbox, Started};
use forecheck_confine::{
    Answer, AskedGrant, Escalation, LaunchFacts, Launcher, Request, Rule, Settings, Settled, Writable,
};
use tempfile::TempDir;

pub(crate) struct Scene {
    folder: TempDir,
    settings: Settings,
    pub(crate) launcher: Launcher,
}

/// The supervisor, where an ordinary user's run of the tests has it, too.
pub(crate) fn supervisor() -> PathBuf {
    std::env::var_os("FORECHECK_TEST_SUPERVISOR")
        .map_or_else(|| env!("CARGO_BIN_EXE_forecheck-supervisor").into(), PathBuf::from)
}

pub(crate) fn absolute(path: &Path) -> AbsolutePath {
    AbsolutePath::parse(path.as_os_str().as_bytes()).unwrap()
}

impl Scene {
    /// A workspace with a repository's metadata, a home with a secret, and a file outside of both.
    pub(crate) fn new() -> Self {
        Scene::with(|_| {})
    }

    pub(crate) fn with(change: impl FnOnce(&mut Settings)) -> Self {
        // Not in `/tmp`, of which the child has its own: what is outside must be there, and not writable.
        let parent = std::env::var_os("FORECHECK_TEST_FOLDER").unwrap_or_else(|| "/var/tmp".into());
        let folder = tempfile::Builder::new().prefix("forecheck-test-").tempdir_in(parent).unwrap();
        let at = |path: &str| folder.path().join(path);
        for path in ["workspace/.git/hooks", "home/.ssh", "outside", "spool"] {
            fs::create_dir_all(at(path)).unwrap();
        }
        for path in ["workspace/.git/HEAD", "workspace/.git/config", "workspace/file", "home/.ssh/key"] {
            fs::write(at(path), format!("content of {path}\n")).unwrap();
        }
        fs::write(at("outside/file"), "outside\n").unwrap();
        let home = absolute(&at("home"));
        let mut settings = Settings {
            supervisor: absolute(&supervisor()),
            bubblewrap: None,
            policy: Rule::defaults(Some(&home)).unwrap(),
            home: Some(home),
            temporary: absolute(Path::new("/tmp")),
            spool: absolute(&at("spool")),
        };
        change(&mut settings);
        Scene { launcher: Launcher::new(settings.clone()), settings, folder }
    }

    /// The same folders with a new session on another host.
    pub(crate) fn with_settings(mut self, change: impl FnOnce(&mut Settings)) -> Self {
        change(&mut self.settings);
        Scene { launcher: Launcher::new(self.settings.clone()), ..self }
    }

    pub(crate) fn at(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    pub(crate) fn path(&self, path: &str) -> AbsolutePath {
        absolute(&self.at(path))
    }

    /// A confined request in the workspace.
    pub(crate) fn request(&self, command: &[&str]) -> Request {
        Request {
            command: command.iter().map(|word| (*word).into()).collect(),
            workdir: self.path("workspace"),
            environment: vec![("PATH".into(), "/usr/local/bin:/usr/bin:/bin".into())],
            mode: Mode::Ask,
            preference: Preference::Required,
            escalation: Escalation::None,
            writable: Writable::Roots(vec![self.path("workspace")]),
            grants: Vec::new(),
            network: Network::Isolated,
            timeout: Some(Duration::from_secs(30)),
        }
    }

    pub(crate) fn script(&self, script: &str) -> Request {
        self.request(&["sh", "-c", script])
    }

    pub(crate) fn run(&self, request: Request) -> Settled {
        self.launcher.run(request).unwrap()
    }

    /// That a script is confined and does what it is to.
    pub(crate) fn works(&self, request: Request) -> LaunchFacts {
        let facts = self.run(request).facts().clone();
        assert_eq!(
            (&facts.end, facts.sandbox),
            (&Some(End::Exited { code: 0 }), Sandbox::Bubblewrap),
            "{facts:#?}"
        );
        facts
    }

    /// That a command fails in the boundary, for this reason; and that it works without one.
    pub(crate) fn is_denied(&self, request: Request, reason: &str) {
        let control = Request { mode: Mode::FullAccess, grants: Vec::new(), ..request.clone() };
        let settled = self.run(request);
        let facts = settled.facts();
        assert_eq!((settled.answer(), facts.started), (&Answer::Ran, Started::Yes), "{facts:#?}");
        assert_eq!(facts.sandbox, Sandbox::Bubblewrap);
        assert!(matches!(facts.end, Some(End::Exited { code }) if code != 0), "{facts:#?}");
        assert!(facts.stderr.text.contains(reason), "{}", facts.stderr.text);
        let facts = self.run(control).facts().clone();
        assert_eq!(
            (facts.end, facts.sandbox),
            (Some(End::Exited { code: 0 }), Sandbox::Off),
            "{}",
            facts.stderr.text
        );
    }

    pub(crate) fn grant(&self, path: &str, access: Access, extent: Extent) -> Vec<AskedGrant> {
        vec![AskedGrant { grant: Grant { path: self.path(path), access, extent }, approved: None }]
    }
}

pub(crate) fn inaccessible(path: AbsolutePath) -> Rule {
    Rule::at(path, Level::Inaccessible)
}
