//! The program as its users run it, built for release.

use std::path::{Path, PathBuf};
use std::process::Command;

/// `forecheck gen` for a folder.
#[derive(Debug)]
pub(crate) struct Program {
    path: PathBuf,
}

impl Program {
    /// Builds the program beside this benchmark.
    pub(crate) fn build() -> Program {
        let deps = std::env::current_exe().unwrap().parent().unwrap().to_owned();
        let release = deps.parent().unwrap();
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--quiet", "--release", "--package", "forecheck-cli", "--target-dir"]);
        assert!(build.arg(release.parent().unwrap()).status().unwrap().success());
        Program { path: release.join("forecheck") }
    }

    pub(crate) fn generate(&self, spec: &Path, out: &Path) -> Command {
        let mut command = Command::new(&self.path);
        command.arg("gen").arg("--spec").arg(spec).arg("--out").arg(out);
        command.env("FORECHECK_LEDGER", out.with_file_name("ledger.sqlite"));
        command
    }

    pub(crate) fn check(&self, spec: &Path, out: &Path) -> Command {
        let mut command = self.generate(spec, out);
        command.arg("--check");
        command
    }
}
