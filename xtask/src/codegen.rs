//! `cargo xtask codegen`: the surface in `spec/` to every file in the generated folders.
//!
//! What `forecheck gen --spec spec --out generated --rust crates/forecheck-verbs/src/generated`
//! does, without the program: it works also when the generated code that the program is built from
//! is stale or gone.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use forecheck_codegen::folder::{Destination, DriftState, LockError, Outputs};
use forecheck_codegen::generator::{Source, generate};
use forecheck_codegen::keys_json::{KeysFile, keys, moved_recipes};
use forecheck_spec::check::check;
use forecheck_spec::render;
use forecheck_spec::source::Sources;
use forecheck_spec::tree::Trees;

use crate::process;

const MEND: &str = "cargo xtask codegen";

/// Writes the generated files; with `only_check`, writes nothing and fails when one of them is not
/// what the surface says.
pub(crate) fn run(only_check: bool) -> anyhow::Result<()> {
    let root = process::root();
    let spec = root.join("spec");
    let sources = Sources::load(&spec)?;
    let trees = Trees::read(&sources);
    let checked = check(&trees);
    for problem in &checked.problems {
        println!("{}", render::human(problem, &trees, "spec", false));
    }
    let Some(surface) = checked.surface else { bail!("the surface in `spec/` has errors") };
    let source = Source::new(&surface);
    let destination = destination(root);
    let outputs = destination.plan(generate(&source)?)?;
    check_lock(&outputs, &keys(&surface))?;
    if only_check { report_drift(&outputs) } else { write(&destination, &outputs) }
}

fn destination(root: &Path) -> Destination {
    Destination { out: root.join("generated"), rust: Some(root.join("crates/forecheck-verbs/src/generated")) }
}

/// Keys that were given out do not move unless a revision rises.
fn check_lock(outputs: &Outputs, now: &KeysFile) -> anyhow::Result<()> {
    let Some(previous) = outputs.previous("keys.json") else { return Ok(()) };
    let locked: KeysFile = serde_json::from_slice(previous).context("generated/keys.json cannot be read")?;
    let moved: Vec<String> = moved_recipes(&locked, now).into_iter().map(|moved| moved.verb).collect();
    if !moved.is_empty() {
        bail!("keys of {} would move: raise the `revision` of the verb", moved.join(", "));
    }
    Ok(())
}

fn report_drift(outputs: &Outputs) -> anyhow::Result<()> {
    let drift = outputs.drift();
    for (prefix, drift) in &drift {
        println!("{}: {prefix}{}\n{}", drift.state.as_str(), drift.path, drift.diff());
    }
    if drift.is_empty() {
        println!("generated files are up to date");
        return Ok(());
    }
    let orphans = drift.iter().any(|(_, drift)| drift.state == DriftState::Orphan);
    let and = if orphans { ", after removing what is foreign" } else { "" };
    bail!("{} generated files differ; run `{MEND}`{and}", drift.len());
}

fn write(destination: &Destination, outputs: &Outputs) -> anyhow::Result<()> {
    let foreign: Vec<String> =
        outputs.foreign().iter().map(|path: &PathBuf| path.display().to_string()).collect();
    if !foreign.is_empty() {
        bail!("files that no generator wrote stand in the generated folders:\n  {}", foreign.join("\n  "));
    }
    let locks = destination.lock().map_err(|(folder, error)| match error {
        LockError::Busy => anyhow::anyhow!("another run is writing to `{}`", folder.display()),
        LockError::Unwritable(error) => error.into(),
    })?;
    let written = outputs.write(&locks)?;
    for path in &written.written {
        println!("wrote {path}");
    }
    for path in &written.removed {
        println!("removed {path}");
    }
    println!(
        "{} written, {} removed, {} unchanged",
        written.written.len(),
        written.removed.len(),
        written.unchanged
    );
    Ok(())
}
