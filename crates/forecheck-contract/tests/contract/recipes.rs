//! How recipes strip inputs, and which recipes keep the keys of others.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use forecheck_contract::canonical;
use forecheck_contract::json::{self, Limits, Node};
use forecheck_contract::key::Keyed;
use forecheck_contract::pointer;
use forecheck_contract::recipe::{KnownObject, Recipe, TargetRecipe};
use forecheck_contract::spelling::SpellingStep;
use proptest::prelude::*;

use crate::documents::{Choices, Document};

type Objects<'r> = &'r [(&'r str, bool, &'r [&'r str])];

fn recipe(ignored: &[&str], defaults: &[(&str, &str)], objects: Objects<'_>) -> Recipe {
    let known = |closed, names: &[&str]| KnownObject {
        closed,
        properties: names.iter().map(|&name| name.to_owned()).collect(),
    };
    Recipe {
        verb: "open_pr".to_owned(),
        target: None,
        ignored: ignored.iter().map(|&at| at.to_owned()).collect(),
        defaults: defaults.iter().map(|&(at, text)| (at.to_owned(), text.to_owned())).collect(),
        objects: objects.iter().map(|&(at, closed, names)| (at.to_owned(), known(closed, names))).collect(),
    }
}

fn read(text: &str) -> Node<'_> {
    json::read(text.as_bytes(), Limits::SPEC).unwrap()
}

fn stripped(recipe: &Recipe, input: &str) -> String {
    canonical::to_string(&recipe.strip(&read(input)))
}

#[test]
fn stripping_takes_ignored_fields_and_defaults() {
    let check = |recipe: &Recipe, input: &str, expected: &str| {
        assert_eq!(stripped(recipe, input), expected, "{input}");
        let parsed = read(input);
        let key = Keyed::new(recipe, &parsed).unwrap();
        assert_eq!(key.canonical_input(), expected, "{input}");
    };
    let flat = recipe(&["/why"], &[("/draft", "false"), ("/n", "1"), ("/base", "\"main\"")], &[]);
    check(&flat, r#"{"why":"because","title":"Fix"}"#, r#"{"title":"Fix"}"#);
    check(&flat, r#"{"draft":false,"n":1.0,"base":"m\u0061in"}"#, "{}");
    check(&flat, r#"{"draft":true,"n":2,"base":"Main"}"#, r#"{"base":"Main","draft":true,"n":2}"#);
    check(&flat, r#"{"draft":null,"n":"1"}"#, r#"{"draft":null,"n":"1"}"#);
    check(&flat, r#"{"o":{"why":1,"draft":false}}"#, r#"{"o":{"draft":false,"why":1}}"#);
    check(&flat, r#"[{"why":1}]"#, r#"[{"why":1}]"#);

    let nested = recipe(&["/o/why"], &[("/o", "{}"), ("/o/a", "1"), ("/o/p", r#"{"x":[1]}"#)], &[]);
    check(&nested, r#"{"o":{"a":1,"why":"w","p":{"x":[1.0]}}}"#, "{}");
    check(&nested, r#"{"o":{"a":2,"why":"w"}}"#, r#"{"o":{"a":2}}"#);
    check(&nested, r#"{"o":[{"a":1}]}"#, r#"{"o":[{"a":1}]}"#);

    let no_default = recipe(&[], &[("/o/a", "1")], &[]);
    check(&no_default, r#"{"o":{"a":1}}"#, r#"{"o":{}}"#);
    let null = recipe(&[], &[("/t", "null")], &[]);
    check(&null, r#"{"t":null,"u":null}"#, r#"{"u":null}"#);
    let escaped = recipe(&["/a~1b/~0"], &[("/0", "0")], &[]);
    check(
        &escaped,
        r#"{"a/b":{"~":1,"~0":2},"a":{"b":{"~":1}},"0":0}"#,
        r#"{"a":{"b":{"~":1}},"a/b":{"~0":2}}"#,
    );
    check(&recipe(&[], &[], &[]), r#"{"b":1,"a":2}"#, r#"{"a":2,"b":1}"#);
}

const WHY: &[&str] = &["/why"];
const A: &[(&str, &str)] = &[("/a", "1")];
const ROOT: (&str, bool, &[&str]) = ("", true, &["a", "b", "b/c", "o", "why"]);
const OPEN: (&str, bool, &[&str]) = ("/o", false, &["p"]);
/// The root with one more field.
const LARGER: (&str, bool, &[&str]) = ("", true, &["a", "b", "b/c", "new", "o", "why"]);

#[test]
fn new_fields_keep_the_keys() {
    let older = recipe(WHY, A, &[ROOT, OPEN]);
    let check = |ignored, defaults, objects| {
        let newer = recipe(ignored, defaults, objects);
        assert!(newer.keeps_keys_of(&older), "{newer:?}");
    };
    check(WHY, A, &[ROOT, OPEN]);
    check(WHY, A, &[LARGER, OPEN]);
    check(WHY, &[("/a", "1"), ("/new", "2")], &[LARGER, OPEN]);
    check(&["/new", "/why"], A, &[LARGER, OPEN]);
    check(WHY, &[("/a", "1"), ("/new/x", "1")], &[LARGER, OPEN, ("/new", true, &["x"])]);
    check(WHY, A, &[("", false, &["a"]), OPEN]);
    check(WHY, A, &[ROOT]);
}

#[test]
fn other_changes_move_keys_or_could_hide_one_that_does() {
    let older = recipe(WHY, A, &[ROOT, OPEN]);
    let check = |ignored, defaults, objects| {
        let newer = recipe(ignored, defaults, objects);
        assert!(!newer.keeps_keys_of(&older), "{newer:?}");
    };
    check(WHY, &[("/a", "1"), ("/b", "1")], &[ROOT, OPEN]);
    check(WHY, &[("/a", "1"), ("/b~1c", "1")], &[ROOT, OPEN]);
    check(WHY, &[("/a", "1"), ("/o/q", "1")], &[ROOT, OPEN]);
    check(WHY, &[("/a", "2")], &[ROOT, OPEN]);
    check(WHY, &[], &[ROOT, OPEN]);
    check(&["/b", "/why"], A, &[ROOT, OPEN]);
    check(&[], A, &[ROOT, OPEN]);
    check(WHY, A, &[("", true, &["a", "b", "b/c", "o"]), OPEN]);
    check(WHY, A, &[ROOT, ("/o", true, &["p"])]);
}

#[test]
fn verb_target_and_spelling_move_keys() {
    let target = |spelling| Some(TargetRecipe { pointer: "/b".to_owned(), spelling });
    let plain = recipe(WHY, A, &[ROOT]);
    let second = Recipe { verb: "open_pr@2".to_owned(), ..plain.clone() };
    let targeted = Recipe { target: target(Vec::new()), ..plain.clone() };
    let folded = Recipe { target: target(vec![SpellingStep::LowerCase]), ..plain.clone() };
    let all = [plain, second, targeted, folded];
    for (at, newer) in all.iter().enumerate() {
        for (older_at, older) in all.iter().enumerate() {
            assert_eq!(newer.keeps_keys_of(older), at == older_at, "{newer:?} {older:?}");
        }
    }
}

/// Each of the two steps looks harmless alone; together they would move the key of `{"b":1}`.
#[test]
fn a_field_cannot_go_and_come_back_with_a_default() {
    let first = recipe(&[], &[], &[("", true, &["a", "b"])]);
    let without = recipe(&[], &[], &[("", true, &["a"])]);
    let back = recipe(&[], &[("/b", "1")], &[("", true, &["a", "b"])]);
    assert_ne!(stripped(&first, r#"{"b":1}"#), stripped(&back, r#"{"b":1}"#));
    assert!(!(without.keeps_keys_of(&first) && back.keeps_keys_of(&without)));
}

const NAMES: [&str; 4] = ["a", "b", "c/d", ""];

/// An object of an input schema.
#[derive(Debug, Clone)]
struct Shape {
    closed: bool,
    fields: BTreeMap<&'static str, Field>,
}

#[derive(Debug, Clone)]
struct Field {
    ignored: bool,
    default: Option<Document>,
    inside: Option<Shape>,
}

fn shape(choices: &mut Choices, depth: usize) -> Shape {
    let mut fields = BTreeMap::new();
    for name in NAMES {
        if !choices.one_in(3) {
            fields.insert(name, field(choices, depth));
        }
    }
    Shape { closed: choices.one_in(2), fields }
}

fn field(choices: &mut Choices, depth: usize) -> Field {
    let inside = (depth > 0 && choices.one_in(2)).then(|| shape(choices, depth - 1));
    let default = choices.one_in(2).then(|| value(choices, inside.as_ref()));
    Field { ignored: choices.one_in(5), default, inside }
}

fn value(choices: &mut Choices, inside: Option<&Shape>) -> Document {
    match inside {
        Some(shape) => Document::Object(input(choices, shape)),
        None => match choices.below(4) {
            0 => Document::Null,
            1 => Document::Number("1".to_owned()),
            2 => Document::Number("1.0".to_owned()),
            _ => Document::Text("1".to_owned()),
        },
    }
}

/// A valid input: known fields, and others only in an open object.
fn input(choices: &mut Choices, shape: &Shape) -> BTreeMap<String, Document> {
    let mut members = BTreeMap::new();
    for name in NAMES {
        let chosen = match shape.fields.get(name) {
            Some(field) => chosen(choices, field),
            None => (!shape.closed && choices.one_in(3)).then(|| value(choices, None)),
        };
        members.extend(chosen.map(|value| (name.to_owned(), value)));
    }
    members
}

fn chosen(choices: &mut Choices, field: &Field) -> Option<Document> {
    match choices.below(3) {
        0 => None,
        1 if field.default.is_some() => field.default.clone(),
        _ => Some(value(choices, field.inside.as_ref())),
    }
}

/// What is executed, as far as the key covers it: all defaults filled in, nothing ignored.
fn effective(shape: &Shape, members: &BTreeMap<String, Document>) -> BTreeMap<String, Document> {
    let mut effective = members.clone();
    for (&name, field) in &shape.fields {
        let value = members.get(name).or(field.default.as_ref());
        let value = value.filter(|_| !field.ignored).map(|value| match (&field.inside, value) {
            (Some(inside), Document::Object(members)) => Document::Object(self::effective(inside, members)),
            (_, value) => value.clone(),
        });
        effective.remove(name);
        effective.extend(value.map(|value| (name.to_owned(), value)));
    }
    effective
}

fn recipe_of(shape: &Shape) -> Recipe {
    let mut recipe = recipe(&[], &[], &[]);
    let mut defaults = Vec::new();
    describe(shape, "", &mut recipe, &mut defaults);
    defaults.sort_by_key(|(at, _)| Reverse(at.matches('/').count()));
    for (at, default) in defaults {
        let text = default.text(0);
        let settled = canonical::to_string(&recipe.strip_below(&at, &read(&text)));
        recipe.defaults.insert(at, settled);
    }
    recipe
}

fn describe(shape: &Shape, at: &str, recipe: &mut Recipe, defaults: &mut Vec<(String, Document)>) {
    let properties = shape.fields.keys().map(|&name| name.to_owned()).collect();
    recipe.objects.insert(at.to_owned(), KnownObject { closed: shape.closed, properties });
    for (name, field) in &shape.fields {
        let at = pointer::join(at, name);
        if field.ignored {
            recipe.ignored.push(at.clone());
        }
        defaults.extend(field.default.clone().map(|default| (at.clone(), default)));
        if let Some(inside) = &field.inside {
            describe(inside, &at, recipe, defaults);
        }
    }
}

/// The next version of a surface: one change to one object.
fn evolve(choices: &mut Choices, shape: &mut Shape) {
    let inner = shape.fields.values_mut().find_map(|field| field.inside.as_mut());
    if let Some(inner) = inner
        && choices.one_in(2)
    {
        return evolve(choices, inner);
    }
    let name = NAMES[choices.below(NAMES.len())];
    match (choices.below(8), shape.fields.get_mut(name)) {
        (0..=3, None) => drop(shape.fields.insert(name, field(choices, 1))),
        (0, Some(field)) => field.ignored ^= true,
        (1, Some(field)) => field.default = choices.one_in(2).then(|| value(choices, field.inside.as_ref())),
        (2..=4, _) => drop(shape.fields.remove(name)),
        _ => shape.closed ^= true,
    }
}

fn text_of(members: &BTreeMap<String, Document>) -> String {
    Document::Object(members.clone()).text(5)
}

fn canonical_of(members: &BTreeMap<String, Document>) -> String {
    canonical::to_string(&read(&text_of(members)))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2048, ..ProptestConfig::default() })]

    #[test]
    fn stripping_is_idempotent(seed: u64) {
        let mut choices = Choices::new(seed);
        let shape = shape(&mut choices, 2);
        let recipe = recipe_of(&shape);
        let text = text_of(&input(&mut choices, &shape));
        let parsed = read(&text);
        let once = recipe.strip(&parsed).into_owned();
        prop_assert_eq!(recipe.strip(&once).into_owned(), once);
    }

    /// Two inputs have one key exactly when what is executed is the same but for ignored fields. So
    /// a field that is absent and one that equals its default, at any depth, have one key; a changed
    /// field has another; and rewording an ignored field keeps it.
    #[test]
    fn one_key_is_one_effect(seed: u64) {
        let mut choices = Choices::new(seed);
        let shape = shape(&mut choices, 2);
        let recipe = recipe_of(&shape);
        let (a, mut b) = (input(&mut choices, &shape), input(&mut choices, &shape));
        for (name, value) in &a {
            if !choices.one_in(4) {
                b.insert(name.clone(), value.clone());
            }
        }
        let one_key = stripped(&recipe, &text_of(&a)) == stripped(&recipe, &text_of(&b));
        let one_effect = canonical_of(&effective(&shape, &a)) == canonical_of(&effective(&shape, &b));
        prop_assert_eq!(one_key, one_effect, "{} {} {:?}", text_of(&a), text_of(&b), recipe);
    }

    #[test]
    fn a_field_decides_the_key_as_it_is_declared(seed: u64) {
        let mut choices = Choices::new(seed);
        let shape = shape(&mut choices, 1);
        let recipe = recipe_of(&shape);
        let around = input(&mut choices, &shape);
        let stripped_with = |name: &str, value: Option<Document>| {
            let mut input = around.clone();
            input.remove(name);
            input.extend(value.map(|value| (name.to_owned(), value)));
            stripped(&recipe, &text_of(&input))
        };
        for (name, field) in &shape.fields {
            let absent = stripped_with(name, None);
            let (some, other) = (Some(Document::Text("x".to_owned())), Some(Document::Text("y".to_owned())));
            if let Some(default) = &field.default {
                prop_assert_eq!(&stripped_with(name, Some(default.clone())), &absent);
            }
            if field.ignored {
                prop_assert_eq!(&stripped_with(name, some), &absent);
            } else {
                prop_assert_ne!(&stripped_with(name, some.clone()), &absent);
                prop_assert_ne!(stripped_with(name, some), stripped_with(name, other));
            }
        }
    }

    /// However many versions went by, each of which could replace the one before.
    #[test]
    fn keys_that_are_said_to_be_kept_are_kept(seed: u64) {
        let mut choices = Choices::new(seed);
        let first = shape(&mut choices, 2);
        let (mut latest, mut latest_recipe) = (first.clone(), recipe_of(&first));
        for _ in 0..12 {
            let mut next = latest.clone();
            evolve(&mut choices, &mut next);
            let next_recipe = recipe_of(&next);
            if next_recipe.keeps_keys_of(&latest_recipe) {
                (latest, latest_recipe) = (next, next_recipe);
            }
        }
        let text = text_of(&input(&mut choices, &first));
        prop_assert_eq!(stripped(&recipe_of(&first), &text), stripped(&latest_recipe, &text), "{:?}", latest);
    }
}
