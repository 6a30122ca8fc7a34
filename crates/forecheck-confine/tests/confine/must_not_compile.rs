//! What must not compile, does not, and for the expected reason: the codes are compared with those in
//! rustc's JSON. The file without a code is the control, which compiles.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

fn cases() -> BTreeMap<String, (PathBuf, BTreeSet<String>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/must_not_compile");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let case = |path: PathBuf| {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let text = fs::read_to_string(&path).unwrap();
        let code = text.lines().find_map(|line| line.strip_prefix("//! Refused with ")?.strip_suffix('.'));
        (name, (path, code.into_iter().flat_map(str::split_whitespace).map(str::to_owned).collect()))
    };
    files.map(case).collect()
}

/// A crate with every case as a library target of its own kind: an example.
fn write_crate(cases: &BTreeMap<String, (PathBuf, BTreeSet<String>)>) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("must_not_compile");
    fs::create_dir_all(&folder).unwrap();
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let examples = cases.iter().fold(String::new(), |mut all, (name, (path, _))| {
        writeln!(
            all,
            "[[example]]\nname = {name:?}\npath = \"{}\"\ncrate-type = [\"lib\"]\n",
            path.display()
        )
        .unwrap();
        all
    });
    let manifest = format!(
        "[package]\nname = \"must-not-compile\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n{examples}\
         [dev-dependencies]\nforecheck-confine = {{ path = \"{}\" }}\nserde_json = \"1\"\n",
        here.display()
    );
    fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    fs::create_dir_all(folder.join("src")).unwrap();
    fs::write(folder.join("src/lib.rs"), "").unwrap();
    fs::copy(here.join("../../Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    folder
}

/// The codes of the errors of each case.
fn errors(folder: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["check", "--examples", "--keep-going", "--offline", "--quiet", "--message-format=json"])
        .env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("../must-not-compile"))
        .current_dir(folder)
        .output()
        .unwrap();
    let mut errors: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        let message: Value = serde_json::from_str(line).unwrap();
        let case = message["target"]["name"].as_str().unwrap_or_default();
        let is_case = message["target"]["kind"][0] == "example";
        if message["reason"] == "compiler-artifact" && is_case {
            errors.entry(case.to_owned()).or_default();
        }
        let error = &message["message"];
        if message["reason"] == "compiler-message" && error["level"] == "error" {
            let code = error["code"]["code"].as_str().map(str::to_owned);
            let codes = errors.entry(case.to_owned()).or_default();
            codes.extend(code);
        }
    }
    assert!(!errors.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    errors
}

#[test]
fn every_misuse_is_refused_for_its_reason_and_the_control_compiles() {
    let cases = cases();
    assert!(cases.len() > 9);
    let folder = write_crate(&cases);
    let expected: BTreeMap<String, BTreeSet<String>> =
        cases.into_iter().map(|(name, (_, codes))| (name, codes)).collect();
    assert_eq!(errors(&folder), expected);
}
