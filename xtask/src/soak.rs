//! `cargo xtask soak NAME [--OPTION NUMBER]...`: what shows something only over many runs.
//!
//! Each is a name that the bench target `soak` of `forecheck-tests` takes. To add one: a variant here, its
//! options, and its module in `tests/soaks/`.

use anyhow::Result;

use crate::process;

/// What can be run over and over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Soak {
    /// Simulated callers, with and without the published table.
    Agent,
}

/// An option and its value.
pub(crate) type Setting = (&'static str, u64);

impl Soak {
    pub(crate) const ALL: [Soak; 1] = [Soak::Agent];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Soak::Agent => "agent",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Soak> {
        Soak::ALL.into_iter().find(|soak| soak.name() == name)
    }

    /// The options that it takes, each with a number.
    fn options(self) -> &'static [&'static str] {
        match self {
            Soak::Agent => &["--seed", "--tasks"],
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

/// Built as tests are: nothing is measured, and overflows count.
fn soak_line(soak: Soak, settings: &[Setting]) -> Vec<String> {
    let words = "cargo bench --quiet --profile dev --package forecheck-tests --bench soak --".split(' ');
    let settings = settings.iter().flat_map(|(option, number)| [(*option).to_owned(), number.to_string()]);
    words.map(str::to_owned).chain([soak.name().to_owned()]).chain(settings).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_soak_has_its_name_and_a_module() {
        for soak in Soak::ALL {
            assert_eq!(Soak::named(soak.name()), Some(soak));
            let module = format!("tests/soaks/{}.rs", soak.name());
            assert!(process::root().join(&module).exists(), "{module}");
        }
        assert_eq!(Soak::named("tests"), None);
    }

    #[test]
    fn a_soak_is_a_run_of_the_one_target() {
        let line = soak_line(Soak::Agent, &[("--seed", 7), ("--tasks", 50)]);
        let expected = "cargo bench --quiet --profile dev --package forecheck-tests --bench soak -- agent \
                        --seed 7 --tasks 50";
        assert_eq!(line.join(" "), expected);
    }
}
