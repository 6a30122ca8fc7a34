//! Problems as people read them: the source line with the place underlined.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use forecheck_contract::json::Position;

use crate::problem::{Location, Problem, Severity};
use crate::text::{is_hidden, visible};
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
    Some(Place { file: file.path, position: file.position(at.span.start) })
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
        group = main.add(group, AnnotationKind::Primary, None);
    }
    for (excerpt, what) in &others {
        if let Some(excerpt) = excerpt {
            group = excerpt.add(group, AnnotationKind::Context, Some(what));
        }
    }
    let help = problem.help.as_deref().map(visible);
    if let Some(help) = &help {
        group = group.element(Level::HELP.message(&**help));
    }
    format!("{}\n", renderer.term_width(WIDTH).render(&[group]))
}

/// The most bytes of a line that are looked at on each side of a place.
const REACH: usize = 500;

/// The line of a place, unless the place is far into a long one.
struct Excerpt {
    path: String,
    position: Position,
    text: String,
    marked: Range<usize>,
    is_cut: bool,
}

impl Excerpt {
    fn of(trees: &Trees<'_>, at: Location, folder: &str) -> Option<Excerpt> {
        let file = trees.file(at.file?)?;
        let start = (at.span.start as usize).min(file.bytes.len());
        let (before, after) = file.bytes.split_at_checked(start)?;
        let before_here = tail(before, REACH);
        let line_before = before_here.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
        let line_after = head(after, REACH).split(|&byte| byte == b'\n').next().unwrap_or_default();
        let is_cut = line_before.len() == REACH;
        let text_before = line(line_before);
        let marked_bytes = head(line_after, at.span.end.saturating_sub(at.span.start) as usize);
        let marked = text_before.len()..text_before.len() + line(marked_bytes).len();
        let path = if folder.is_empty() { file.path.to_owned() } else { format!("{folder}/{}", file.path) };
        let text = text_before + &line(line_after);
        Some(Excerpt { path: visible(&path), position: file.position(at.span.start), text, marked, is_cut })
    }

    /// Adds the line with the place marked; of a long line, where it is.
    fn add<'e>(&'e self, group: Group<'e>, kind: AnnotationKind, label: Option<&'e str>) -> Group<'e> {
        if self.is_cut {
            let Position { line, column } = self.position;
            let group = group.element(Origin::path(&*self.path).line(line).char_column(column));
            return match label {
                Some(label) => group.element(Level::NOTE.message(label)),
                None => group,
            };
        }
        let annotation = kind.span(self.marked.clone());
        let annotation = match label {
            Some(label) => annotation.label(label),
            None => annotation,
        };
        let line = self.position.line;
        group.element(Snippet::source(&*self.text).line_start(line).path(&*self.path).annotation(annotation))
    }
}

fn head(bytes: &[u8], length: usize) -> &[u8] {
    bytes.get(..length).unwrap_or(bytes)
}

fn tail(bytes: &[u8], length: usize) -> &[u8] {
    bytes.get(bytes.len().saturating_sub(length)..).unwrap_or(bytes)
}

/// A part of a line with a mark in the place of what is no text or could steer a terminal.
fn line(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let shown = |letter: char| {
        if is_hidden(letter) && !matches!(letter, '\t' | '\r') { char::REPLACEMENT_CHARACTER } else { letter }
    };
    text.chars().map(shown).collect()
}
