//! Problems as people read them: the source line with the place underlined.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use forecheck_contract::json::{Position, position_of};

use crate::problem::{Location, Problem, Severity};
use crate::text::visible;
use crate::tree::Trees;

/// How wide a rendered line may be; longer source lines are cut around the place.
const WIDTH: usize = 140;

/// Where a problem is, as editors say it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place<'s> {
    /// The path below the surface's folder.
    pub file: &'s str,
    /// Line and column.
    pub position: Position,
}

/// The place of `at`; `None` where it is the folder itself.
pub fn place<'s>(trees: &Trees<'s>, at: Location) -> Option<Place<'s>> {
    let file = trees.file(at.file?)?;
    Some(Place { file: file.path, position: position_of(file.bytes, at.span.start as usize) })
}

/// `problem` as a block of text that ends with a line feed. `folder` stands in front of paths.
pub fn human(problem: &Problem, trees: &Trees<'_>, folder: &str, coloured: bool) -> String {
    let renderer = if coloured { Renderer::styled() } else { Renderer::plain() };
    let main = Excerpt::of(trees, problem.at, folder);
    let others: Vec<(Option<Excerpt>, String)> =
        problem.related.iter().map(|(at, what)| (Excerpt::of(trees, *at, folder), visible(what))).collect();
    let message = visible(&problem.message);
    let level = match problem.lint.severity() {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let mut group = Group::with_title(level.primary_title(&*message).id(problem.lint.name()));
    if let Some(main) = &main {
        group = group.element(main.snippet(AnnotationKind::Primary, None));
    }
    for (excerpt, what) in &others {
        if let Some(excerpt) = excerpt {
            group = group.element(excerpt.snippet(AnnotationKind::Context, Some(what)));
        }
    }
    let help = problem.help.as_deref().map(visible);
    if let Some(help) = &help {
        group = group.element(Level::HELP.message(&**help));
    }
    format!("{}\n", renderer.term_width(WIDTH).render(&[group]))
}

/// The line of a place.
struct Excerpt {
    path: String,
    line: usize,
    text: String,
    marked: Range<usize>,
}

impl Excerpt {
    fn of(trees: &Trees<'_>, at: Location, folder: &str) -> Option<Excerpt> {
        let file = trees.file(at.file?)?;
        let (start, end) = (at.span.start as usize, at.span.end as usize);
        let before = file.bytes.get(..start).unwrap_or(file.bytes);
        let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let rest = file.bytes.get(line_start..).unwrap_or_default();
        let line_length = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        let line = rest.get(..line_length).unwrap_or_default();
        let until =
            |end: usize| String::from_utf8_lossy(line.get(..end.min(line.len())).unwrap_or(line)).len();
        let marked = until(start - line_start)..until(end.max(start) - line_start);
        let path = if folder.is_empty() { file.path.to_owned() } else { format!("{folder}/{}", file.path) };
        let text = String::from_utf8_lossy(line).into_owned();
        Some(Excerpt { path: visible(&path), line: position_of(file.bytes, start).line, text, marked })
    }

    fn snippet<'e>(
        &'e self,
        kind: AnnotationKind,
        label: Option<&'e str>,
    ) -> Snippet<'e, annotate_snippets::Annotation<'e>> {
        let annotation = kind.span(self.marked.clone());
        let annotation = match label {
            Some(label) => annotation.label(label),
            None => annotation,
        };
        Snippet::source(&*self.text).line_start(self.line).path(&*self.path).annotation(annotation)
    }
}
