//! What can be typed.

mod ledger;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use forecheck_verbs::generated::{check, collapse, derive_key, explain, find_drift, generate, init};

pub(crate) use ledger::{
    LedgerArguments, LedgerCommand, LedgerGcArguments, LedgerListArguments, LedgerResolveArguments,
    LedgerShowArguments,
};

/// Preconditions of agent-facing verbs: declared once, and everything else follows.
///
/// A surface is a folder of verb schemas. `check` reports what is wrong with it, `gen` writes
/// everything that follows from it, `explain` says what a refusal code means and whether resending
/// helps.
#[derive(Debug, Parser)]
#[command(name = "forecheck", version, after_help = EXITS)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXITS: &str = "\
Exit codes: 0 done, 1 problems or drift were found, 2 could not run, 3 refused, 4 failed, 5 it is not known what was written.
With --json the answer is one JSON object on stdout, also when the call is refused.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Write a surface of one verb and the program that answers it, to start from
    Init(InitArguments),
    /// Report every problem of a surface at once, with file, line and column
    Check(CheckArguments),
    /// Write errors.json, keys.json, schemas, Markdown and Rust, or say what would change
    Gen(GenArguments),
    /// Say what a code means, whom it can arrive from and whether resending helps
    Explain(ExplainArguments),
    /// Derive the idempotency key of a call
    Key(KeyArguments),
    /// Print the collapsed table of a surface, every code once
    Table(TableArguments),
    Ledger(LedgerArguments),
}

impl Command {
    /// The verb that is called.
    pub(crate) fn verb(&self) -> &'static str {
        match self {
            Command::Init(_) => init::VERB,
            Command::Check(_) => check::VERB,
            Command::Gen(arguments) if arguments.check => find_drift::VERB,
            Command::Gen(_) => generate::VERB,
            Command::Explain(_) => explain::VERB,
            Command::Key(_) => derive_key::VERB,
            Command::Table(_) => collapse::VERB,
            Command::Ledger(arguments) => arguments.command.verb(),
        }
    }
}

#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  forecheck init keeper --forecheck ../forecheck/crates/forecheck")]
pub(crate) struct InitArguments {
    /// The folder to fill: a new one, or one that holds nothing but a `.git`
    #[arg(value_name = "DIR", default_value = ".")]
    pub(crate) folder: PathBuf,
    /// The name of the surface and of the package [default: the name of the folder]
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// The folder of the crate `forecheck` in a checkout [default: ask for the version of this program]
    #[arg(long, value_name = "PATH")]
    pub(crate) forecheck: Option<PathBuf>,
    /// Print the answer as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SpecArgument {
    /// The folder of the surface: verbs/*.schema.json and what belongs to them, or verb files alone
    #[arg(long, value_name = "DIR", default_value = "spec")]
    pub(crate) spec: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    pub(crate) spec: SpecArgument,
    /// Let warnings end with exit code 1, too
    #[arg(long)]
    pub(crate) deny_warnings: bool,
    /// Print the answer as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  forecheck gen --spec spec --out generated --rust src/generated
  forecheck gen --check        in CI: exit 1 and a diff where committed files are out of date")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own on the command line")]
pub(crate) struct GenArguments {
    #[command(flatten)]
    pub(crate) spec: SpecArgument,
    /// The folder for JSON and Markdown; nothing else may live in it
    #[arg(long, value_name = "DIR", default_value = "generated")]
    pub(crate) out: PathBuf,
    /// The folder for Rust [default: `rust` below the output folder]
    #[arg(long, value_name = "DIR")]
    pub(crate) rust: Option<PathBuf>,
    /// Write nothing; report what differs from what would be written
    #[arg(long)]
    pub(crate) check: bool,
    /// Remove files of the output folders that no run wrote
    #[arg(long, conflicts_with = "check")]
    pub(crate) prune: bool,
    /// Let warnings stop generation
    #[arg(long)]
    pub(crate) deny_warnings: bool,
    /// Print the answer as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ExplainArguments {
    /// The code, as a refusal carries it
    pub(crate) code: String,
    /// The errors.json of the surface that emitted it [default: the codes of this program]
    #[arg(long, value_name = "FILE")]
    pub(crate) errors: Option<PathBuf>,
    /// Print the answer as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  echo '{\"target_repo\": \"octo/hello\", \"title\": \"Fix\"}' | forecheck key open_pr --spec spec")]
pub(crate) struct KeyArguments {
    /// The verb of the call
    pub(crate) verb: String,
    #[command(flatten)]
    pub(crate) spec: SpecArgument,
    /// The file with the input of the call as JSON; `-` is stdin
    #[arg(long, value_name = "FILE", default_value = "-")]
    pub(crate) input: PathBuf,
    /// Print the answer as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct TableArguments {
    #[command(flatten)]
    pub(crate) spec: SpecArgument,
    /// Print the answer as JSON
    #[arg(long)]
    pub(crate) json: bool,
}
