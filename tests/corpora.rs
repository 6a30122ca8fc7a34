//! Real surfaces: every row of their tables against an independent oracle, and generated Rust that
//! compiles.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::program::{Ran, Scene, repository};

fn corpora() -> PathBuf {
    repository().join("tests/corpora")
}

/// The table of a folder of verb schemas as the oracle's rows.
fn rows(errors: &Path) -> Vec<Value> {
    let table: Value = serde_json::from_slice(&fs::read(errors).unwrap()).unwrap();
    let rows = table["codes"].as_array().unwrap().iter();
    rows.map(|row| {
        let variants = row["variants"].as_array().map_or(1, Vec::len);
        json!({"code": row["code"], "verbs": row["verbs"], "description": row["description"], "variants": variants})
    })
    .collect()
}

/// The oracle's rows and its ties: texts as long as the published one.
fn truth(name: &str) -> (Vec<Value>, Vec<(String, Vec<String>)>) {
    let truth: Value =
        serde_json::from_slice(&fs::read(corpora().join("ground_truth").join(name)).unwrap()).unwrap();
    let mut ties = Vec::new();
    let rows = truth["table"].as_array().unwrap().iter().map(|row| {
        if let Some(tied) = row["tied_with"].as_array() {
            let texts = tied.iter().map(|text| text.as_str().unwrap().to_owned()).collect();
            ties.push((row["code"].as_str().unwrap().to_owned(), texts));
        }
        json!({"code": row["code"], "verbs": row["verbs"], "description": row["description"], "variants": row["variants"]})
    });
    (rows.collect(), ties)
}

fn generate(scene: &Scene, spec: &Path) {
    let ran = Ran::of(scene.command(&["gen", "--out", "generated", "--spec"]).arg(spec).output().unwrap());
    assert_eq!(ran.exit, 0, "{}", ran.stderr);
}

#[test]
fn codecommit_collapses_as_the_oracle_says() {
    let scene = Scene::new();
    generate(&scene, &corpora().join("samples/codecommit"));
    let (expected, ties) = truth("codecommit.json");
    assert_eq!((expected.len(), ties), (190, Vec::new()));
    assert_eq!(rows(&scene.path("generated/errors.json")), expected);
    compiles(&scene, "codecommit");
}

#[test]
fn constraint_only_samples_collapse_as_the_oracle_says() {
    let scene = Scene::new();
    let spec = scene.path("samples");
    let converted = Command::new("python3")
        .args(["-B", "convert_samples.py", "samples", "--out"])
        .arg(&spec)
        .current_dir(corpora())
        .output()
        .unwrap();
    assert!(converted.status.success(), "{converted:?}");
    generate(&scene, &spec);
    let (expected, ties) = truth("samples.json");
    assert_eq!((expected.len(), ties.len()), (1730, 5));
    let errors = scene.path("generated/errors.json");
    assert_eq!(rows(&errors), expected);
    assert_eq!(tied(&errors), ties);
    let reported = scene.run(&["check", "--json", "--spec", "samples"]).json();
    let problems = reported["output"]["problems"].as_array().unwrap();
    let count = |lint: &str| problems.iter().filter(|problem| problem["lint"] == lint).count();
    // Of the 83 codes with several texts one has a single text and, for other verbs, none.
    assert_eq!((count("text-tie"), count("texts-differ")), (5, 82));
}

/// The other texts of each code that are as long as the published one.
fn tied(errors: &Path) -> Vec<(String, Vec<String>)> {
    let table: Value = serde_json::from_slice(&fs::read(errors).unwrap()).unwrap();
    let ties = table["codes"].as_array().unwrap().iter().filter_map(|row| {
        let published = row["description"].as_str().unwrap();
        let texts =
            row["variants"].as_array()?.iter().map(|variant| variant["description"].as_str().unwrap());
        let tied: Vec<String> = texts
            .filter(|text| text.chars().count() == published.chars().count() && *text != published)
            .map(str::to_owned)
            .collect();
        (!tied.is_empty()).then(|| (row["code"].as_str().unwrap().to_owned(), tied))
    });
    ties.collect()
}

/// Checks the generated Rust of a scene as a crate of its own: no error, no warning.
pub(crate) fn compiles(scene: &Scene, name: &str) {
    let lib = "[lib]\npath = \"generated/rust/mod.rs\"\n\n\
               [lints.rust]\nmissing_docs = \"deny\"\nmissing_debug_implementations = \"deny\"\nwarnings = \"deny\"\n";
    scene.write("Cargo.toml", manifest(name) + lib);
    cargo(scene, "check", "");
}

/// The manifest of a crate with generated code.
pub(crate) fn manifest(name: &str) -> String {
    format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
         [dependencies]\nforecheck = {{ path = \"{}\" }}\nserde = {{ version = \"1\", features = [\"derive\"] }}\nserde_json = \"1\"\n\n",
        repository().join("crates/forecheck").display(),
    )
}

/// Runs cargo in a scene with a manifest. It must have nothing to say.
pub(crate) fn cargo(scene: &Scene, command: &str, input: &str) -> String {
    fs::copy(repository().join("Cargo.lock"), scene.path("Cargo.lock")).unwrap();
    let mut cargo = Command::new(env!("CARGO"))
        .args([command, "--offline", "--quiet", "--target-dir"])
        .arg(repository().join("target/generated-crates"))
        .current_dir(scene.path(""))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    cargo.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let ran = cargo.wait_with_output().unwrap();
    let stderr = String::from_utf8(ran.stderr).unwrap();
    assert!(ran.status.success() && stderr.is_empty(), "{stderr}");
    String::from_utf8(ran.stdout).unwrap()
}
