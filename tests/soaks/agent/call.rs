//! What a caller sends, and how it writes it anew.

use serde_json::{Value, json};

use super::chance::Chance;

/// A call.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Call {
    /// Its verb.
    pub(crate) verb: &'static str,
    /// Its input.
    pub(crate) input: Value,
}

/// How a caller that does not keep its call writes it again.
#[derive(Debug, Clone, Copy)]
enum Habit {
    /// With the same arguments: `agno-agi/agno#10366`.
    Alike,
    /// In other words: `KeeperHub/keeperhub#1877`, `crewAIInc/crewAI#5802`.
    Reworded,
    /// In other words and under another name: `All-Hands-AI/openhands-resolver#121`, `getsentry/seer#1732`.
    Renamed,
}

impl Call {
    /// A field of the input.
    pub(crate) fn field(&self, pointer: &str) -> Option<&Value> {
        self.input.pointer(pointer)
    }

    /// The call with one field as it is in `other`.
    pub(crate) fn with_field_of(&self, other: &Call, pointer: &str) -> Call {
        let mut call = self.clone();
        if let (Some(field), Some(value)) = (call.input.pointer_mut(pointer), other.field(pointer)) {
            *field = value.clone();
        }
        call
    }

    /// The call as somebody writes it who begins anew, for the `attempt`th time. What has neither words nor
    /// names in it stays as it is.
    pub(crate) fn written_anew(&self, first: &Call, attempt: u64, chance: &mut Chance) -> Call {
        let habit = chance.pick(&[Habit::Alike, Habit::Reworded, Habit::Renamed]);
        let mut call = self.clone();
        let mut write = |name: &str, text: String| {
            if let Some(field) = call.input.get_mut(name) {
                *field = json!(text);
            }
        };
        match habit {
            Habit::Alike => {}
            Habit::Reworded | Habit::Renamed => {
                write("title", format!("Fix it, attempt {attempt}"));
                write("intent", format!("run the checks again, attempt {attempt}"));
            }
        }
        if let (Habit::Renamed, Some(branch)) = (habit, first.input["branch"].as_str()) {
            write("branch", format!("{branch}-try{attempt}"));
        }
        call
    }

    /// The input as JSON text.
    pub(crate) fn text(&self) -> String {
        self.input.to_string()
    }
}
