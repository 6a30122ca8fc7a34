//! Problems of a surface, as the verbs publish them and as people read them.

use forecheck_spec::check::Checked;
use forecheck_spec::problem::{Location, Severity};
use forecheck_spec::render;
use forecheck_spec::tree::Trees;
use forecheck_verbs::generated::shared::{Problem, ProblemSeverity, Related};

/// The problems as data.
pub(crate) fn published(checked: &Checked<'_>, trees: &Trees<'_>) -> Vec<Problem> {
    checked
        .problems
        .iter()
        .map(|problem| {
            let (file, line, column) = place(trees, problem.at);
            Problem {
                severity: match problem.lint.severity() {
                    Severity::Error => ProblemSeverity::Error,
                    Severity::Warning => ProblemSeverity::Warning,
                    Severity::Note => ProblemSeverity::Note,
                },
                lint: problem.lint.name().to_owned(),
                file,
                line,
                column,
                message: problem.message.clone(),
                help: problem.help.clone(),
                related: problem
                    .related
                    .iter()
                    .map(|(at, message)| {
                        let (file, line, column) = place(trees, *at);
                        Related { file, line, column, message: message.clone() }
                    })
                    .collect(),
            }
        })
        .collect()
}

/// The problems for people, an empty line after each.
pub(crate) fn in_words(checked: &Checked<'_>, trees: &Trees<'_>, folder: &str, least: Severity) -> String {
    let shown = checked.problems.iter().filter(|problem| problem.lint.severity() >= least);
    shown.map(|problem| render::human(problem, trees, folder, true) + "\n").collect()
}

fn place(trees: &Trees<'_>, at: Location) -> (String, u64, u64) {
    match render::place(trees, at) {
        Some(place) => (place.file.to_owned(), place.position.line as u64, place.position.column as u64),
        None => (String::new(), 1, 1),
    }
}
