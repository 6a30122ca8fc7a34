//! `forecheck key`: the verb `derive_key`.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use forecheck::{Cleared, Settled};
use forecheck_contract::json::Limits;
use forecheck_spec::problem::Severity;
use forecheck_verbs::checks::{NoKey, derive};
use forecheck_verbs::generated::derive_key::{self, Output};

use super::text;
use crate::answer::{Exit, Failure, deliver};
use crate::arguments::KeyArguments;
use crate::terminal;
use crate::world::{Disk, Reading, host};

pub(crate) fn run(arguments: &KeyArguments) -> Result<Exit, Failure> {
    let folder = text(&arguments.spec.spec)?;
    let called = read_input(&arguments.input)?;
    let input = derive_key::Input { spec: folder.clone(), verb: arguments.verb.clone(), text: called };
    let host = host();
    let outcome = derive_key::call(&host, &serde_json::to_vec(&input)?);
    host.read.progress.end();
    if !arguments.json {
        terminal::problems(&host.read.problems_in_words(&folder, Severity::Error));
    }
    deliver(&outcome, arguments.json, |_| false, |output: &Output| Ok(format!("{}\n", output.key)))
}

/// The input of the call, as far as it has to be read to know that it is too long. The verb is given
/// it as JSON text, which can only be UTF-8.
fn read_input(file: &Path) -> Result<String, Failure> {
    let limit = u64::from(Limits::CALL.bytes) + 1;
    let mut bytes = Vec::new();
    let read = if file == Path::new("-") {
        io::stdin().lock().take(limit).read_to_end(&mut bytes)
    } else {
        File::open(file).and_then(|file| file.take(limit).read_to_end(&mut bytes))
    };
    let failed = |reason: &dyn std::fmt::Display| {
        Failure::from(format!("the input `{}` cannot be read: {reason}", file.display()))
    };
    read.map_err(|error| failed(&error))?;
    String::from_utf8(bytes).map_err(|error| failed(&error))
}

impl derive_key::Answer for Disk {
    fn answer(_read: &Reading, call: Cleared<derive_key::Verb<Disk>>) -> Settled<derive_key::Verb<Disk>> {
        let text = &call.input().text;
        let derived = call.facts().called_verb.as_ref().map(|called| derive(called, text));
        match derived {
            Some(Ok(output)) => call.answered(&output),
            Some(Err(NoKey(_))) | None => call.failed("the verb was not looked at"),
        }
    }
}
