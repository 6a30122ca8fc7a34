//! The words after `cargo xtask`, read into a request.

use std::fmt;

use crate::bench::Bench;
use crate::fuzz::Fuzz;
use crate::soak::{Setting, Soak};

pub(crate) const USAGE: &str = "\
the repository's own commands

usage: cargo xtask COMMAND

  bench NAME [LARGEST]
                     measure, beside other programs, which it installs below target/bench-peers; NAME is
                     numbers (LARGEST: the last checkpoint), key, gen, traps, call or ledger
  codegen [--check]  write every generated file, or only say which ones are stale
  fuzz NAME [SECONDS]
                     what takes longer than a test; NAME is reader, loader or generator (random bytes, for
                     60 seconds or SECONDS), differential (60,000 documents beside other canonicalisers) or
                     features (four sets of features of serde_json)
  mutate checks      replace each check by `Ok(())` once, in a copy, and see exactly its twins fail
  setup              install what the checks and tests need and this machine lacks
  soak NAME [--OPTION NUMBER]...
                     what shows something only over many runs; NAME is agent (simulated callers with and without
                     the published table; --seed, --tasks) or ledger (processes that are killed while they call)
  test               setup, all checks and all tests, as continuous integration runs them
  tidy               check the house rules that no compiler knows";

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Request {
    Help,
    Bench { bench: Bench, largest: Option<u64> },
    Codegen { check: bool },
    Fuzz { fuzz: Fuzz, seconds: Option<u32> },
    Mutate,
    Tidy,
    Setup,
    Soak { soak: Soak, settings: Vec<Setting> },
    Test,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum UsageError {
    Missing,
    Unknown { command: String },
    NoBench,
    UnknownBench { name: String },
    NoFuzz,
    NotMutated { name: Option<String> },
    UnknownFuzz { name: String },
    NoSoak,
    UnknownSoak { name: String },
    Unexpected { command: String, argument: String },
}

impl Request {
    pub(crate) fn parse(words: &[String]) -> Result<Self, UsageError> {
        let (command, arguments) = words.split_first().ok_or(UsageError::Missing)?;
        let request = match (command.as_str(), arguments) {
            ("bench", _) => Self::parse_bench(arguments)?,
            ("codegen", [flag, ..]) if flag == "--check" => Self::Codegen { check: true },
            ("codegen", _) => Self::Codegen { check: false },
            ("fuzz", _) => Self::parse_fuzz(arguments)?,
            ("mutate", [what, ..]) if what == "checks" => Self::Mutate,
            ("mutate", _) => return Err(UsageError::NotMutated { name: arguments.first().cloned() }),
            ("tidy", _) => Self::Tidy,
            ("setup", _) => Self::Setup,
            ("soak", _) => Self::parse_soak(arguments)?,
            ("test", _) => Self::Test,
            ("help" | "--help" | "-h", _) => Self::Help,
            _ => return Err(UsageError::Unknown { command: command.clone() }),
        };
        request.refuse_unexpected(command, arguments)?;
        Ok(request)
    }

    fn parse_bench(arguments: &[String]) -> Result<Self, UsageError> {
        let (name, rest) = arguments.split_first().ok_or(UsageError::NoBench)?;
        let bench = Bench::named(name).ok_or_else(|| UsageError::UnknownBench { name: name.clone() })?;
        let largest = match (bench, rest) {
            (Bench::Numbers, [largest, ..]) => largest.parse().ok(),
            _ => None,
        };
        Ok(Self::Bench { bench, largest })
    }

    fn parse_fuzz(arguments: &[String]) -> Result<Self, UsageError> {
        let (name, rest) = arguments.split_first().ok_or(UsageError::NoFuzz)?;
        let fuzz = Fuzz::named(name).ok_or_else(|| UsageError::UnknownFuzz { name: name.clone() })?;
        let seconds = rest.first().filter(|_| fuzz.is_timed()).and_then(|seconds| seconds.parse().ok());
        Ok(Self::Fuzz { fuzz, seconds })
    }

    fn parse_soak(arguments: &[String]) -> Result<Self, UsageError> {
        let (name, rest) = arguments.split_first().ok_or(UsageError::NoSoak)?;
        let soak = Soak::named(name).ok_or_else(|| UsageError::UnknownSoak { name: name.clone() })?;
        Ok(Self::Soak { soak, settings: soak.settings(rest) })
    }

    /// How many of the words after the command have a meaning.
    fn understood(&self) -> usize {
        match self {
            Self::Codegen { check } => usize::from(*check),
            Self::Bench { largest, .. } => 1 + usize::from(largest.is_some()),
            Self::Fuzz { seconds, .. } => 1 + usize::from(seconds.is_some()),
            Self::Mutate => 1,
            Self::Soak { settings, .. } => 1 + 2 * settings.len(),
            Self::Help | Self::Tidy | Self::Setup | Self::Test => 0,
        }
    }

    fn refuse_unexpected(&self, command: &str, arguments: &[String]) -> Result<(), UsageError> {
        let understood = self.understood();
        arguments.get(understood).map_or(Ok(()), |argument| {
            Err(UsageError::Unexpected { command: command.to_owned(), argument: argument.clone() })
        })
    }
}

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => write!(f, "no command given"),
            Self::Unknown { command } => write!(f, "unknown command `{command}`"),
            Self::NoBench => write!(f, "no benchmark named"),
            Self::UnknownBench { name } => write!(f, "unknown benchmark `{name}`"),
            Self::NoFuzz => write!(f, "nothing to fuzz named"),
            Self::UnknownFuzz { name } => write!(f, "nothing to fuzz is called `{name}`"),
            Self::NoSoak => write!(f, "no soak named"),
            Self::UnknownSoak { name } => write!(f, "unknown soak `{name}`"),
            Self::NotMutated { name: None } => write!(f, "nothing to mutate named"),
            Self::NotMutated { name: Some(name) } => write!(f, "nothing to mutate is called `{name}`"),
            Self::Unexpected { command, argument } => {
                write!(f, "`{command}` does not understand `{argument}`")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Request, String> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        Request::parse(&words).map_err(|problem| problem.to_string())
    }

    #[test]
    fn the_usage_names_every_benchmark() {
        for bench in Bench::ALL {
            assert!(USAGE.contains(bench.name()), "{}", bench.name());
        }
    }

    #[test]
    fn the_usage_names_everything_to_fuzz() {
        for fuzz in Fuzz::ALL {
            assert!(USAGE.contains(fuzz.name()), "{}", fuzz.name());
        }
    }

    #[test]
    fn the_usage_names_every_soak() {
        for soak in Soak::ALL {
            assert!(USAGE.contains(soak.name()), "{}", soak.name());
        }
    }

    #[test]
    fn every_command_line_is_a_request_or_a_named_problem() {
        let rows = [
            ("codegen", Ok(Request::Codegen { check: false })),
            ("codegen --check", Ok(Request::Codegen { check: true })),
            ("bench key", Ok(Request::Bench { bench: Bench::Key, largest: None })),
            ("bench numbers 1000", Ok(Request::Bench { bench: Bench::Numbers, largest: Some(1000) })),
            ("fuzz reader", Ok(Request::Fuzz { fuzz: Fuzz::Reader, seconds: None })),
            ("fuzz loader 5", Ok(Request::Fuzz { fuzz: Fuzz::Loader, seconds: Some(5) })),
            ("tidy", Ok(Request::Tidy)),
            ("setup", Ok(Request::Setup)),
            ("test", Ok(Request::Test)),
            ("--help", Ok(Request::Help)),
            ("", Err("no command given")),
            ("tset", Err("unknown command `tset`")),
            ("tidy now", Err("`tidy` does not understand `now`")),
            ("codegen --chek", Err("`codegen` does not understand `--chek`")),
            ("bench", Err("no benchmark named")),
            ("bench keys", Err("unknown benchmark `keys`")),
            ("bench key 1000", Err("`bench` does not understand `1000`")),
            ("fuzz", Err("nothing to fuzz named")),
            ("fuzz raeder", Err("nothing to fuzz is called `raeder`")),
            ("fuzz reader long", Err("`fuzz` does not understand `long`")),
            ("mutate checks", Ok(Request::Mutate)),
            ("mutate", Err("nothing to mutate named")),
            ("mutate facts", Err("nothing to mutate is called `facts`")),
            ("mutate checks all", Err("`mutate` does not understand `all`")),
            ("fuzz features 5", Err("`fuzz` does not understand `5`")),
            ("bench numbers all", Err("`bench` does not understand `all`")),
            ("soak agent", Ok(Request::Soak { soak: Soak::Agent, settings: Vec::new() })),
            (
                "soak agent --tasks 50 --seed 7",
                Ok(Request::Soak { soak: Soak::Agent, settings: vec![("--tasks", 50), ("--seed", 7)] }),
            ),
            ("soak", Err("no soak named")),
            ("soak agents", Err("unknown soak `agents`")),
            ("soak agent --kills 7", Err("`soak` does not understand `--kills`")),
            ("soak agent --seed", Err("`soak` does not understand `--seed`")),
            ("soak agent --seed 7 x", Err("`soak` does not understand `x`")),
            ("codegen --check x", Err("`codegen` does not understand `x`")),
        ];
        for (line, expected) in rows {
            assert_eq!(parse(line), expected.map_err(str::to_owned), "{line}");
        }
    }
}
