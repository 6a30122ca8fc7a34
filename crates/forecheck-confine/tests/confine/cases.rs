//! Failures that users of similar programs reported, each named after its report.

use std::fs;
use std::process::Command;

use forecheck_boundary::{Access, Extent, Mode};
use forecheck_confine::facts::{End, Started};
use forecheck_confine::{Answer, Request};

use crate::scene::Scene;

/// Output that looks like a failure of the sandbox is output.
#[test]
fn codex_18711_deepseek_harness_0004_zero_866() {
    let scene = Scene::new();
    let lines = "echo 'bwrap: setting up uid map: Permission denied' >&2; echo sandbox; exit 1";
    let settled = scene.run(scene.script(lines));
    assert_eq!((settled.answer(), settled.facts().started), (&Answer::Ran, Started::Yes));
    assert_eq!(settled.facts().end, Some(End::Exited { code: 1 }));
    let grep = scene.run(scene.request(&["grep", "nothing", "file"]));
    assert_eq!((grep.answer(), &grep.facts().end), (&Answer::Ran, &Some(End::Exited { code: 1 })));
}

/// Names that are protected and not there are not made.
#[test]
fn claude_code_17087_28189_78818_79248() {
    let scene = Scene::new();
    fs::remove_dir_all(scene.at("workspace/.git")).unwrap();
    fs::remove_dir_all(scene.at("home/.ssh")).unwrap();
    let facts = scene.works(scene.script("true"));
    assert!(facts.protected_created.is_empty());
    assert!(!scene.at("workspace/.git").exists() && !scene.at("home/.ssh").exists());
    let facts = scene.works(scene.script("mkdir .git"));
    assert_eq!(facts.protected_created, [scene.path("workspace/.git")]);
}

/// In a linked worktree `.git` is a file: the directory that it names is what is protected.
#[test]
fn sandbox_runtime_98_claude_code_50505_codex_7071() {
    let scene = Scene::new();
    let git = |folder: &str, arguments: &[&str]| {
        let identity = ["-c", "user.name=me", "-c", "user.email=me@example.com", "-c", "safe.directory=*"];
        let mut git = Command::new("git");
        git.args(identity).args(arguments).current_dir(scene.at(folder)).env("HOME", scene.at("home"));
        let output = git.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    fs::create_dir(scene.at("outside/main")).unwrap();
    git("outside/main", &["init", "-q"]);
    git("outside/main", &["commit", "-q", "--allow-empty", "-m", "first"]);
    fs::remove_dir_all(scene.at("workspace/.git")).unwrap();
    git("outside/main", &["worktree", "add", "-q", "../../workspace/tree"]);
    let commit = "git add new && git -c user.name=me -c user.email=me@example.com commit -q -m second";
    let script = format!("echo x > new && {commit}");
    let request = Request { workdir: scene.path("workspace/tree"), ..scene.script(&script) };
    let facts = scene.run(request.clone()).facts().clone();
    assert_eq!(facts.git_common_directories, [scene.path("outside/main/.git")]);
    assert!(facts.stderr.text.contains("Read-only file system"), "{facts:#?}");
    // The metadata trees, and nothing beside them.
    let paths = ["outside/main/.git", "outside/main/.git/worktrees/tree"];
    let grants = paths.iter().flat_map(|path| scene.grant(path, Access::Write, Extent::Recursive)).collect();
    let request = Request { grants, ..request };
    scene.works(request.clone());
    let other = scene.script("echo x > ../outside/main/file");
    scene.is_denied(Request { grants: request.grants, ..other }, "Read-only file system");
}

/// A planted file does not promote a directory that does not name it in turn.
#[test]
fn qwen_code_11614() {
    let scene = Scene::new();
    fs::create_dir(scene.at("workspace/sub")).unwrap();
    let planted = format!("gitdir: {}\n", scene.at("outside").display());
    fs::write(scene.at("workspace/sub/.git"), planted).unwrap();
    fs::write(scene.at("outside/commondir"), ".\n").unwrap();
    let names = |file: &str| fs::write(scene.at("outside/gitdir"), scene.at(file).to_str().unwrap()).unwrap();
    names("workspace/file");
    assert!(scene.works(scene.script("cat sub/.git")).git_common_directories.is_empty());
    names("workspace/sub/.git");
    assert_eq!(scene.works(scene.script("true")).git_common_directories, [scene.path("outside")]);
    names("workspace/file");
    scene.is_denied(scene.script("echo x > sub/.git"), "Read-only file system");
}

/// A variable for temporary files that names no directory.
#[test]
fn claude_code_30433_25990() {
    let scene = Scene::new();
    for mode in [Mode::Ask, Mode::FullAccess] {
        let request = Request { mode, ..scene.script("mktemp && : > \"$TMPPREFIX\" && rm \"$TMPPREFIX\"") };
        assert_eq!(scene.run(request).facts().end, Some(End::Exited { code: 0 }));
    }
}

/// Shared memory.
#[test]
fn codex_7251() {
    let scene = Scene::new();
    scene.works(scene.request(&["python3", "-c", "import multiprocessing; multiprocessing.Lock()"]));
}

/// Nobody types into a command.
#[test]
fn opencode_3089_execa_548_codex_20919() {
    let scene = Scene::new();
    for mode in [Mode::Ask, Mode::FullAccess] {
        let facts = scene.run(Request { mode, ..scene.request(&["cat"]) }).facts().clone();
        assert_eq!((facts.end, facts.stdout.seen), (Some(End::Exited { code: 0 }), 0));
    }
}

/// A closed pipe ends its writer.
#[test]
fn pi_agent_rust_65_rust_25784() {
    let scene = Scene::new();
    for mode in [Mode::Ask, Mode::FullAccess] {
        let script = "(yes; echo $? >&2) | head -n 1";
        let facts = scene.run(Request { mode, ..scene.script(script) }).facts().clone();
        assert_eq!((facts.stdout.text.as_str(), facts.stderr.text.as_str()), ("y\n", "141\n"));
    }
}

/// An argument of 128 KiB less one byte, and marks that a shell would read, arrive as they are.
#[test]
fn claude_code_51126_64301_tend_639() {
    let scene = Scene::new();
    let long = "x".repeat(131_071);
    let facts =
        scene.works(scene.request(&["sh", "-c", "printf '%s|' \"$1\" ${#2}", "sh", "!\\ $'\"`*", &long]));
    assert_eq!(facts.stdout.text, "!\\ $'\"`*|131071|");
}

/// A command cannot have the program that confines it load its code.
#[test]
fn preloaded_code_stays_inside() {
    let scene = Scene::new();
    let mut request = scene.script("true");
    request.environment.push(("LD_PRELOAD".into(), "/nonexistent/preloaded.so".into()));
    let facts = scene.works(request);
    // The loader complains once for the shell that was started, inside.
    assert_eq!(facts.stderr.text.matches("preloaded.so").count(), 1, "{}", facts.stderr.text);
}
