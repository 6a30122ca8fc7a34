//! The program that stands between a harness and one command: see `forecheck_confine::supervisor_main`.

use std::process::ExitCode;

fn main() -> ExitCode {
    forecheck_confine::supervisor_main()
}
