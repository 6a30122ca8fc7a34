//! The README is a tutorial: its commands are run word for word, one after the other.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Printed by the script between two blocks.
const BETWEEN: &str = "--- next block ---";

/// The blocks of a language, each with the block right behind it if that shows its answers.
fn blocks(readme: &str) -> Vec<(String, Option<String>)> {
    let mut blocks: Vec<(String, Option<String>)> = Vec::new();
    for block in readme.split("\n```").skip(1).step_by(2) {
        let (language, text) = block.split_once('\n').unwrap();
        match language {
            "sh" => blocks.push((text.to_owned(), None)),
            "text" => blocks.last_mut().unwrap().1 = Some(text.to_owned()),
            other => panic!("a block in {other}"),
        }
    }
    blocks
}

/// Whether everything that is expected is there; other members of objects may be, too.
fn holds(found: &Value, expected: &Value) -> bool {
    match (found, expected) {
        (Value::Object(found), Value::Object(expected)) => expected
            .iter()
            .all(|(name, expected)| found.get(name).is_some_and(|found| holds(found, expected))),
        (Value::Array(found), Value::Array(expected)) => {
            found.len() == expected.len()
                && found.iter().zip(expected).all(|(found, expected)| holds(found, expected))
        }
        (found, expected) => found == expected,
    }
}

#[test]
fn the_tutorial_is_true() {
    let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap();
    let blocks = blocks(&readme);
    let between = format!("\necho '{BETWEEN}'\n");
    let script: String = blocks.iter().flat_map(|(block, _)| [block.as_str(), &between]).collect();
    let folder = tempfile::tempdir().unwrap();
    let programs = Path::new(env!("CARGO_BIN_EXE_keeper")).parent().unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let mut bash = Command::new("bash");
    bash.args(["-c", &script]).current_dir(folder.path()).env("PATH", path).env("HOME", folder.path());
    let output = bash.output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{said}");
    let answers: Vec<&str> = said.split(BETWEEN).collect();
    assert_eq!((answers.len(), blocks.len()), (8, 7));
    for ((block, expected), said) in blocks.iter().zip(answers) {
        let Some(expected) = expected else { continue };
        let (expected, said): (Vec<&str>, Vec<&str>) =
            (expected.lines().collect(), said.trim().lines().collect());
        assert_eq!(expected.len(), said.len(), "{block}\n{said:?}");
        for (expected, said) in expected.iter().zip(said) {
            let told = serde_json::from_str(expected).is_ok_and(|expected: Value| {
                serde_json::from_str(said).is_ok_and(|said: Value| holds(&said, &expected))
            });
            assert!(told || *expected == said, "{block}\nexpected {expected}\nfound {said}");
        }
    }
}
