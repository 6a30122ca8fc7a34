//! `cargo xtask mutate checks`: each check is replaced by `Ok(())` once, each compiled predicate by one that never
//! refuses, and exactly their twins are to fail.
//!
//! A copy of the repository below `target/mutate` is what is changed: there, each body of a check first asks
//! whether it is the one to be replaced. So a surface is built once for all its mutants.

mod bodies;
mod copy;
mod listed;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::process;
use bodies::Body;
use listed::{Twin, twins};

/// Names the body to be replaced, to a test program that was built from the copy.
const CHOSEN: &str = "FORECHECK_MUTANT";

/// A surface of this repository, its checks and its twins.
struct Surface {
    name: &'static str,
    manifest: &'static str,
    /// Where its checks are implemented.
    checks: &'static str,
    generated: &'static str,
    /// The words for `cargo test` that choose the program that plays the twins.
    target: [&'static str; 2],
    /// The test that plays them and prints a line for each half.
    test: &'static str,
}

const SURFACES: &[Surface] = &[
    Surface {
        name: "changes",
        manifest: "Cargo.toml",
        checks: "tests/runtime/src/",
        generated: "tests/runtime/src/generated",
        target: ["--test", "runtime"],
        test: "twins::every_constraint",
    },
    Surface {
        name: "forecheck",
        manifest: "Cargo.toml",
        checks: "crates/forecheck-verbs/src/",
        generated: "crates/forecheck-verbs/src/generated",
        target: ["--bin", "forecheck"],
        test: "twins::every_constraint",
    },
    Surface {
        name: "keeper",
        manifest: "Cargo.toml",
        checks: "examples/keeper/src/",
        generated: "examples/keeper/src/generated",
        target: ["--test", "desks"],
        test: "twins::every_constraint",
    },
];

/// Mutates every check of every surface.
pub(crate) fn checks() -> Result<()> {
    let mut texts = copy::sources()?;
    let mut found = Vec::new();
    for surface in SURFACES {
        found.push(surface.mutants(&mut texts).with_context(|| format!("surface `{}`", surface.name))?);
    }
    let root = process::root().join("target/mutate");
    copy::write(&root, &texts)?;
    let mut faults = 0;
    for (surface, mutants) in SURFACES.iter().zip(&found) {
        let program = surface.build(&root)?;
        faults += surface.run(&program, &root, mutants)?;
    }
    if faults > 0 {
        bail!("{faults} twins did not answer as they should");
    }
    Ok(())
}

/// A check that is replaced, and the twins that then are to fail.
#[derive(Debug, PartialEq, Eq)]
struct Mutant {
    /// The module of its trait, and its name.
    name: String,
    /// The verbs and codes.
    twins: Vec<(String, String)>,
}

/// The twins of a surface, and its mutants.
struct Found {
    twins: Vec<Twin>,
    mutants: Vec<Mutant>,
}

impl Surface {
    /// The mutants. Their bodies in `texts` then ask whether they are chosen.
    fn mutants(&self, texts: &mut BTreeMap<String, Vec<u8>>) -> Result<Found> {
        let twins = twins(&text(texts, &format!("{}/twins.rs", self.generated))?)?;
        let mut bodies = Vec::new();
        let written = |path: &&String| {
            path.starts_with(self.checks)
                && !path.starts_with(self.generated)
                && Path::new(path).extension().is_some_and(|is| is == "rs")
        };
        let paths: Vec<String> = texts.keys().filter(written).cloned().collect();
        for path in paths {
            let before = text(texts, &path)?;
            let found = bodies::find(&before).with_context(|| path.clone())?;
            if !found.is_empty() {
                texts.insert(path, bodies::chosen_by(CHOSEN, &before, &found).into_bytes());
            }
            bodies.extend(found);
        }
        let mut mutants: Vec<Mutant> = bodies.iter().map(|body| Mutant::new(body, &twins)).collect();
        for twin in &twins {
            if mutants.iter().any(|mutant| mutant.has(twin)) {
                continue;
            }
            let path = format!("{}/{}.rs", self.generated, twin.module);
            let name = format!("{}::{}", twin.module, twin.check);
            let Some(changed) = bodies::predicate_chosen_by(CHOSEN, &name, &text(texts, &path)?, &twin.check)
            else {
                bail!("no body of the check of {} for `{}` was found", twin.code, twin.verb);
            };
            texts.insert(path, changed.into_bytes());
            mutants.push(Mutant { name, twins: vec![(twin.verb.clone(), twin.code.clone())] });
        }
        Ok(Found { twins, mutants })
    }

    /// The test program that plays the twins. It is chosen among all of the workspace, so that what both
    /// were built from before is not built once more.
    fn build(&self, root: &Path) -> Result<PathBuf> {
        let profile = std::env::current_exe()?;
        let target =
            profile.parent().and_then(Path::parent).context("this program stands in no target folder")?;
        let mut cargo = Command::new("cargo");
        cargo.args(["test", "--quiet", "--workspace", "--no-run", "--message-format=json", "--target-dir"]);
        cargo.arg(target).args(self.target).arg("--manifest-path").arg(root.join(self.manifest));
        let messages = process::output_of(cargo.current_dir(root))?;
        let built = messages.lines().filter_map(|line| serde_json::from_str::<Built>(line).ok());
        let [_, name] = self.target;
        let program = built.filter(|built| built.target.name == name).find_map(|built| built.executable);
        program.with_context(|| format!("cargo built no test program `{name}`"))
    }

    /// Plays the twins without a mutant and with each; says how that went, and how often it did not go as it
    /// should.
    fn run(&self, program: &Path, root: &Path, found: &Found) -> Result<usize> {
        let nothing = Mutant { name: String::new(), twins: Vec::new() };
        println!("{}: {} checks of {} twins", self.name, found.mutants.len(), found.twins.len());
        let mut faults = 0;
        for mutant in std::iter::once(&nothing).chain(&found.mutants) {
            let mut test = Command::new(program);
            test.args([self.test, "--nocapture"]).env(CHOSEN, &mutant.name).current_dir(root);
            let wrong = mutant.faults(&found.twins, &process::printed_by(&mut test)?);
            println!("{}", Row { mutant, faults: &wrong });
            faults += wrong.len();
        }
        Ok(faults)
    }
}

fn text(texts: &BTreeMap<String, Vec<u8>>, path: &str) -> Result<String> {
    let bytes = texts.get(path).with_context(|| format!("`{path}` is missing"))?;
    String::from_utf8(bytes.clone()).with_context(|| format!("`{path}` is not UTF-8"))
}

/// What Cargo says of a program that it built.
#[derive(Deserialize)]
struct Built {
    target: Target,
    executable: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
}

/// How a half of a twin was played, where that is not what was to be seen.
#[derive(Debug, PartialEq, Eq)]
struct Fault {
    /// The half as its line names it: verb, code, and which half.
    half: String,
    seen: Option<bool>,
}

impl Mutant {
    /// A check that verbs share has one body for all of them.
    fn new(body: &Body, twins: &[Twin]) -> Mutant {
        let of_body = |twin: &&Twin| {
            twin.check == body.check && (body.module == "checks" || body.module == twin.module)
        };
        let pair = |twin: &Twin| (twin.verb.clone(), twin.code.clone());
        Mutant { name: body.name(), twins: twins.iter().filter(of_body).map(pair).collect() }
    }

    fn has(&self, twin: &Twin) -> bool {
        self.twins.iter().any(|(verb, code)| *verb == twin.verb && *code == twin.code)
    }

    /// The halves that were not played as they should be: those that refuse fail for the twins of this
    /// mutant, and everything else holds.
    fn faults(&self, twins: &[Twin], printed: &str) -> Vec<Fault> {
        let mut seen: BTreeMap<String, bool> = printed.lines().filter_map(played).collect();
        let mut faults = Vec::new();
        for twin in twins {
            for (half, expected) in [("refused", !self.has(twin)), ("effect", true)] {
                let half = format!("{} {} {half}", twin.verb, twin.code);
                let seen = seen.remove(&half);
                if seen != Some(expected) {
                    faults.push(Fault { half, seen });
                }
            }
        }
        faults.extend(seen.into_iter().map(|(half, seen)| Fault { half, seen: Some(seen) }));
        faults
    }
}

/// A line of a test program that says how a half of a twin was played, and whether it held. The first may
/// stand behind the name of the test.
fn played(line: &str) -> Option<(String, bool)> {
    let line =
        line.strip_prefix("test ").and_then(|rest| rest.split_once(" ... ")).map_or(line, |(_, rest)| rest);
    let [verb, code, half, end, ..] = line.strip_prefix("twin ")?.split(' ').collect::<Vec<_>>()[..] else {
        return None;
    };
    Some((format!("{verb} {code} {half}"), end == "ok"))
}

/// A line of the report, with one more for each fault.
struct Row<'a> {
    mutant: &'a Mutant,
    faults: &'a [Fault],
}

impl fmt::Display for Row<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = if self.mutant.name.is_empty() { "as it is" } else { &self.mutant.name };
        match (self.mutant.twins.len(), self.faults) {
            (0, []) => write!(f, "  {name:<45} every twin holds")?,
            (count, []) => write!(f, "  {name:<45} seen by {count} of {count}")?,
            (count, _) => write!(f, "  {name:<45} FAILED, of {count}")?,
        }
        for Fault { half, seen } in self.faults {
            let seen = match seen {
                Some(true) => "holds",
                Some(false) => "does not hold",
                None => "was not played",
            };
            write!(f, "\n    {half} {seen}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LISTED: &str = r#"
        pub fn all<S: Break>() -> Vec<Twin<S>> {
            Vec::from([
                Twin {
                    verb: "act",
                    code: "BUSY",
                    break_it: |sandbox: &mut S| sandbox.break_busy("act"),
                    call: super::act::call,
                    acts: true,
                },
                Twin {
                    verb: "lib",
                    code: "BUSY",
                    break_it: |sandbox: &mut S| sandbox.break_busy("lib"),
                    call: super::lib_::call,
                    acts: false,
                },
            ])
        }"#;

    fn mutant(text: &str) -> Mutant {
        Mutant::new(&bodies::find(text).unwrap()[0], &twins(LISTED).unwrap())
    }

    #[test]
    fn a_body_stands_for_the_twins_that_it_judges() {
        let check = |text: &str, verbs: &[&str]| {
            let twins = verbs.iter().map(|verb| ((*verb).to_owned(), "BUSY".to_owned())).collect::<Vec<_>>();
            assert_eq!(mutant(text).twins, twins, "{text}");
        };
        check("impl checks::Checks for W { fn busy() {} }", &["act", "lib"]);
        check("impl lib_::Checks for W { fn busy() {} }", &["lib"]);
        check("impl act::Checks for W { fn idle() {} }", &[]);
    }

    #[test]
    fn exactly_the_twins_of_a_mutant_are_to_fail() {
        let fault = |half: &str, seen| Fault { half: half.to_owned(), seen };
        let as_it_should_be = "test twins::a ... twin act BUSY refused FAILED not refused with BUSY: succeeded\n\
                               twin act BUSY effect ok\ntwin lib BUSY refused ok\ntwin lib BUSY effect ok\n";
        let check = |printed: &str, expected: &[Fault]| {
            let mutant = mutant("impl act::Checks for W { fn busy() {} }");
            assert_eq!(mutant.faults(&twins(LISTED).unwrap(), printed), expected, "{printed}");
        };
        check(as_it_should_be, &[]);
        let survived = as_it_should_be.replace("refused FAILED", "refused ok");
        check(&survived, &[fault("act BUSY refused", Some(true))]);
        let broke = as_it_should_be.replace("lib BUSY refused ok", "lib BUSY refused FAILED");
        check(&broke, &[fault("lib BUSY refused", Some(false))]);
        let acts = as_it_should_be.replace("act BUSY effect ok", "act BUSY effect FAILED");
        check(&acts, &[fault("act BUSY effect", Some(false))]);
        let died = as_it_should_be.replace("twin lib BUSY effect ok\n", "");
        check(&died, &[fault("lib BUSY effect", None)]);
        check(
            &(as_it_should_be.to_owned() + "twin lib IDLE effect ok"),
            &[fault("lib IDLE effect", Some(true))],
        );
    }

    #[test]
    fn every_surface_lists_its_twins() {
        for surface in SURFACES {
            let twins =
                std::fs::read_to_string(process::root().join(surface.generated).join("twins.rs")).unwrap();
            assert!(!listed::twins(&twins).unwrap().is_empty(), "{}", surface.name);
        }
    }
}
