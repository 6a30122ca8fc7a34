//! Modes, preferences, and the sandbox that follows from the two.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the user lets a session do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// Look and plan. Mutations are denied before any launch.
    Plan,
    /// Ask before what is not yet admitted.
    Ask,
    /// Edit within the boundary without asking.
    Edits,
    /// Everything.
    FullAccess,
}

/// What the user wants of the sandbox in mode `ask`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Preference {
    /// A sandbox where there can be one; where not, none, and that is said.
    #[default]
    BestEffort,
    /// A sandbox, or nothing is started.
    Required,
    /// No sandbox.
    Off,
}

/// The sandbox that holds for a launch. It follows from mode and preference and is never stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Effective {
    /// As [`Preference::BestEffort`].
    BestEffort,
    /// As [`Preference::Required`].
    Required,
    /// None, and no probe for one.
    Off,
}

/// The sandbox of a session in this mode, with this preference.
pub fn effective_sandbox(mode: Mode, preference: Preference) -> Effective {
    match (mode, preference) {
        (Mode::Edits, _) | (Mode::Ask | Mode::Plan, Preference::Required) => Effective::Required,
        (Mode::FullAccess, _) | (Mode::Ask | Mode::Plan, Preference::Off) => Effective::Off,
        (Mode::Ask | Mode::Plan, Preference::BestEffort) => Effective::BestEffort,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_effective_sandbox_follows_from_mode_and_preference() {
        let preferences = [Preference::BestEffort, Preference::Required, Preference::Off];
        let rows = [
            (Mode::Plan, [Effective::BestEffort, Effective::Required, Effective::Off]),
            (Mode::Ask, [Effective::BestEffort, Effective::Required, Effective::Off]),
            (Mode::Edits, [Effective::Required; 3]),
            (Mode::FullAccess, [Effective::Off; 3]),
        ];
        for (mode, expected) in rows {
            let derived = preferences.map(|preference| effective_sandbox(mode, preference));
            assert_eq!(derived, expected, "{mode:?}");
        }
    }
}
