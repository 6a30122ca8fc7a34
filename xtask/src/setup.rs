//! `cargo xtask setup`: a table of the programs that checks and tests start, and how to get each of them.

use anyhow::{Result, bail};

use crate::process;

struct Tool {
    name: &'static str,
    /// Ends well when the tool is there.
    probe: &'static [&'static str],
    source: Source,
}

#[derive(Clone, Copy)]
enum Source {
    /// A package of the system.
    Apt(&'static str),
    /// A crate with a program of the same name.
    Cargo(&'static str),
    /// A command line that puts it into this repository, where Git ignores it.
    Own(&'static [&'static str]),
    /// Not ours to install: the toolchain belongs to the user.
    Advice(&'static str),
}

const ORACLES_PYTHON: &str = "target/oracles/python/bin/python";

/// In the order in which they are installed: some need what stands above them.
const TOOLS: &[Tool] = &[
    Tool {
        name: "rustfmt",
        probe: &["cargo", "fmt", "--version"],
        source: Source::Advice("rustup component add rustfmt"),
    },
    Tool {
        name: "clippy",
        probe: &["cargo", "clippy", "--version"],
        source: Source::Advice("rustup component add clippy"),
    },
    Tool { name: "git", probe: &["git", "--version"], source: Source::Apt("git") },
    Tool { name: "python3", probe: &["python3", "--version"], source: Source::Apt("python3") },
    Tool { name: "setpriv", probe: &["setpriv", "--version"], source: Source::Apt("util-linux") },
    Tool {
        name: "cargo-deny",
        probe: &["cargo", "deny", "--version"],
        source: Source::Cargo("cargo-deny@0.20.2"),
    },
    Tool { name: "node", probe: &["node", "--version"], source: Source::Apt("nodejs") },
    Tool { name: "npm", probe: &["npm", "--version"], source: Source::Apt("npm") },
    Tool {
        name: "the npm packages of tests/oracles",
        probe: &["npm", "ls", "--prefix", "tests/oracles"],
        source: Source::Own(&["npm", "ci", "--prefix", "tests/oracles", "--ignore-scripts"]),
    },
    Tool {
        name: "python3-venv",
        probe: &["python3", "-c", "import ensurepip, venv"],
        source: Source::Apt("python3-venv"),
    },
    Tool {
        name: "a Python for tests/oracles",
        probe: &[ORACLES_PYTHON, "-m", "pip", "--version"],
        source: Source::Own(&["python3", "-m", "venv", "target/oracles/python"]),
    },
    Tool {
        name: "the Python packages of tests/oracles",
        probe: &[
            ORACLES_PYTHON,
            "-c",
            "import importlib.metadata as installed; \
             rows = [row.split('==') for row in open('tests/oracles/requirements.txt')]; \
             assert all(installed.version(name) == version.strip() for name, version in rows)",
        ],
        source: Source::Own(&[
            ORACLES_PYTHON,
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "--requirement",
            "tests/oracles/requirements.txt",
        ]),
    },
];

/// One command line to run, and what to say before it.
#[derive(Debug, PartialEq, Eq)]
struct Step {
    announcement: String,
    line: Vec<&'static str>,
}

pub(crate) fn run() -> Result<()> {
    let missing = missing(TOOLS.iter())?;
    for step in plan(&missing, is_root)? {
        println!("{}", step.announcement);
        process::run(&step.line)?;
    }
    let still_missing = self::missing(missing.into_iter())?;
    if !still_missing.is_empty() {
        bail!("installed, and still not usable: {}", names(&still_missing));
    }
    Ok(())
}

/// Probes the tools, names those that are there, and returns the others.
fn missing(tools: impl Iterator<Item = &'static Tool>) -> Result<Vec<&'static Tool>> {
    let mut missing = Vec::new();
    for tool in tools {
        if process::succeeds(tool.probe)? {
            println!("ok {}", tool.name);
        } else {
            missing.push(tool);
        }
    }
    Ok(missing)
}

/// What to run for the missing tools; everything that we may not install is refused before anything is installed.
fn plan(missing: &[&Tool], is_root: impl FnOnce() -> Result<bool>) -> Result<Vec<Step>> {
    refuse_what_is_not_ours(missing)?;
    let from_apt = missing.iter().any(|tool| matches!(tool.source, Source::Apt(_)));
    if from_apt && !is_root()? {
        bail!("only root can install {}; install by hand or run as root", names(missing));
    }
    let update = from_apt.then(|| Step {
        announcement: "updating the list of packages".to_owned(),
        line: vec!["apt-get", "update", "-q"],
    });
    Ok(update.into_iter().chain(missing.iter().filter_map(|tool| install(tool))).collect())
}

fn refuse_what_is_not_ours(missing: &[&Tool]) -> Result<()> {
    let advice: Vec<String> = missing
        .iter()
        .filter_map(|tool| match tool.source {
            Source::Advice(command) => Some(format!("{} is missing: `{command}`", tool.name)),
            Source::Apt(_) | Source::Cargo(_) | Source::Own(_) => None,
        })
        .collect();
    if !advice.is_empty() {
        bail!("{}", advice.join("; "));
    }
    Ok(())
}

fn install(tool: &Tool) -> Option<Step> {
    let line = match tool.source {
        Source::Apt(package) => vec![
            "env",
            "DEBIAN_FRONTEND=noninteractive",
            "apt-get",
            "install",
            "-q",
            "-y",
            "--no-install-recommends",
            package,
        ],
        // Unoptimised: it builds in two thirds of the time, and a check takes a second either way.
        Source::Cargo(package) => vec!["cargo", "install", "--locked", "--debug", package],
        Source::Own(line) => line.to_vec(),
        Source::Advice(_) => return None,
    };
    Some(Step { announcement: format!("installing {}", tool.name), line })
}

fn names(tools: &[&Tool]) -> String {
    tools.iter().map(|tool| tool.name).collect::<Vec<_>>().join(", ")
}

fn is_root() -> Result<bool> {
    Ok(process::output(&["id", "-u"])?.trim() == "0")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tools(names: &[&str]) -> Vec<&'static Tool> {
        TOOLS.iter().filter(|tool| names.contains(&tool.name)).collect()
    }

    /// The announcements of the plan, or its refusal.
    fn planned(names: &[&str], root: bool) -> Result<Vec<String>, String> {
        plan(&tools(names), || Ok(root))
            .map(|steps| steps.into_iter().map(|step| step.announcement).collect())
            .map_err(|refusal| refusal.to_string())
    }

    #[test]
    fn the_plan_holds_what_is_missing_and_nothing_else() {
        let update = "updating the list of packages";
        let rows: [(&[&str], &[&str]); 3] = [
            (&[], &[]),
            (&["cargo-deny"], &["installing cargo-deny"]),
            (&["python3", "setpriv"], &[update, "installing python3", "installing setpriv"]),
        ];
        for (missing, expected) in rows {
            assert_eq!(planned(missing, true).unwrap(), expected, "{missing:?}");
        }
    }

    #[test]
    fn only_packages_of_the_system_need_root() {
        assert_eq!(planned(&["cargo-deny"], false).unwrap(), ["installing cargo-deny"]);
        assert_eq!(
            planned(&["python3"], false).unwrap_err(),
            "only root can install python3; install by hand or run as root"
        );
    }

    #[test]
    fn the_toolchain_is_never_installed() {
        assert_eq!(
            planned(&["clippy", "python3"], true).unwrap_err(),
            "clippy is missing: `rustup component add clippy`"
        );
    }

    #[test]
    fn packages_are_arguments_of_the_installer() {
        let steps = plan(&tools(&["setpriv", "cargo-deny"]), || Ok(true)).unwrap();
        let last_words: Vec<_> = steps.iter().filter_map(|step| step.line.last()).collect();
        assert_eq!(last_words, [&"-q", &"util-linux", &"cargo-deny@0.20.2"]);
    }
}
