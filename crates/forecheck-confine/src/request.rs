//! What a harness asks for.

use std::time::Duration;

use forecheck_boundary::{AbsolutePath, ByteText, Grant, Mode, Network, Preference};

use crate::identity::Identity;
use crate::refusal::{Refusal, RefusalCode};

/// The kernel takes no longer argument or variable.
const MAX_ARGUMENT: usize = 131_071;

/// A command, and what it may do.
#[derive(Debug, Clone)]
pub struct Request {
    /// The program and its arguments. No shell is started but the one that this names.
    pub command: Vec<ByteText>,
    /// Where it runs: in a writable root.
    pub workdir: AbsolutePath,
    /// Its whole environment, but for what a launch sets itself.
    pub environment: Vec<(ByteText, ByteText)>,
    /// What the user lets the session do.
    pub mode: Mode,
    /// What the user wants of the sandbox.
    pub preference: Preference,
    /// How much of the sandbox is asked away for this command.
    pub escalation: Escalation,
    /// Trees that it may write.
    pub writable: Writable,
    /// What else it may read and write.
    pub grants: Vec<AskedGrant>,
    /// What it has of the network.
    pub network: Network,
    /// When it is ended, counted from its start; never by itself without.
    pub timeout: Option<Duration>,
}

/// Whether a command is to run without the sandbox that would hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Escalation {
    /// It is not.
    None,
    /// It is, as was approved.
    Full,
}

/// Which trees a command may write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Writable {
    /// These, at least one.
    Roots(Vec<AbsolutePath>),
    /// None, on purpose.
    Nothing,
}

/// A grant, with the file that it was approved for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedGrant {
    /// To what; links in its path are followed once, when it is prepared.
    pub grant: Grant,
    /// What the path named when it was approved; another file is refused.
    pub approved: Option<Identity>,
}

impl Request {
    /// What can be refused without looking at the system.
    pub(crate) fn check(&self) -> Result<(), Refusal> {
        let invalid = |message: &str| Err(Refusal::new(RefusalCode::BoundaryInvalid, message));
        if self.command.is_empty() {
            return invalid("the command is empty");
        }
        if self.escalation == Escalation::Full && !self.grants.is_empty() {
            return invalid("escalation leaves nothing for grants to add");
        }
        if matches!(&self.writable, Writable::Roots(roots) if roots.is_empty()) {
            return invalid("no root is writable");
        }
        if self
            .environment
            .iter()
            .any(|(name, _)| name.as_bytes().is_empty() || name.as_bytes().contains(&b'='))
        {
            return invalid("a variable has no name, or one with `=`");
        }
        self.texts().try_for_each(check_text)
    }

    fn texts(&self) -> impl Iterator<Item = &ByteText> {
        self.command.iter().chain(self.environment.iter().flat_map(|(name, value)| [name, value]))
    }
}

fn check_text(text: &ByteText) -> Result<(), Refusal> {
    let bytes = text.as_bytes();
    if bytes.contains(&0) {
        return Err(Refusal::new(RefusalCode::NulInArgument, "an argument or variable holds a NUL byte"));
    }
    if bytes.len() > MAX_ARGUMENT {
        let message =
            format!("an argument or variable has {} bytes, {MAX_ARGUMENT} are the most", bytes.len());
        return Err(Refusal::new(RefusalCode::ArgumentTooLong, message));
    }
    Ok(())
}
