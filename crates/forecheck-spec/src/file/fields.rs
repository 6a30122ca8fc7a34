//! Reading members of an object, with a report for each that is unknown, missing or wrong.

use std::fmt::Display;

use forecheck_contract::json::{Node, Span};
use forecheck_contract::pointer;
use forecheck_contract::table::Deprecated;
use forecheck_contract::window;

use crate::problem::{FileId, Lint, Located, Location, Problem};
use crate::text::{nearest, quoted};

/// The members that every spec file may carry at its top.
pub(crate) const ANNOTATIONS: [&str; 2] = ["$schema", "$comment"];

/// A file being decoded, and what was found wrong with it.
#[derive(Debug)]
pub(crate) struct Decoder<'p> {
    pub(crate) file: FileId,
    pub(crate) problems: &'p mut Vec<Problem>,
}

impl Decoder<'_> {
    pub(crate) fn at(&self, span: Span) -> Location {
        Location { file: Some(self.file), span }
    }

    pub(crate) fn report(&mut self, lint: Lint, span: Span, message: impl Into<String>) {
        self.problems.push(Problem::new(lint, self.at(span), message));
    }

    pub(crate) fn report_with_help(
        &mut self,
        lint: Lint,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.problems.push(Problem::new(lint, self.at(span), message).help(help));
    }

    /// Opens `node` as an object of the kind `what` with the members `known`.
    pub(crate) fn object<'s>(
        &mut self,
        node: &'s Node<'s>,
        what: &'static str,
        known: &[&str],
    ) -> Option<Fields<'s>> {
        let Some(members) = node.as_object() else {
            self.report(Lint::WrongType, node.span, format!("{what} must be an object, not {}", node.kind()));
            return None;
        };
        for member in members.iter().filter(|member| !known.contains(&&*member.name)) {
            let problem = Problem::new(
                Lint::UnknownKey,
                self.at(member.name_span),
                format!("{what} has no member {}", quoted(&member.name)),
            );
            self.problems.push(problem.help(suggestion(&member.name, known.iter().copied())));
        }
        Some(Fields { node, what })
    }

    /// A string; reported and skipped where it is something else.
    pub(crate) fn text<'s>(&mut self, node: &'s Node<'s>, what: impl Display) -> Option<Located<&'s str>> {
        let text = node.as_str();
        if text.is_none() {
            self.report(Lint::WrongType, node.span, format!("{what} must be a string, not {}", node.kind()));
        }
        text.map(|value| Located { value, at: self.at(node.span) })
    }

    /// An array; reported and empty where it is something else.
    pub(crate) fn items<'s>(&mut self, node: &'s Node<'s>, what: impl Display) -> &'s [Node<'s>] {
        let items = node.as_array();
        if items.is_none() {
            self.report(Lint::WrongType, node.span, format!("{what} must be an array, not {}", node.kind()));
        }
        items.unwrap_or_default()
    }

    /// An array of strings.
    pub(crate) fn texts<'s>(&mut self, node: &'s Node<'s>, what: &str) -> Vec<Located<&'s str>> {
        let items = self.items(node, what);
        items.iter().filter_map(|item| self.text(item, format_args!("each item of {what}"))).collect()
    }

    /// One of a list of words.
    pub(crate) fn one_of<T: Copy>(&mut self, node: &Node<'_>, what: &str, words: &[(&str, T)]) -> Option<T> {
        let text = node.as_str();
        let found = words.iter().find(|(word, _)| Some(*word) == text).map(|(_, value)| *value);
        if found.is_none() {
            let all: Vec<String> = words.iter().map(|(word, _)| format!("`{word}`")).collect();
            let given = text.map_or_else(|| node.kind().to_owned(), quoted);
            self.report(
                Lint::WrongValue,
                node.span,
                format!("{what} must be one of {}, not {given}", all.join(", ")),
            );
        }
        found
    }

    /// A [window] of time.
    pub(crate) fn duration<'s>(&mut self, node: &'s Node<'s>, what: &str) -> Option<&'s str> {
        let text = self.text(node, what)?;
        match window::parse(text.value) {
            Ok(_) => Some(text.value),
            Err(error) => {
                self.report_with_help(
                    Lint::WrongValue,
                    node.span,
                    format!("{what}: {error}"),
                    "write for example `P30D` for thirty days or `PT1H` for an hour",
                );
                None
            }
        }
    }
}

/// An object whose members are known.
#[derive(Debug)]
pub(crate) struct Fields<'s> {
    pub(crate) node: &'s Node<'s>,
    what: &'static str,
}

impl<'s> Fields<'s> {
    pub(crate) fn get(&self, name: &str) -> Option<&'s Node<'s>> {
        self.node.get(name)
    }

    /// A member that must be there.
    pub(crate) fn required(&self, decoder: &mut Decoder<'_>, name: &str) -> Option<&'s Node<'s>> {
        let node = self.node.get(name);
        if node.is_none() {
            let start = self.node.span.start;
            let brace = Span { start, end: start + 1 };
            decoder.report(Lint::MissingField, brace, format!("{} needs the member `{name}`", self.what));
        }
        node
    }

    pub(crate) fn required_text(&self, decoder: &mut Decoder<'_>, name: &str) -> Option<Located<&'s str>> {
        let node = self.required(decoder, name)?;
        decoder.text(node, format_args!("`{name}`"))
    }

    pub(crate) fn text(&self, decoder: &mut Decoder<'_>, name: &str) -> Option<Located<&'s str>> {
        decoder.text(self.get(name)?, format_args!("`{name}`"))
    }

    pub(crate) fn texts(&self, decoder: &mut Decoder<'_>, name: &str) -> Option<Vec<Located<&'s str>>> {
        let node = self.get(name)?;
        let texts = decoder.texts(node, &format!("`{name}`"));
        node.as_array().is_some().then_some(texts)
    }

    pub(crate) fn flag(&self, decoder: &mut Decoder<'_>, name: &str) -> Option<bool> {
        let node = self.get(name)?;
        if node.as_bool().is_none() {
            decoder.report(
                Lint::WrongType,
                node.span,
                format!("`{name}` must be true or false, not {}", node.kind()),
            );
        }
        node.as_bool()
    }

    pub(crate) fn deprecated(&self, decoder: &mut Decoder<'_>) -> Option<Deprecated> {
        let node = self.get("deprecated")?;
        let fields = decoder.object(node, "`deprecated`", &["since", "note", "replaced_by"])?;
        let owned = |text: Option<Located<&str>>| text.map(|text| text.value.to_owned());
        let since = fields.required_text(decoder, "since");
        let note = owned(fields.text(decoder, "note"));
        let replaced_by = owned(fields.text(decoder, "replaced_by"));
        Some(Deprecated { since: since?.value.to_owned(), note, replaced_by })
    }

    /// An array of pointers into the input.
    pub(crate) fn pointers(&self, decoder: &mut Decoder<'_>, name: &str) -> Option<Vec<Located<&'s str>>> {
        let texts = self.texts(decoder, name)?;
        let (pointers, others): (Vec<_>, Vec<_>) =
            texts.into_iter().partition(|text| pointer::tokens(text.value).is_some());
        for other in others {
            let message = format!("{} is no JSON Pointer", quoted(other.value));
            decoder.report_with_help(
                Lint::WrongValue,
                other.at.span,
                message,
                "write it as `/field` or `/field/inner`",
            );
        }
        Some(pointers)
    }
}

/// The nearest known word, or the list of all of them.
pub(crate) fn suggestion<'k>(given: &str, known: impl Iterator<Item = &'k str>) -> String {
    let known: Vec<&str> = known.collect();
    match nearest(given, known.iter().copied()).first() {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            let all: Vec<String> = known.iter().map(|word| format!("`{word}`")).collect();
            format!("known here: {}", all.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggestions_are_near_or_complete() {
        let known = || ["constraints", "input", "output"].into_iter();
        assert_eq!(suggestion("constraint", known()), "did you mean `constraints`?");
        assert_eq!(suggestion("inptu", known()), "did you mean `input`?");
        assert_eq!(suggestion("zzz", known()), "known here: `constraints`, `input`, `output`");
    }
}
