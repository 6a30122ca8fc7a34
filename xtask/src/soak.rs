//! `cargo xtask soak NAME [--OPTION NUMBER]...`: what shows something only over many runs.

use anyhow::Result;

use crate::process;

/// What can be run over and over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Soak {
    /// Simulated callers, with and without the published table.
    Agent,
    /// Processes that are killed while they call.
    Ledger,
}

/// An option and its value.
pub(crate) type Setting = (&'static str, u64);

impl Soak {
    pub(crate) const ALL: [Soak; 2] = [Soak::Agent, Soak::Ledger];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Soak::Agent => "agent",
            Soak::Ledger => "ledger",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Soak> {
        Soak::ALL.into_iter().find(|soak| soak.name() == name)
    }

    /// The options that it takes, each with a number.
    fn options(self) -> &'static [&'static str] {
        match self {
            Soak::Agent => &["--seed", "--tasks"],
            Soak::Ledger => &[],
        }
    }

    /// The settings that `words` begin with.
    pub(crate) fn settings(self, words: &[String]) -> Vec<Setting> {
        let setting = |pair: &[String]| {
            let [word, number] = pair else { return None };
            let option = self.options().iter().find(|option| *option == word)?;
            Some((*option, number.parse().ok()?))
        };
        words.chunks(2).map_while(setting).collect()
    }
}

pub(crate) fn run(soak: Soak, settings: &[Setting]) -> Result<()> {
    let line = soak_line(soak, settings);
    process::run(&line.iter().map(String::as_str).collect::<Vec<_>>())
}

fn soak_line(soak: Soak, settings: &[Setting]) -> Vec<String> {
    let words = match soak {
        // Built as tests are: nothing is measured, and overflows count.
        Soak::Agent => "cargo bench --quiet --profile dev --package forecheck-tests --bench soak -- agent",
        Soak::Ledger => {
            "cargo run --quiet --release --package forecheck-tests-runtime --bin soak-ledger -- long"
        }
    };
    let settings = settings.iter().flat_map(|(option, number)| [(*option).to_owned(), number.to_string()]);
    words.split(' ').map(str::to_owned).chain(settings).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_soak_has_its_name() {
        for soak in Soak::ALL {
            assert_eq!(Soak::named(soak.name()), Some(soak));
        }
        assert_eq!(Soak::named("tests"), None);
    }

    #[test]
    fn settings_come_last() {
        let line = soak_line(Soak::Agent, &[("--seed", 7), ("--tasks", 50)]);
        let expected = "cargo bench --quiet --profile dev --package forecheck-tests --bench soak -- agent \
                        --seed 7 --tasks 50";
        assert_eq!(line.join(" "), expected);
    }
}
