//! Each refusal beside the same call in the world in which it does not arise.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use forecheck::MemoryLedger;
use forecheck::conform::conform_examples;
use forecheck::outcome::{Effects, Outcome, Status};
use serde_json::{Value, json};

use ::skeleton_name::generated::{add_note, examples};
use ::skeleton_name::world::{Disk, host};

/// An empty folder for the boards of one test.
fn boards(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    fs::create_dir(&folder).unwrap();
    folder
}

/// Every note by its name.
fn notes(board: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(board)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let note = |path: PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        (name, fs::read_to_string(path).unwrap())
    };
    entries.map(note).collect()
}

fn input(title: &str) -> Vec<u8> {
    json!({"board": "Team", "title": title, "text": "A first note."})
        .to_string()
        .into_bytes()
}

fn refusal(outcome: &Outcome) -> (Status, Effects, &str, Option<&Value>) {
    let refusal = outcome.refusal.as_ref().unwrap();
    (
        outcome.status,
        outcome.effects_of_this_call,
        &refusal.code,
        refusal.details.as_ref(),
    )
}

#[test]
fn a_note_is_refused_then_pinned_then_skipped() {
    let boards = boards("a_note_is_refused_then_pinned_then_skipped");
    let host = host(boards.clone(), Arc::new(MemoryLedger::new()), "me");
    let call = || add_note::call(&host, &input("Hello"));
    assert_eq!(
        refusal(&call()),
        (Status::Refused, Effects::None, "BOARD_UNKNOWN", None)
    );
    assert_eq!(fs::read_dir(&boards).unwrap().count(), 0);

    let board = boards.join("team");
    fs::create_dir(&board).unwrap();
    let pinned = call();
    let name = format!("{}.md", pinned.key.clone().unwrap());
    let output = json!({"file": format!("team/{name}")});
    assert_eq!(
        (pinned.status, pinned.output),
        (Status::Succeeded, Some(output.clone()))
    );
    let expected = BTreeMap::from([(name, "# Hello\n\nA first note.\n".to_owned())]);
    assert_eq!(notes(&board), expected);

    let repeat = call();
    assert_eq!(
        (repeat.status, repeat.output),
        (Status::SkippedIdempotent, Some(output))
    );
    assert_eq!(repeat.effects_of_this_call, Effects::None);
    assert_eq!(notes(&board), expected);
}

#[test]
fn title_too_long() {
    let boards = boards("title_too_long");
    let board = boards.join("team");
    fs::create_dir(&board).unwrap();
    let host = host(boards, Arc::new(MemoryLedger::new()), "me");
    let call = |letters: usize| add_note::call(&host, &input(&"a".repeat(letters)));
    let details = json!({"letters": 61, "most": 60});
    assert_eq!(
        refusal(&call(61)),
        (
            Status::Refused,
            Effects::None,
            "TITLE_TOO_LONG",
            Some(&details)
        )
    );
    assert_eq!(notes(&board).len(), 0);
    assert_eq!(call(60).status, Status::Succeeded);
    assert_eq!(notes(&board).len(), 1);
}

/// Those in `spec/` that give the facts that the checks need.
#[test]
fn the_checks_say_what_the_examples_say() {
    for example in conform_examples(&examples::all::<Disk>()) {
        assert!(example.result.is_ok(), "{example}");
    }
}
