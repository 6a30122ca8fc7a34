//! Starting other programs: from a list of words, never a shell string, in the repository's root and without stdin.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

use anyhow::{Context, Result, bail};

/// The repository's root, wherever `cargo xtask` was called.
pub(crate) fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// Runs the program with its output on our own streams; an unsuccessful end is an error.
pub(crate) fn run(line: &[&str]) -> Result<()> {
    let status = command(line)?.status().with_context(|| start_failed(line))?;
    if !status.success() {
        bail!("`{}` ended with {status}", line.join(" "));
    }
    Ok(())
}

/// What the program wrote to stdout.
pub(crate) fn output(line: &[&str]) -> Result<String> {
    let output = command(line)?.stderr(Stdio::inherit()).output().with_context(|| start_failed(line))?;
    if !output.status.success() {
        bail!("`{}` ended with {}", line.join(" "), output.status);
    }
    String::from_utf8(output.stdout).with_context(|| format!("`{}` did not write UTF-8", line.join(" ")))
}

/// What a program wrote to stdout that is started elsewhere than in the root.
pub(crate) fn output_of(command: &mut Command) -> Result<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::inherit()).output();
    let output = output.with_context(|| format!("cannot start {command:?}"))?;
    if !output.status.success() {
        bail!("{command:?} ended with {}", output.status);
    }
    String::from_utf8(output.stdout).with_context(|| format!("{command:?} did not write UTF-8"))
}

/// What a program wrote to stdout, however it ends; stderr is dropped.
pub(crate) fn printed_by(command: &mut Command) -> Result<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output();
    let output = output.with_context(|| format!("cannot start {command:?}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Whether the program exists and ends well; what it writes is dropped.
pub(crate) fn succeeds(line: &[&str]) -> Result<bool> {
    let status = command(line)?.stdout(Stdio::null()).stderr(Stdio::null()).status();
    Ok(status.is_ok_and(|status| status.success()))
}

/// Hands over each line of stdout as it comes; stderr goes to our own.
pub(crate) fn each_line(line: &[&str], mut on_line: impl FnMut(&str)) -> Result<ExitStatus> {
    let mut child = command(line)?.stdout(Stdio::piped()).spawn().with_context(|| start_failed(line))?;
    if let Some(stdout) = child.stdout.take() {
        for bytes in BufReader::new(stdout).split(b'\n') {
            on_line(&String::from_utf8_lossy(&bytes?));
        }
    }
    Ok(child.wait()?)
}

fn command(line: &[&str]) -> Result<Command> {
    let (program, arguments) = line.split_first().context("an empty command line")?;
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root()).stdin(Stdio::null());
    Ok(command)
}

fn start_failed(line: &[&str]) -> String {
    format!("cannot start `{}`", line.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unsuccessful_end_and_a_missing_program_are_told_apart() {
        assert!(run(&["true"]).is_ok());
        let ended = run(&["false"]).unwrap_err().to_string();
        assert_eq!(ended, "`false` ended with exit status: 1");
        let missing = run(&["no-such-program", "-x"]).unwrap_err().to_string();
        assert_eq!(missing, "cannot start `no-such-program -x`");
    }

    #[test]
    fn a_probe_is_false_for_a_failure_and_for_a_missing_program() {
        assert!(succeeds(&["true"]).unwrap());
        assert!(!succeeds(&["false"]).unwrap());
        assert!(!succeeds(&["no-such-program"]).unwrap());
    }

    #[test]
    fn lines_arrive_in_order_with_the_status() {
        let mut lines = Vec::new();
        let status = each_line(&["printf", "a\\nb"], |line| lines.push(line.to_owned())).unwrap();
        assert!(status.success());
        assert_eq!(lines, ["a", "b"]);
    }

    #[test]
    fn programs_start_in_the_root() {
        assert!(output(&["ls"]).unwrap().lines().any(|name| name == "xtask"));
    }
}
