//! The program, and folders to run it in.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use serde_json::Value;
use walkdir::WalkDir;

/// The program, built from the code as it is.
pub(crate) fn forecheck() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let profile = std::env::current_exe().unwrap().parent().unwrap().parent().unwrap().to_owned();
        let mut build = Command::new(env!("CARGO"));
        build
            .args(["build", "--quiet", "--package", "forecheck-cli", "--target-dir"])
            .arg(profile.parent().unwrap());
        if profile.ends_with("release") {
            build.arg("--release");
        }
        assert!(build.current_dir(repository()).status().unwrap().success());
        profile.join("forecheck")
    })
}

/// The root of the repository.
pub(crate) fn repository() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// What a run of the program gave back.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) exit: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    pub(crate) fn of(output: Output) -> Ran {
        Ran {
            exit: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// The answer of a run with `--json`.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// All that a person sees, for snapshots.
    pub(crate) fn seen(&self) -> String {
        format!("exit {}\n--- stdout\n{}--- stderr\n{}", self.exit, self.stdout, self.stderr)
    }
}

/// A folder of its own for one test, and beside it one for what the program keeps of its calls.
pub(crate) struct Scene {
    folder: tempfile::TempDir,
    state: tempfile::TempDir,
}

impl Scene {
    pub(crate) fn new() -> Scene {
        Scene { folder: tempfile::tempdir().unwrap(), state: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.folder.path().join(below)
    }

    pub(crate) fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// Runs the program in the folder.
    pub(crate) fn run(&self, arguments: &[impl AsRef<OsStr>]) -> Ran {
        Ran::of(self.command(arguments).output().unwrap())
    }

    /// Runs the program in the folder with text on stdin.
    pub(crate) fn run_with(&self, arguments: &[impl AsRef<OsStr>], stdin: &str) -> Ran {
        let mut command = self.command(arguments);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // A call that is refused early does not read its input.
        drop(child.stdin.take().unwrap().write_all(stdin.as_bytes()));
        Ran::of(child.wait_with_output().unwrap())
    }

    pub(crate) fn command(&self, arguments: &[impl AsRef<OsStr>]) -> Command {
        let mut command = Command::new(forecheck());
        command.args(arguments).current_dir(self.folder.path()).stdin(Stdio::null());
        self.keep_records_apart(&mut command);
        command
    }

    /// Lets a command keep the record of its calls in this scene.
    pub(crate) fn keep_records_apart(&self, command: &mut Command) {
        command.env_remove("FORECHECK_LEDGER").env("XDG_STATE_HOME", self.state.path());
    }

    /// Where the program keeps the record of its calls.
    pub(crate) fn own_ledger(&self) -> PathBuf {
        self.state.path().join("forecheck/ledger.sqlite")
    }

    /// All that a call could change: every file of the scene, and the record of calls.
    pub(crate) fn everything(&self) -> [BTreeMap<String, Vec<u8>>; 2] {
        [self.tree(""), tree(self.state.path())]
    }

    /// Every file below `below`, with its bytes.
    pub(crate) fn tree(&self, below: &str) -> BTreeMap<String, Vec<u8>> {
        tree(&self.path(below))
    }
}

/// The program as uid 65534, from a copy that this user can reach.
pub(crate) fn as_nobody(scene: &Scene, arguments: &[&str]) -> Command {
    let program = scene.path("forecheck");
    if !program.exists() {
        fs::copy(forecheck(), &program).unwrap();
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid=65534", "--regid=65534", "--clear-groups", "--"]).arg(program);
    command.args(arguments).current_dir(scene.path(""));
    let state = scene.state.path().join("nobody");
    for (folder, mode) in [(scene.state.path(), 0o755), (&state, 0o777)] {
        fs::create_dir_all(folder).unwrap();
        fs::set_permissions(folder, fs::Permissions::from_mode(mode)).unwrap();
    }
    command.env_remove("FORECHECK_LEDGER").env("XDG_STATE_HOME", state);
    command
}

/// Every file below a folder, with its bytes; folders with none. What processes share while they read a ledger is
/// theirs, not the ledger's.
pub(crate) fn tree(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = WalkDir::new(root).min_depth(1).into_iter().filter_map(Result::ok);
    entries
        .filter(|entry| !entry.path().to_string_lossy().ends_with("-shm"))
        .map(|entry| {
            let path = entry.path().strip_prefix(root).unwrap().to_str().unwrap().to_owned();
            let bytes =
                if entry.file_type().is_file() { fs::read(entry.path()).unwrap() } else { Vec::new() };
            (path, bytes)
        })
        .collect()
}

/// Copies a folder.
pub(crate) fn copy(from: &Path, to: &Path) {
    for entry in WalkDir::new(from).into_iter().map(Result::unwrap) {
        let target = to.join(entry.path().strip_prefix(from).unwrap());
        if entry.file_type().is_dir() {
            fs::create_dir_all(target).unwrap();
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// A scene with a small sound surface in `spec/`.
pub(crate) fn keeper() -> Scene {
    let scene = Scene::new();
    scene.write(
        "spec/surface.json",
        r#"{"name": "keeper", "version": "1.2.0", "target": {"pointer": "/repo", "spelling": ["lower_case"]}}"#,
    );
    scene.write("spec/facts/registry.schema.json", REGISTRY);
    scene.write("spec/constraints/REPO_NOT_IN_REGISTRY.json", NOT_IN_REGISTRY);
    scene.write("spec/verbs/open_change.schema.json", OPEN_CHANGE);
    scene.write("spec/verbs/list_repos.schema.json", LIST_REPOS);
    scene
}

const REGISTRY: &str = r#"{
  "fact": "registry",
  "description": "The repositories that are looked after.",
  "of": [],
  "source": "world",
  "changed_by": "operator",
  "schema": {"type": "array", "items": {"type": "string"}}
}
"#;

const NOT_IN_REGISTRY: &str = r#"{
  "code": "REPO_NOT_IN_REGISTRY",
  "description": "The repository is not looked after.",
  "help": "Ask the operator to register it.",
  "reads": ["target", "registry"],
  "policy": true
}
"#;

const OPEN_CHANGE: &str = r#"{
  "verb": "open_change",
  "summary": "Open a change.",
  "effects": [{"kind": "write", "target": "a branch"}],
  "input": {
    "type": "object",
    "properties": {
      "repo": {"type": "string"},
      "paths": {"type": "array", "items": {"type": "string"}},
      "title": {"type": "string", "x-key": "ignore"},
      "draft": {"type": "boolean", "default": false},
      "retries": {"type": "integer", "minimum": 0}
    },
    "required": ["repo", "paths"],
    "additionalProperties": false
  },
  "output": {"type": "object", "properties": {"branch": {"type": "string"}}, "required": ["branch"]},
  "constraints": [
    "REPO_NOT_IN_REGISTRY",
    {
      "code": "NO_PRIVILEGED_PATHS",
      "description": "A path is privileged.",
      "reads": ["/paths"],
      "subject": ["/paths"],
      "details": {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"], "additionalProperties": false}
    }
  ],
  "examples": [
    {"title": "a change", "input": {"repo": "Octo/Hello", "paths": ["a"], "title": "Fix", "draft": false}, "expect": "succeeded"},
    {"title": "a workflow", "input": {"repo": "octo/hello", "paths": [".github/x"]}, "expect": "NO_PRIVILEGED_PATHS"}
  ]
}
"#;

const LIST_REPOS: &str = r#"{
  "verb": "list_repos",
  "target": null,
  "effects": [],
  "input": {"type": "object", "additionalProperties": false},
  "constraints": []
}
"#;
