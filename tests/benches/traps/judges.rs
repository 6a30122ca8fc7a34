//! What generated types say to instances: each compiled or checked as its language does.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::cases::Trap;
use crate::peers::place;
use crate::tools::{Language, Types};

/// Whether the types accept each instance of their trap; `None` where they do not compile.
pub(crate) type Answers = Option<Vec<bool>>;

/// The answers of all types, in order.
pub(crate) fn answers(all: &[Types<'_>]) -> Vec<Answers> {
    let programs = Programs::build(all);
    all.iter()
        .map(|types| match types.tool.language {
            Language::Rust => programs.answers(types),
            Language::TypeScript => typescript(types),
            Language::Python => python(types),
        })
        .collect()
}

/// One crate with a program for each set of types, so that one which does not compile breaks no other.
struct Programs {
    folder: PathBuf,
}

const MANIFEST: &str = r#"
[package]
name = "traps"
version = "0.0.0"
edition = "2021"

[dependencies]
regress = "0.11"
serde = { version = "1", features = ["derive"] }
serde_json = { version = "1", features = ["float_roundtrip"] }

[workspace]

[profile.dev]
debug = false
incremental = false
"#;

const PROGRAM: &str = r#"
#[allow(warnings)]
mod types;

fn main() {
    for line in std::io::stdin().lines() {
        println!("{}", serde_json::from_str::<types::ROOT>(&line.unwrap()).is_ok());
    }
}
"#;

impl Programs {
    fn build(all: &[Types<'_>]) -> Programs {
        let programs = Programs { folder: place("traps/programs") };
        drop(fs::remove_dir_all(programs.folder.join("src")));
        for types in all.iter().filter(|types| types.tool.language == Language::Rust) {
            programs.add(types);
        }
        fs::write(programs.folder.join("Cargo.toml"), MANIFEST).unwrap();
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--quiet", "--bins", "--keep-going"]).current_dir(&programs.folder);
        cargo.env("CARGO_TARGET_DIR", programs.folder.join("target")).stderr(Stdio::null());
        // Some do not compile, which is what is asked here.
        cargo.status().unwrap();
        programs
    }

    fn add(&self, types: &Types<'_>) {
        let folder = self.folder.join("src/bin").join(name(types));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("main.rs"), PROGRAM.replace("ROOT", &types.trap.name)).unwrap();
        fs::copy(&types.file, folder.join("types.rs")).unwrap();
        drop(fs::remove_file(self.program(types)));
    }

    fn program(&self, types: &Types<'_>) -> PathBuf {
        self.folder.join("target/debug").join(name(types))
    }

    fn answers(&self, types: &Types<'_>) -> Answers {
        let program = self.program(types);
        program.exists().then(|| ask(&mut Command::new(program), types.trap))
    }
}

fn name(types: &Types<'_>) -> String {
    format!("{}_{}", types.tool.id, types.trap.name)
}

/// Gives a program the instances, a line each, and reads `true` or `false` for each.
fn ask(program: &mut Command, trap: &Trap) -> Vec<bool> {
    let mut child = program.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let lines: String = trap.instances.iter().flat_map(|instance| [&instance.text, "\n"]).collect();
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let answers = String::from_utf8(output.stdout).unwrap();
    let answers: Vec<bool> = answers.lines().map(|line| line == "true").collect();
    assert_eq!(answers.len(), trap.instances.len(), "{}", trap.name);
    answers
}

fn python(types: &Types<'_>) -> Answers {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/traps/accepts.py");
    let mut command = Command::new(place("python/bin/python"));
    command.arg("-B").arg(script).arg(&types.file).arg(&types.trap.name);
    let loads = command.output().unwrap().status.success();
    loads.then(|| ask(&mut command, types.trap))
}

/// A constant of the type for each instance; the compiler says which of them are wrong.
fn typescript(types: &Types<'_>) -> Answers {
    let folder = types.file.parent().unwrap();
    let root = &types.trap.name;
    let mut text = format!("import type {{ {root} }} from \"./types\";\n");
    for instance in &types.trap.instances {
        writeln!(text, "({} satisfies {root});", instance.text).unwrap();
    }
    fs::write(folder.join("instances.ts"), text).unwrap();
    let mut compiler = Command::new(place("npm/node_modules/.bin/tsc"));
    compiler.args(["--noEmit", "--strict", "--pretty", "false", "--target", "es2022", "instances.ts"]);
    let output = compiler.current_dir(folder).output().unwrap();
    let report = String::from_utf8(output.stdout).unwrap();
    let broken: BTreeSet<usize> = report.lines().filter_map(line_of_instance).collect();
    let types_compile =
        report.lines().all(|line| !line.contains("error") || line_of_instance(line).is_some());
    types_compile
        .then(|| (2..).take(types.trap.instances.len()).map(|line| !broken.contains(&line)).collect())
}

/// The line in `instances.ts` that an error is about.
fn line_of_instance(error: &str) -> Option<usize> {
    error.strip_prefix("instances.ts(")?.split(',').next()?.parse().ok()
}
