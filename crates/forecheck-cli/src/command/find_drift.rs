//! `forecheck gen --check`: the verb `find_drift`.

use forecheck::{Cleared, Settled};
use forecheck_codegen::folder::{Drift, DriftState};
use forecheck_verbs::generated::find_drift::{
    self, Input, Output, OutputDriftItem as Item, OutputDriftItemState as State,
};

use super::{shown, word};
use crate::terminal::lines_visible;
use crate::world::{Disk, Reading};

impl find_drift::Answer for Disk {
    fn answer(read: &Reading, call: Cleared<find_drift::Verb<Disk>>) -> Settled<find_drift::Verb<Disk>> {
        let compared = read.with_prepared(|prepared| {
            let outputs = prepared.outputs.as_ref().map_err(ToString::to_string)?;
            let command = mending_command(call.input(), !outputs.foreign().is_empty());
            Ok(Output { drift: outputs.drift().into_iter().map(published).collect(), command })
        });
        match compared.unwrap_or_else(|| Err("the output folders were not looked at".to_owned())) {
            Ok(output) => call.answered(&output),
            Err(reason) => call.failed(reason),
        }
    }
}

fn published(drift: Drift) -> Item {
    let path = shown(&drift.path);
    match drift.state {
        DriftState::Missing => Item { path, state: State::Missing, diff: None },
        DriftState::Stale { diff } => Item { path, state: State::Stale, diff: Some(diff) },
        DriftState::Orphan => Item { path, state: State::Orphan, diff: None },
    }
}

/// Every difference for people, then how many there are and what mends them.
pub(super) fn in_words(output: &Output) -> String {
    let command = &output.command;
    let summary = match output.drift.len() {
        0 => "everything is up to date\n".to_owned(),
        1 => format!("1 file differs; run `{command}`\n"),
        count => format!("{count} files differ; run `{command}`\n"),
    };
    output.drift.iter().map(item_in_words).collect::<String>() + &summary
}

fn item_in_words(item: &Item) -> String {
    let state = match item.state {
        State::Missing => "missing",
        State::Stale => "stale",
        State::Orphan => "orphan",
    };
    let diff = item.diff.as_ref().map_or_else(String::new, |diff| format!("{}\n", lines_visible(diff)));
    format!("{state}: {}\n{diff}", lines_visible(&item.path))
}

/// The call that makes the folders what they should be.
fn mending_command(input: &Input, has_foreign: bool) -> String {
    let rust = input.rust.as_ref().map_or_else(String::new, |rust| format!(" --rust {}", word(rust)));
    let prune = if has_foreign { " --prune" } else { "" };
    format!("forecheck gen --spec {} --out {}{rust}{prune}", word(&input.spec), word(&input.out))
}
