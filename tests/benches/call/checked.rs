//! How long `cargo check` takes for the generated code of 1,137 verbs, which share 1,730 checks.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/bench-call");
const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

pub(crate) fn print() {
    let corpora = Path::new(REPOSITORY).join("tests/corpora");
    let folder = Path::new(FOLDER);
    fs::create_dir_all(folder).unwrap();
    let spec = folder.join("samples");
    run(Command::new("python3")
        .stdout(Stdio::null())
        .args(["-B", "convert_samples.py", "samples", "--out"])
        .arg(&spec)
        .current_dir(corpora));
    let target = folder.join("program");
    let program = target.join("release/forecheck");
    run(Command::new("cargo")
        .args(["build", "--release", "--quiet", "-p", "forecheck-cli", "--target-dir"])
        .arg(&target)
        .current_dir(REPOSITORY));
    run(Command::new(program)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .env("FORECHECK_LEDGER", folder.join("ledger.sqlite"))
        .args(["gen", "--prune", "--spec"])
        .arg(&spec)
        .arg("--out")
        .arg(folder.join("generated"))
        .arg("--rust")
        .arg(folder.join("rust")));
    let manifest = format!(
        "[package]\nname = \"samples\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[lib]\npath = \"rust/mod.rs\"\n\n\
         [dependencies]\nforecheck = {{ path = \"{}\" }}\nserde = {{ version = \"1\", features = [\"derive\"] }}\nserde_json = \"1\"\n\n\
         [profile.dev]\nincremental = false\n",
        Path::new(REPOSITORY).join("crates/forecheck").display()
    );
    fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    fs::copy(Path::new(REPOSITORY).join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    check(folder);
    fs::write(folder.join("rust/mod.rs"), fs::read(folder.join("rust/mod.rs")).unwrap()).unwrap();
    let start = Instant::now();
    check(folder);
    let lines: usize = walk(&folder.join("rust")).map(|text| text.lines().count()).sum();
    println!(
        "cargo check of the generated code of 1,137 verbs: {:.1} s, {lines} lines",
        start.elapsed().as_secs_f64()
    );
}

fn check(folder: &Path) {
    run(Command::new("cargo")
        .args(["check", "--offline", "--quiet"])
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .current_dir(folder));
}

fn walk(folder: &Path) -> impl Iterator<Item = String> {
    fs::read_dir(folder).unwrap().map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap())
}

fn run(command: &mut Command) {
    let status = command.status().unwrap();
    assert!(status.success(), "{command:?}: {status}");
}
