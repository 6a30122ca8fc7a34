//! How commands end, and that nothing is left of them.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use forecheck_boundary::Mode;
use forecheck_confine::facts::{End, Sandbox, Started};
use forecheck_confine::{Answer, Request};

use crate::scene::Scene;

/// Processes whose command line holds this.
fn running(marker: &str) -> usize {
    let entries = fs::read_dir("/proc").unwrap().map(|entry| entry.unwrap().path().join("cmdline"));
    let lines = entries.filter_map(|path| fs::read(path).ok());
    lines.filter(|line| String::from_utf8_lossy(line).contains(marker)).count()
}

/// Zombies of this process that nobody reaps. Those of other tests are reaped at once.
fn zombies() -> BTreeSet<PathBuf> {
    let me = format!(") Z {} ", std::process::id());
    let entries = fs::read_dir("/proc").unwrap().map(|entry| entry.unwrap().path());
    let is_zombie =
        |path: &PathBuf| fs::read_to_string(path.join("stat")).is_ok_and(|stat| stat.contains(&me));
    let mut zombies: BTreeSet<PathBuf> = entries.filter(is_zombie).collect();
    if !zombies.is_empty() {
        std::thread::sleep(Duration::from_secs(1));
        zombies.retain(is_zombie);
    }
    zombies
}

#[test]
fn a_timeout_ends_the_whole_tree_and_leaves_no_zombie() {
    let scene = Scene::new();
    for mode in [Mode::Ask, Mode::FullAccess] {
        let marker = format!("{}.{}", 90_000 + mode as u32, std::process::id());
        let script =
            format!("sleep {marker} & setsid sleep {marker} & (setsid sleep {marker} &) ; sleep {marker}");
        let timeout = Some(Duration::from_secs(3));
        let launched = scene.launcher.boundary(Request { mode, timeout, ..scene.script(&script) }).unwrap();
        let launched = scene.launcher.prepare(launched).unwrap().launch();
        let since = Instant::now();
        while running(&marker) < 4 && since.elapsed() < Duration::from_secs(5) {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(running(&marker) >= 4, "the control: they run");
        let facts = launched.settle().facts().clone();
        assert_eq!((&facts.end, facts.started), (&Some(End::TimedOut), Started::Yes), "{facts:#?}");
        assert_eq!(running(&marker), 0);
        assert_eq!(zombies(), BTreeSet::new());
    }
}

#[test]
fn a_command_is_asked_to_end_before_it_is_killed() {
    let scene = Scene::new();
    for mode in [Mode::Ask, Mode::FullAccess] {
        let script = "trap 'echo asked; exit 3' TERM; echo ready; while :; do sleep 0.05; done";
        let request = Request { mode, timeout: Some(Duration::from_secs(1)), ..scene.script(script) };
        let facts = scene.run(request).facts().clone();
        assert_eq!((facts.end, facts.stdout.text.as_str()), (Some(End::TimedOut), "ready\nasked\n"));
    }
}

#[test]
fn a_command_that_does_not_listen_is_killed_after_two_seconds() {
    let scene = Scene::new();
    let script = "trap '' TERM; while :; do sleep 0.05; done";
    let since = Instant::now();
    let request = Request { timeout: Some(Duration::from_millis(100)), ..scene.script(script) };
    let facts = scene.run(request).facts().clone();
    assert_eq!((&facts.end, facts.stderr.seen), (&Some(End::TimedOut), 0), "{facts:#?}");
    assert!((Duration::from_secs(2)..Duration::from_secs(6)).contains(&since.elapsed()));
}

#[test]
fn what_outlives_a_command_is_ended_with_it() {
    let scene = Scene::new();
    for (mode, survivors) in [(Mode::Ask, None), (Mode::FullAccess, Some(1))] {
        let marker = format!("{}.{}", 80_000 + mode as u32, std::process::id());
        let since = Instant::now();
        let script = format!(
            "setsid sleep {marker} & while ! grep -qs {marker} /proc/$!/cmdline; do :; done; echo done"
        );
        let facts = scene.run(Request { mode, ..scene.script(&script) }).facts().clone();
        assert_eq!(
            (&facts.end, facts.survivors_killed),
            (&Some(End::Exited { code: 0 }), survivors),
            "{facts:#?}"
        );
        assert_eq!((facts.stdout.text.as_str(), running(&marker)), ("done\n", 0));
        assert!(since.elapsed() < Duration::from_secs(5));
    }
}

#[test]
fn a_cancelled_command_ends_and_says_so() {
    let scene = Scene::new();
    for mode in [Mode::Ask, Mode::FullAccess] {
        let request = Request { mode, timeout: None, ..scene.script("sleep 1000") };
        let launched = scene.launcher.prepare(scene.launcher.boundary(request).unwrap()).unwrap().launch();
        std::thread::sleep(Duration::from_millis(200));
        launched.cancel();
        assert_eq!(launched.settle().facts().end, Some(End::Cancelled));
    }
}

#[test]
fn a_launch_that_is_dropped_ends() {
    let scene = Scene::new();
    let marker = format!("70000.{}", std::process::id());
    let request = Request { timeout: None, ..scene.request(&["sleep", &marker]) };
    let launched = scene.launcher.prepare(scene.launcher.boundary(request).unwrap()).unwrap().launch();
    let since = Instant::now();
    while running(&marker) == 0 && since.elapsed() < Duration::from_secs(5) {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(running(&marker) > 0);
    drop(launched);
    assert_eq!(running(&marker), 0);
    assert_eq!(fs::read_dir(scene.at("spool")).unwrap().count(), 0);
}

/// A host of its own: does nothing unless a marker says so, and then waits to be killed.
#[test]
fn a_host_that_waits() {
    if let Ok(marker) = std::env::var("FORECHECK_TEST_MARKER") {
        let scene = Scene::new();
        let mode = if marker.starts_with('6') { Mode::Ask } else { Mode::FullAccess };
        let script = format!("setsid sleep {marker} & sleep {marker}");
        scene.run(Request { mode, timeout: None, ..scene.script(&script) });
    }
}

#[test]
fn sandlock_238_lifeos_1520_a_host_that_is_killed_takes_its_commands_with_it() {
    for kind in ["6", "5"] {
        let marker = format!("{kind}0000.{}", std::process::id());
        let folder = tempfile::tempdir_in("/var/tmp").unwrap();
        let mut host = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "processes::a_host_that_waits"])
            .env("FORECHECK_TEST_MARKER", &marker)
            .env("FORECHECK_TEST_FOLDER", folder.path())
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        assert!(becomes(&marker, |count| count >= 3), "the control: they run");
        host.kill().unwrap();
        host.wait().unwrap();
        assert!(becomes(&marker, |count| count == 0));
    }
}

/// Whether the number of running processes comes to be so.
fn becomes(marker: &str, is_so: impl Fn(usize) -> bool) -> bool {
    let since = Instant::now();
    while !is_so(running(marker)) && since.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(10));
    }
    is_so(running(marker))
}

#[test]
fn a_thread_that_ends_does_not_end_the_child() {
    let scene = Scene::new();
    let request = scene.script("sleep 0.4; echo alive");
    let boundary = scene.launcher.boundary(request).unwrap();
    let prepared = scene.launcher.prepare(boundary).unwrap();
    let launched = std::thread::spawn(|| prepared.launch()).join().unwrap();
    assert_eq!(launched.settle().facts().stdout.text, "alive\n");
}

#[test]
fn a_supervisor_that_is_lost_leaves_the_call_in_doubt() {
    let scene = Scene::new();
    let request =
        Request { mode: Mode::FullAccess, ..scene.script("touch marker; kill -KILL $PPID; sleep 1") };
    let settled = scene.run(request);
    assert_eq!(settled.answer(), &Answer::InDoubt);
    assert_eq!((settled.facts().started, &settled.facts().end), (Started::Unknown, &None));
    assert!(scene.at("workspace/marker").exists());
}

#[test]
fn long_output_is_in_a_file_and_the_result_begins_it() {
    let scene = Scene::new();
    let facts = scene.works(scene.script("seq 3000; echo err >&2"));
    let file = facts.stdout.file.unwrap();
    let whole = fs::read_to_string(std::str::from_utf8(file.as_bytes()).unwrap()).unwrap();
    assert_eq!((whole.lines().count(), facts.stdout.text.chars().count()), (3000, 2000));
    assert!(whole.starts_with(&facts.stdout.text));
    assert_eq!(facts.stderr.text, "err\n");
}

#[test]
fn output_above_the_limit_ends_the_command() {
    let scene = Scene::new();
    let facts = scene.run(scene.script("exec yes 0123456789012345678901234567890123456789")).facts().clone();
    assert_eq!(facts.end, Some(End::OutputLimit));
    assert_eq!(facts.stdout.kept, 64 * 1024 * 1024);
}

#[test]
fn a_program_that_is_not_there_is_a_fact() {
    let scene = Scene::new();
    for (mode, sandbox) in [(Mode::Ask, Sandbox::Bubblewrap), (Mode::FullAccess, Sandbox::Off)] {
        let settled = scene.run(Request { mode, ..scene.request(&["there-is-no-such-program"]) });
        let facts = settled.facts();
        assert_eq!((settled.answer(), facts.sandbox), (&Answer::Ran, sandbox));
        assert_eq!((facts.exec_error, &facts.end), (Some(libc_enoent()), &Some(End::Exited { code: 127 })));
    }
}

fn libc_enoent() -> i32 {
    std::io::Error::from(rustix::io::Errno::NOENT).raw_os_error().unwrap()
}

#[test]
fn an_inherited_descriptor_does_not_get_in() {
    let scene = Scene::new();
    let outside = fs::File::open(scene.at("outside")).unwrap();
    rustix::io::fcntl_setfd(&outside, rustix::io::FdFlags::empty()).unwrap();
    let list = "for fd in /proc/self/fd/*; do readlink \"$fd\"; done; true";
    let control = std::process::Command::new("sh").args(["-c", list]).output().unwrap();
    let path = scene.at("outside");
    let path = path.to_str().unwrap();
    assert!(String::from_utf8(control.stdout).unwrap().contains(path), "the control: it is inherited");
    for mode in [Mode::Ask, Mode::FullAccess] {
        let facts = scene.run(Request { mode, ..scene.script(list) }).facts().clone();
        let text = facts.stdout.text;
        assert!(!text.contains(path) && !text.contains("socket:") && !text.contains("memfd"), "{text}");
    }
}

/// bubblewrap waits for ever where SIGCHLD is ignored, and a command cannot be asked to end where SIGTERM is.
#[test]
fn bubblewrap_705_signals_that_are_ignored_are_so_no_longer() {
    let test = "processes::a_command_is_asked_to_end_before_it_is_killed";
    let output = std::process::Command::new("env")
        .args(["--ignore-signal=CHLD", "--ignore-signal=TERM"])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", test])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
}
