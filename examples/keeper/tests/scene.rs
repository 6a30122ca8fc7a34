//! A desk with one repository, which does all that a repository can to have programs run.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, OnceLock};

use forecheck::outcome::{Outcome, Status};
use forecheck::{Host, MemoryLedger};
use keeper::Keeper;
use keeper::desk::{Bench, Desk};
use keeper::generated::call;
use serde_json::{Value, json};
use tempfile::TempDir;
use walkdir::WalkDir;

const REGISTRY: &str = r#"# Who may do what, and where.
change_limit = 3

[people.ada]
operator = true
repos = ["octo/*"]

[people.bob]
repos = ["octo/hello"]

[repos."octo/hello"]
path = "hello"
base = "main"
state = "active"
"#;

const CONTRACT: &str =
    "repo = \"octo/hello\"\npaths = [\"docs\", \"README.md\"]\nexpires = 2999-01-01T00:00:00Z\n";

/// How far things have come on a desk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    /// The repository is there, and not in the registry.
    Unregistered,
    /// It is in the registry.
    Registered,
    /// It has a playbook.
    Installed,
    /// It has an open change: number 1 on the branch `greeting`.
    Opened,
}

impl Stage {
    const ALL: [Stage; 4] = [Stage::Unregistered, Stage::Registered, Stage::Installed, Stage::Opened];

    /// The stage in which every constraint of a verb holds for its [input](input).
    pub(crate) fn for_verb(verb: &str) -> Stage {
        match verb {
            "register_repo" => Stage::Unregistered,
            "install_playbook" => Stage::Registered,
            "open_change" | "retire_repo" | "list_changes" => Stage::Installed,
            "land_change" | "abandon_change" => Stage::Opened,
            other => panic!("no such verb: {other}"),
        }
    }

    /// A desk that is made once.
    fn template(self) -> &'static Path {
        static TEMPLATES: [OnceLock<TempDir>; 4] = [const { OnceLock::new() }; 4];
        let index = Stage::ALL.iter().position(|stage| *stage == self).unwrap();
        TEMPLATES[index].get_or_init(|| self.made()).path()
    }

    fn made(self) -> TempDir {
        let (earlier, verb) = match self {
            Stage::Unregistered => {
                let folder = tempfile::tempdir().unwrap();
                make_desk(folder.path());
                return folder;
            }
            Stage::Registered => (Stage::Unregistered, "register_repo"),
            Stage::Installed => (Stage::Registered, "install_playbook"),
            Stage::Opened => (Stage::Installed, "open_change"),
        };
        let scene = Scene::unarmed(earlier);
        scene.does(verb);
        scene.folder
    }
}

/// The input of a verb for which every constraint holds in its stage.
pub(crate) fn input(verb: &str) -> Value {
    let mut input = json!({"repo": "octo/hello"});
    let more = match verb {
        "register_repo" => json!({"path": "hello"}),
        "install_playbook" => json!({"playbook": "careful"}),
        "open_change" => json!({"contract": "docs", "branch": "greeting", "title": "Greet in French",
            "files": [{"path": "docs/greeting.md", "content": "Bonjour\n"}, {"path": "README.md", "content": "Salut\n"}]}),
        "land_change" | "abandon_change" => json!({"change": 1}),
        _ => json!({}),
    };
    input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    input
}

fn make_desk(desk: &Path) {
    let without_repos = REGISTRY.split("\n[repos").next().unwrap();
    write(&desk.join("registry.toml"), without_repos);
    write(&desk.join("playbooks/careful.md"), "Read before you write.\n");
    write(&desk.join("contracts/docs.toml"), CONTRACT);
    fs::create_dir(desk.join("marks")).unwrap();
    let repo = desk.join("hello");
    fs::create_dir(&repo).unwrap();
    git(&repo, &["init", "--quiet", "--template=", "--initial-branch=main"], "");
    write(&repo.join("README.md"), "Hello\n");
    write(&repo.join(".gitignore"), "ignored\n");
    write(&repo.join("src/a \"b\"\nc.txt"), "odd name\n");
    write(&repo.join("run.sh"), "exit\n");
    fs::set_permissions(repo.join("run.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    symlink("README.md", repo.join("link")).unwrap();
    git(&repo, &["add", "."], "");
    git(&repo, &["commit", "--quiet", "--message=First"], "");
    // Committed without being converted, as somebody else's attributes would be.
    write(&repo.join(".gitattributes"), "* filter=evil diff=evil merge=evil ident text=auto\n");
    git(&repo, &["update-index", "--add", "--cacheinfo", &attributes_entry(&repo)], "");
    git(&repo, &["commit", "--quiet", "--message=Attributes"], "");
}

fn attributes_entry(repo: &Path) -> String {
    let oid = git(repo, &["hash-object", "-w", "--no-filters", ".gitattributes"], "");
    format!("100644,{},.gitattributes", oid.trim())
}

pub(crate) fn write(path: &Path, text: impl AsRef<[u8]>) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Runs git as the tests do: with nothing of this machine's configuration, and none of the repository's programs.
pub(crate) fn git(repo: &Path, arguments: &[&str], stdin: &str) -> String {
    let mut command = plain_git(repo);
    command.args(["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "diff.external="]);
    command.args(["-c", "commit.gpgSign=false", "-c", "protocol.allow=never"]).args(arguments);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(stdin.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "git {arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Git as anybody runs it, but for this machine's configuration.
pub(crate) fn plain_git(repo: &Path) -> Command {
    let mut command = Command::new("git");
    command.current_dir(repo).env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null");
    for (name, value) in [("NAME", "Test"), ("EMAIL", "test@example.invalid")] {
        command.env(format!("GIT_AUTHOR_{name}"), value).env(format!("GIT_COMMITTER_{name}"), value);
    }
    command
}

/// A desk of its own for one test.
#[derive(Debug)]
pub(crate) struct Scene {
    folder: TempDir,
    host: Host<Keeper>,
}

impl Scene {
    /// A desk at a stage, whose repository is hostile.
    pub(crate) fn at(stage: Stage) -> Scene {
        let scene = Scene::unarmed(stage);
        crate::hostile::arm(&scene.repo(), &scene.path("marks"));
        scene
    }

    /// The same with a repository as most are.
    pub(crate) fn unarmed(stage: Stage) -> Scene {
        let folder = tempfile::tempdir().unwrap();
        copy(stage.template(), folder.path());
        let host = host(folder.path(), "ada");
        Scene { folder, host }
    }

    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.folder.path().join(below)
    }

    pub(crate) fn repo(&self) -> PathBuf {
        self.path("hello")
    }

    pub(crate) fn host(&self) -> &Host<Keeper> {
        &self.host
    }

    /// Calls a verb on behalf of somebody, with a ledger that knows nothing.
    pub(crate) fn call_as(&self, caller: &str, verb: &str, input: &Value) -> Outcome {
        call(&host(self.folder.path(), caller), verb, input.to_string().as_bytes()).unwrap()
    }

    /// Makes the call of a verb for which everything holds.
    pub(crate) fn does(&self, verb: &str) -> Value {
        let outcome = self.call_as("ada", verb, &input(verb));
        assert_eq!(outcome.status, Status::Succeeded, "{verb}: {outcome:?}");
        outcome.output.unwrap()
    }

    /// Replaces a text that a file holds.
    pub(crate) fn edit(&self, path: &str, from: &str, to: &str) {
        let path = self.path(path);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{from}: {text}");
        fs::write(&path, text.replace(from, to)).unwrap();
    }

    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        git(&self.repo(), arguments, "").trim_end().to_owned()
    }

    /// Commits a file to a branch beside the work tree.
    pub(crate) fn commit_to(&self, branch: &str, path: &str) -> String {
        let blob = git(&self.repo(), &["hash-object", "-w", "--no-filters", "--stdin"], "by hand\n");
        let tree = self.git(&["ls-tree", &format!("refs/heads/{branch}")]);
        let tree = format!("{tree}\n100644 blob {}\t{path}\n", blob.trim());
        let tree = git(&self.repo(), &["mktree"], &tree);
        let parent = self.git(&["rev-parse", &format!("refs/heads/{branch}")]);
        let commit = self.git(&["commit-tree", "-p", &parent, "-m", "By hand", tree.trim()]);
        self.git(&["update-ref", &format!("refs/heads/{branch}"), &commit]);
        commit
    }

    /// The programs of the repository that have run.
    pub(crate) fn marks(&self) -> Vec<String> {
        crate::hostile::marks(&self.path("marks"))
    }

    /// What `git fsck` says of the repository, where it is not well.
    pub(crate) fn fsck(&self) -> String {
        self.git(&["fsck", "--strict", "--no-dangling", "--no-progress"])
    }

    /// Everything: folders, files with their bytes and modes, links.
    pub(crate) fn snapshot(&self) -> BTreeMap<String, Vec<u8>> {
        let entries = WalkDir::new(self.folder.path()).min_depth(1).into_iter().map(Result::unwrap);
        let seen = entries.map(|entry| {
            let path = entry.path().strip_prefix(self.folder.path()).unwrap();
            let kind = entry.file_type();
            let mut bytes = format!("{:o} ", entry.metadata().unwrap().mode()).into_bytes();
            if kind.is_symlink() {
                bytes.extend(fs::read_link(entry.path()).unwrap().to_str().unwrap().as_bytes());
            } else if kind.is_file() {
                bytes.extend(fs::read(entry.path()).unwrap());
            }
            (path.to_str().unwrap().to_owned(), bytes)
        });
        seen.collect()
    }
}

/// Where calls of somebody run.
pub(crate) fn host(desk: &Path, caller: &str) -> Host<Keeper> {
    let desk = Desk::new(desk, caller);
    let act = Bench::new(desk.clone());
    Host { read: desk, act, ledger: Arc::new(MemoryLedger::new()), scope: caller.to_owned() }
}

fn copy(from: &Path, to: &Path) {
    for entry in WalkDir::new(from).min_depth(1).into_iter().map(Result::unwrap) {
        let target = to.join(entry.path().strip_prefix(from).unwrap());
        if entry.file_type().is_dir() {
            fs::create_dir(target).unwrap();
        } else if entry.file_type().is_symlink() {
            symlink(fs::read_link(entry.path()).unwrap(), target).unwrap();
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
