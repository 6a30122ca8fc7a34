//! The words after `cargo xtask`, read into a request.

use std::fmt;

pub(crate) const USAGE: &str = "\
the repository's own commands

usage: cargo xtask COMMAND

  codegen [--check]  write every generated file, or only say which ones are stale
  setup              install what the checks and tests need and this machine lacks
  test               setup, all checks and all tests, as continuous integration runs them
  tidy               check the house rules that no compiler knows";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Request {
    Help,
    Codegen { check: bool },
    Tidy,
    Setup,
    Test,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum UsageError {
    Missing,
    Unknown { command: String },
    Unexpected { command: String, argument: String },
}

impl Request {
    pub(crate) fn parse(words: &[String]) -> Result<Self, UsageError> {
        let (command, arguments) = words.split_first().ok_or(UsageError::Missing)?;
        let request = match (command.as_str(), arguments) {
            ("codegen", [flag, ..]) if flag == "--check" => Self::Codegen { check: true },
            ("codegen", _) => Self::Codegen { check: false },
            ("tidy", _) => Self::Tidy,
            ("setup", _) => Self::Setup,
            ("test", _) => Self::Test,
            ("help" | "--help" | "-h", _) => Self::Help,
            _ => return Err(UsageError::Unknown { command: command.clone() }),
        };
        request.refuse_unexpected(command, arguments)?;
        Ok(request)
    }

    fn refuse_unexpected(self, command: &str, arguments: &[String]) -> Result<(), UsageError> {
        let understood = usize::from(self == Self::Codegen { check: true });
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
    fn every_command_line_is_a_request_or_a_named_problem() {
        let rows = [
            ("codegen", Ok(Request::Codegen { check: false })),
            ("codegen --check", Ok(Request::Codegen { check: true })),
            ("tidy", Ok(Request::Tidy)),
            ("setup", Ok(Request::Setup)),
            ("test", Ok(Request::Test)),
            ("--help", Ok(Request::Help)),
            ("", Err("no command given")),
            ("tset", Err("unknown command `tset`")),
            ("tidy now", Err("`tidy` does not understand `now`")),
            ("codegen --chek", Err("`codegen` does not understand `--chek`")),
            ("codegen --check x", Err("`codegen` does not understand `x`")),
        ];
        for (line, expected) in rows {
            assert_eq!(parse(line), expected.map_err(str::to_owned), "{line}");
        }
    }
}
