//! The program `keeper`.

use std::process::ExitCode;

fn main() -> ExitCode {
    keeper::program::run()
}
