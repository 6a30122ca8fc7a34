//! `cargo xtask codegen`: the surfaces of this repository to every file in their generated folders.
//!
//! What `forecheck gen --spec spec --out generated --rust crates/forecheck-verbs/src/generated`
//! does, without the program: it works also when the generated code that the program is built from
//! is stale or gone.

use std::path::Path;

use anyhow::bail;
use forecheck_codegen::folder::{Destination, Outputs};
use forecheck_codegen::generator::{Source, generate};
use forecheck_spec::check::check;
use forecheck_spec::render;
use forecheck_spec::source::Sources;
use forecheck_spec::tree::Trees;

use crate::process;

/// A surface of this repository.
struct Folders {
    spec: &'static str,
    out: &'static str,
    rust: &'static str,
}

const SURFACES: [Folders; 3] = [
    Folders { spec: "spec", out: "generated", rust: "crates/forecheck-verbs/src/generated" },
    Folders {
        spec: "tests/runtime/spec",
        out: "tests/runtime/generated",
        rust: "tests/runtime/src/generated",
    },
    Folders {
        spec: "examples/keeper/spec",
        out: "examples/keeper/generated",
        rust: "examples/keeper/src/generated",
    },
];

/// Writes the generated files of every surface; with `only_check`, writes nothing and fails when one of them is not
/// what the surface says.
pub(crate) fn run(only_check: bool) -> anyhow::Result<()> {
    SURFACES.iter().try_for_each(|folders| generated(folders, only_check))
}

fn generated(folders: &Folders, only_check: bool) -> anyhow::Result<()> {
    let root = process::root().canonicalize()?;
    let spec = root.join(folders.spec);
    let sources = Sources::load(&spec)?;
    let trees = Trees::read(&sources);
    let checked = check(&trees);
    for problem in &checked.problems {
        println!("{}", render::human(problem, &trees, folders.spec, false));
    }
    let Some(surface) = checked.surface else { bail!("the surface in `{}` has errors", folders.spec) };
    let destination = Destination { out: root.join(folders.out), rust: Some(root.join(folders.rust)) };
    let outputs = destination.compare(&spec, generate(&Source::new(&surface))?)?;
    outputs.check_keys()?;
    if only_check { report_drift(&outputs) } else { write(outputs) }
}

fn report_drift(outputs: &Outputs) -> anyhow::Result<()> {
    let drift = outputs.drift();
    for drift in &drift {
        println!(
            "{}: {}\n{}",
            drift.state.as_str(),
            drift.path.display(),
            drift.state.diff().unwrap_or_default()
        );
    }
    if drift.is_empty() {
        println!("generated files are up to date");
        return Ok(());
    }
    let foreign = outputs.foreign();
    let first = if foreign.is_empty() { "" } else { "remove what no run wrote, then " };
    bail!("{} generated files differ; {first}run `cargo xtask codegen`", drift.len());
}

fn write(outputs: Outputs) -> anyhow::Result<()> {
    let written = outputs.replace(false)?;
    let root = process::root().canonicalize()?;
    let below = |path: &Path| path.strip_prefix(&root).unwrap_or(path).display().to_string();
    for path in &written.written {
        println!("wrote {}", below(path));
    }
    for path in &written.removed {
        println!("removed {}", below(path));
    }
    println!(
        "{} written, {} removed, {} unchanged",
        written.written.len(),
        written.removed.len(),
        written.unchanged
    );
    Ok(())
}
