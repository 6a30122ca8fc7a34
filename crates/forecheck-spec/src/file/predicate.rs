//! `refuse_when`, read with a report for each part that is no predicate.

use forecheck_contract::json::{Member, Node};
use forecheck_contract::pointer;
use forecheck_contract::predicate::{
    Each, Literal, Operand, Pattern, Predicate, Reference, fact_and_pointer,
};

use super::Decoder;
use super::fields::suggestion;
use crate::problem::{Lint, Located, Location};
use crate::text::quoted;

/// Operators inside operators. Readers of JSON give up at some depth; this one keeps the published
/// table well below.
const MAX_DEPTH: usize = 32;

/// A predicate and its place.
#[derive(Debug, Clone)]
pub struct RefuseWhen<'s> {
    /// What it says.
    pub predicate: Predicate,
    /// Its text: the pointer of a part in the predicate's JSON leads to the place of that part.
    pub text: Located<&'s Node<'s>>,
}

type Binary = fn(Operand, Operand) -> Predicate;

const BINARY: [(&str, Binary); 9] = [
    ("eq", Predicate::Eq),
    ("ne", Predicate::Ne),
    ("in", Predicate::In),
    ("starts_with", Predicate::StartsWith),
    ("path_within", Predicate::PathWithin),
    ("gt", Predicate::Gt),
    ("lt", Predicate::Lt),
    ("size_gt", Predicate::SizeGt),
    ("size_lt", Predicate::SizeLt),
];

const OTHERS: [&str; 8] = ["present", "absent", "matches", "all", "any", "and", "or", "not"];

/// Where in a predicate a part stands.
#[derive(Debug, Clone, Copy)]
struct Scope {
    depth: usize,
    has_item: bool,
}

impl<'s> RefuseWhen<'s> {
    pub(super) fn decode(decoder: &mut Decoder<'_>, node: &'s Node<'s>) -> Option<Self> {
        let text = Located { value: node, at: decoder.at(node.span) };
        let predicate = predicate(decoder, node, Scope { depth: 0, has_item: false })?;
        Some(RefuseWhen { predicate, text })
    }

    /// What it reads, as `reads` names it.
    pub(crate) fn named_reads(&self) -> Vec<Located<&'s str>> {
        let named = |(at, reference): (String, &Reference)| {
            let node = self.text.value.at(&at)?;
            let name = node.as_object()?.first()?.node.as_str()?;
            let value = match reference {
                Reference::Input(at) if at.is_empty() => "input",
                Reference::Input(_) => name,
                Reference::Fact(_) => fact_and_pointer(name).0,
                Reference::Item(_) => return None,
            };
            Some(Located { value, at: Location { span: node.span, ..self.text.at } })
        };
        self.predicate.references().into_iter().filter_map(named).collect()
    }

    /// The place of the part at a pointer into the predicate's JSON.
    pub(crate) fn place(&self, at: &str) -> Location {
        let span = self.text.value.at(at).map_or(self.text.at.span, |node| node.span);
        Location { span, ..self.text.at }
    }
}

fn predicate(decoder: &mut Decoder<'_>, node: &Node<'_>, scope: Scope) -> Option<Predicate> {
    if scope.depth == MAX_DEPTH {
        let message = format!("a predicate holds at most {MAX_DEPTH} operators inside each other");
        decoder.report(Lint::WrongValue, node.span, message);
        return None;
    }
    let member = only_member(decoder, node, "a predicate", "one operator")?;
    let inner = Scope { depth: scope.depth + 1, ..scope };
    if let Some((_, operator)) = BINARY.iter().find(|(name, _)| *name == member.name) {
        let [one, other] = both(decoder, member)?;
        let operands = (operand(decoder, one, scope), operand(decoder, other, scope));
        return Some(operator(operands.0?, operands.1?));
    }
    match &*member.name {
        "present" => reference(decoder, &member.node, scope).map(Predicate::Present),
        "absent" => reference(decoder, &member.node, scope).map(Predicate::Absent),
        "matches" => {
            let [text, pattern] = both(decoder, member)?;
            let parts = (operand(decoder, text, scope), self::pattern(decoder, pattern));
            Some(Predicate::Matches(parts.0?, parts.1?))
        }
        "all" => each(decoder, &member.node, inner).map(Predicate::All),
        "any" => each(decoder, &member.node, inner).map(Predicate::Any),
        "and" => several(decoder, member, inner).map(Predicate::And),
        "or" => several(decoder, member, inner).map(Predicate::Or),
        "not" => predicate(decoder, &member.node, inner).map(|inner| Predicate::Not(Box::new(inner))),
        name => {
            let known = OTHERS.into_iter().chain(BINARY.map(|(name, _)| name));
            let message = format!("predicates have no operator {}", quoted(name));
            decoder.report_with_help(
                Lint::UnknownOperator,
                member.name_span,
                message,
                suggestion(name, known),
            );
            None
        }
    }
}

fn only_member<'n, 'a>(
    decoder: &mut Decoder<'_>,
    node: &'n Node<'a>,
    what: &str,
    which: &str,
) -> Option<&'n Member<'a>> {
    match node.as_object() {
        Some([member]) => return Some(member),
        Some(members) => {
            let message = format!("{what} has one member, {which}, not {}", members.len());
            decoder.report(Lint::WrongValue, node.span, message);
        }
        None => {
            let message = format!("{what} must be an object, not {}", node.kind());
            decoder.report(Lint::WrongType, node.span, message);
        }
    }
    None
}

fn both<'n, 'a>(decoder: &mut Decoder<'_>, member: &'n Member<'a>) -> Option<&'n [Node<'a>; 2]> {
    let operands = member.node.as_array().and_then(|items| items.try_into().ok());
    if operands.is_none() {
        let message = format!("{} takes an array of two operands", quoted(&member.name));
        decoder.report(Lint::WrongType, member.node.span, message);
    }
    operands
}

fn several(decoder: &mut Decoder<'_>, member: &Member<'_>, scope: Scope) -> Option<Vec<Predicate>> {
    let Some(items @ [_, ..]) = member.node.as_array() else {
        let message = format!("{} takes an array of at least one predicate", quoted(&member.name));
        decoder.report(Lint::WrongType, member.node.span, message);
        return None;
    };
    let read: Vec<Option<Predicate>> = items.iter().map(|item| predicate(decoder, item, scope)).collect();
    read.into_iter().collect()
}

fn each(decoder: &mut Decoder<'_>, node: &Node<'_>, scope: Scope) -> Option<Each> {
    decoder.object(node, "the operator", &["of", "where"])?;
    for name in ["of", "where"].into_iter().filter(|name| node.get(name).is_none()) {
        decoder.report(Lint::MissingField, node.span, format!("the operator needs the member `{name}`"));
    }
    let of = node.get("of").and_then(|of| operand(decoder, of, scope));
    let inner = Scope { has_item: true, ..scope };
    let holds = node.get("where").and_then(|condition| predicate(decoder, condition, inner));
    Some(Each { of: of?, holds: Box::new(holds?) })
}

fn operand(decoder: &mut Decoder<'_>, node: &Node<'_>, scope: Scope) -> Option<Operand> {
    if node.as_object().is_some() {
        return reference(decoder, node, scope).map(Operand::Reference);
    }
    // INVARIANT: a node has string names and finite numbers, so it always becomes a value.
    let value = serde_json::to_value(node).unwrap_or_default();
    let literal = Literal::try_from(value).map(Operand::Literal);
    if literal.is_err() {
        let message = "an array that is written out holds texts, numbers, truth values and nulls only";
        decoder.report(Lint::WrongValue, node.span, message);
    }
    literal.ok()
}

fn reference(decoder: &mut Decoder<'_>, node: &Node<'_>, scope: Scope) -> Option<Reference> {
    decoder.object(node, "an operand", &["input", "fact", "item"])?;
    let member = only_member(decoder, node, "an operand", "`input`, `fact` or `item`")?;
    let name = decoder.text(&member.node, format_args!("{}", quoted(&member.name)))?.value;
    let (reference, at): (fn(String) -> Reference, &str) = match &*member.name {
        "input" => (Reference::Input, name),
        "fact" => (Reference::Fact, fact_and_pointer(name).1),
        "item" => (Reference::Item, name),
        _ => return None,
    };
    if pointer::tokens(at).is_none() {
        let message = format!("{} is no JSON Pointer", quoted(at));
        let help = "write it as `/field` or `/field/inner`";
        decoder.report_with_help(Lint::WrongValue, member.node.span, message, help);
        return None;
    }
    if &*member.name == "item" && !scope.has_item {
        let message = "`item` stands for something only in the `where` of `all` or `any`";
        decoder.report(Lint::WrongValue, member.name_span, message);
        return None;
    }
    Some(reference(name.to_owned()))
}

fn pattern(decoder: &mut Decoder<'_>, node: &Node<'_>) -> Option<Pattern> {
    let text = decoder.text(node, "the pattern of `matches`")?.value;
    let pattern = Pattern::new(text);
    if pattern.is_err() {
        let message = format!("{} cannot be compiled to match in linear time", quoted(text));
        let help =
            "look-around and references back are not available; `starts_with` and `path_within` may do";
        decoder.report_with_help(Lint::WrongValue, node.span, message, help);
    }
    pattern.ok()
}
