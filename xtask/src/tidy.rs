//! `cargo xtask tidy`: the house rules that no compiler knows, as a table of plain functions.
//!
//! To add a rule: a file below `tidy/` with one function and its tests, and one row in [`RULES`].

mod claims;
mod exception;
mod file_length;
mod function_length;
mod hidden_characters;
mod layers;
mod lib_length;
mod module_docs;
mod names;
mod overclaims;
mod purity;
mod source;
mod test_attributes;
mod words;

use std::fmt;

use anyhow::{Result, bail};

use source::{Origin, SourceFile};

struct Rule {
    name: &'static str,
    weight: Weight,
    /// Whether files that a generator wrote are held to it too.
    on_generated: bool,
    check: fn(&SourceFile) -> Vec<Hit>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Weight {
    /// A hit is a failure.
    Forbids,
    /// A hit is a question to whoever wrote the file.
    Asks,
}

/// Where one file breaks one rule.
#[derive(Debug, PartialEq, Eq)]
struct Hit {
    /// Counted from 1.
    line: usize,
    remedy: String,
}

struct Finding {
    path: String,
    rule: &'static str,
    weight: Weight,
    hit: Hit,
}

const RULES: &[Rule] = &[
    Rule { name: "module-docs", weight: Weight::Forbids, on_generated: false, check: module_docs::check },
    Rule { name: "names", weight: Weight::Forbids, on_generated: false, check: names::check },
    Rule { name: "file-length", weight: Weight::Forbids, on_generated: false, check: file_length::check },
    Rule { name: "file-length", weight: Weight::Asks, on_generated: false, check: file_length::question },
    Rule {
        name: "function-length",
        weight: Weight::Forbids,
        on_generated: false,
        check: function_length::check,
    },
    Rule { name: "purity", weight: Weight::Forbids, on_generated: false, check: purity::check },
    Rule { name: "lib-length", weight: Weight::Forbids, on_generated: false, check: lib_length::check },
    Rule {
        name: "test-attributes",
        weight: Weight::Forbids,
        on_generated: true,
        check: test_attributes::check,
    },
    Rule { name: "words", weight: Weight::Forbids, on_generated: true, check: words::check },
    Rule { name: "overclaims", weight: Weight::Forbids, on_generated: true, check: overclaims::check },
    Rule {
        name: "hidden-characters",
        weight: Weight::Forbids,
        on_generated: true,
        check: hidden_characters::check,
    },
];

pub(crate) fn run() -> Result<()> {
    let files = source::files()?;
    let mut findings: Vec<Finding> = files.iter().flat_map(findings_in).collect();
    findings.extend(layers::check(&layers::Metadata::read()?, &files));
    findings.extend(claims::check(&files));
    for finding in &findings {
        println!("{finding}");
    }
    let forbidden = findings.iter().filter(|finding| finding.weight == Weight::Forbids).count();
    if forbidden > 0 {
        bail!("house rules broken in {forbidden} places");
    }
    Ok(())
}

fn findings_in(file: &SourceFile) -> Vec<Finding> {
    RULES
        .iter()
        .filter(|rule| rule.on_generated || file.origin() == Origin::Written)
        .flat_map(|rule| {
            (rule.check)(file).into_iter().map(|hit| Finding {
                path: file.path().to_owned(),
                rule: rule.name,
                weight: rule.weight,
                hit,
            })
        })
        .collect()
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, rule, weight, hit } = self;
        let question = match weight {
            Weight::Forbids => "",
            Weight::Asks => " (a question)",
        };
        write!(f, "{path}:{}: {rule}{question}: {}", hit.line, hit.remedy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broken_rules(path: &str) -> Vec<&'static str> {
        let text = format!("fn f() {{}}\n// {}DO\n", "TO");
        let file = SourceFile::new(path, text).unwrap();
        findings_in(&file).iter().map(|finding| finding.rule).collect()
    }

    #[test]
    fn generated_files_are_held_to_fewer_rules() {
        assert_eq!(broken_rules("crates/x/src/misc.rs"), ["module-docs", "names", "words"]);
        assert_eq!(broken_rules("crates/x/src/generated/misc.rs"), ["words"]);
    }

    #[test]
    fn a_finding_names_place_rule_and_remedy() {
        let finding = Finding {
            path: "a/b.rs".to_owned(),
            rule: "names",
            weight: Weight::Asks,
            hit: Hit { line: 7, remedy: "name it after what it does".to_owned() },
        };
        assert_eq!(finding.to_string(), "a/b.rs:7: names (a question): name it after what it does");
    }
}
