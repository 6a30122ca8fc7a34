//! The words of the command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// Look after git repositories that are listed in a registry.
#[derive(Debug, Parser)]
#[command(name = "keeper", version)]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Make one call: 0 done or skipped, 2 could not run, 3 refused, 4 failed, 5 in flight or in doubt
    Call(OneCall),
    /// Say what a call would come to, and do nothing
    Preflight(OneCall),
    /// List the verbs
    Verbs,
    /// Answer calls, a line of JSON each: {"verb": ..., "as": ..., "input": ...}
    Serve(DeskFolder),
}

#[derive(Debug, Args)]
pub(super) struct OneCall {
    /// The verb
    pub(super) verb: String,
    /// The file with the input as JSON; - is standard input
    #[arg(long, value_name = "FILE", default_value = "-")]
    pub(super) input: PathBuf,
    /// Who calls
    #[arg(long = "as", value_name = "PERSON", default_value = "anonymous")]
    pub(super) caller: String,
    #[command(flatten)]
    pub(super) desk: DeskFolder,
}

#[derive(Debug, Args)]
pub(super) struct DeskFolder {
    /// The folder with registry, playbooks, contracts and changes
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(super) desk: PathBuf,
}
