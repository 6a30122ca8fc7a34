//! Keys: the published vectors, what must not have a key, and the law of the three parts.

use std::collections::BTreeMap;

use forecheck_contract::canonical;
use forecheck_contract::json::{self, Limits, Member, Node, ReadProblemKind, Span, Value};
use forecheck_contract::key::{KEY_FORMULA, Keyed};
use forecheck_contract::recipe::{Recipe, TargetInvalid, TargetRecipe};
use proptest::prelude::*;
use sha2::{Digest, Sha256};

use crate::documents::{object, text};

/// A verb whose target stands at `/repo` and is not repeated in the last part of the key.
pub(crate) fn recipe(verb: &str) -> Recipe {
    Recipe {
        verb: verb.to_owned(),
        target: Some(TargetRecipe { pointer: "/repo".to_owned(), spelling: Vec::new() }),
        ignored: vec!["/repo".to_owned()],
        defaults: BTreeMap::new(),
        objects: BTreeMap::new(),
    }
}

/// The key of `input` with the target `octo/hello` added.
pub(crate) fn key(recipe: &Recipe, input: &str) -> String {
    key_of(recipe, input, "octo/hello").unwrap()
}

fn key_of(recipe: &Recipe, input: &str, target: &str) -> Result<String, TargetInvalid> {
    let mut input = json::read(input.as_bytes(), Limits::CALL).unwrap_or_else(|e| panic!("{input}: {e:?}"));
    add_target(&mut input, target);
    recipe.spell_target(&mut input);
    Ok(Keyed::new(recipe, &input)?.key().to_string())
}

fn add_target(input: &mut Node<'_>, target: &str) {
    let Value::Object(members) = &mut input.value else { panic!("inputs are objects") };
    let node = Node::synthetic(Value::String(target.to_owned().into()));
    members.push(Member { name: "repo".into(), name_span: Span::default(), node });
}

#[test]
fn vectors_of_every_language() {
    let check =
        |verb: &str, input: &str, sha256: &str| assert_eq!(key(&recipe(verb), input), sha256, "{input}");
    check("open_pr", "{}", "d68240583e06e25619d5e55efdeba533bf4d02a56a40b0a4d5a0dacc4ca7c21f");
    let open_pr = "c23f1059006f2e15929e14af984b1fa24b808100b983fecbf415d9b8f177a0fc";
    check("open_pr", r#"{"title":"Fix","base":"main","draft":false,"n":1.0}"#, open_pr);
    check("open_pr", r#"{"n":1,"draft":false,"title":"Fix","base":"main"}"#, open_pr);
    check(
        "label",
        r#"{"\ufb33":1,"\ud83d\ude02":2}"#,
        "c8f451a18de6e57503a63d510dfcd25adc22ab2c67afa5f2cee32c697da633f0",
    );
    check(
        "num",
        r#"{"v":[-0.0,1e21,1e20,1e-7,0.000001,5e-324,1424953923781206.25,333333333.33333329]}"#,
        "487af76d82b5b8a82b08ecb241ceb22a98b20280bac156724c451d6c4aee3064",
    );
    check("note", r#"{"t":"\u00e9"}"#, "401367945ee1b9ac8882af319ffb1247c52f06896673a19506d20a16365b5c96");
    check("note", r#"{"t":"e\u0301"}"#, "450ede8141fbf81f7d3235504d2b571819e2b429bfd967c3b48371ed6a2ad655");
    check(
        "note",
        r#"{"t":"a\/b\u0000\u007f\u2028\"\\"}"#,
        "862187e8cc174d8f5c4e534fe86d85e7a92b858fb0010544cac0fcb269b1b314",
    );
    check("note", r#"{"t":null}"#, "a3c968be5c7f3b9a69de4f0df8b1ca7e12abe86716d1aaeace3f57cc26806063");
    check("note", "{}", "b9c5e8c68e9786197bf00deba9ca6a2135907d3b0cc72aa8d7cd4d8e9883b88e");
}

#[test]
fn what_is_refused_has_no_key() {
    let check = |passing: &str, input: &str, expected: ReadProblemKind| {
        assert!(json::read(passing.as_bytes(), Limits::CALL).is_ok(), "{passing}");
        let problems = json::read(input.as_bytes(), Limits::CALL).unwrap_err();
        assert_eq!(problems.into_iter().map(|p| p.kind).collect::<Vec<_>>(), [expected], "{input}");
    };
    check(r#"{"t":"\ud800\udc00"}"#, r#"{"t":"\ud800"}"#, ReadProblemKind::LoneSurrogate);
    let first = Span { start: 1, end: 4 };
    check(
        r#"{"n":1,"m":1}"#,
        r#"{"n":1,"n":1}"#,
        ReadProblemKind::DuplicateName { name: "n".to_owned(), first },
    );
    check(r#"{"n":9007199254740991}"#, r#"{"n":9007199254740992}"#, ReadProblemKind::UnsafeInteger);
    check(r#"{"n":1e308}"#, r#"{"n":1e400}"#, ReadProblemKind::NumberOverflow);
    let nested = |depth: usize| format!("{{\"a\":{}{}}}", "[".repeat(depth - 1), "]".repeat(depth - 1));
    check(&nested(64), &nested(65), ReadProblemKind::TooDeep { limit: 64 });
}

#[test]
fn a_target_stands_in_a_key_or_is_refused() {
    let recipe = recipe("open_pr");
    let check = |target: &str, expected| assert_eq!(key_of(&recipe, "{}", target).map(|_| ()), expected);
    check("octo/hello", Ok(()));
    check("octo|hello", Err(TargetInvalid::Bar));
    check("", Err(TargetInvalid::Empty));
    let check = |input: &str, expected| {
        let input = json::read(input.as_bytes(), Limits::CALL).unwrap();
        assert_eq!(Keyed::new(&recipe, &input).map(|_| ()), expected);
    };
    check(r#"{"repo":"octo/hello"}"#, Ok(()));
    check(r#"{"repo":7}"#, Err(TargetInvalid::Missing));
    check(r#"{"repository":"octo/hello"}"#, Err(TargetInvalid::Missing));
    check("[]", Err(TargetInvalid::Missing));
}

#[test]
fn a_refused_target_has_a_sentence() {
    let check = |why: TargetInvalid, sentence: &str| assert_eq!(why.to_string(), sentence);
    check(TargetInvalid::Missing, "the target is not a string");
    check(TargetInvalid::Empty, "nothing is left of the target in its one spelling");
    check(TargetInvalid::Bar, "the target holds a `|`");
    check(TargetInvalid::Unsettled, "the target is not in its one spelling");
}

#[test]
fn a_verb_with_a_bar_is_refused() {
    let json = |verb: &str| {
        let recipe = recipe(verb);
        serde_json::from_value::<Recipe>(serde_json::to_value(&recipe).unwrap())
    };
    assert_eq!(json("open_pr@2").unwrap(), recipe("open_pr@2"));
    assert_eq!(json("open|pr").unwrap_err().to_string(), "a `|` in the name of a verb");

    let input = json::read(b"{}", Limits::CALL).unwrap();
    let check = |verb, target, expected| {
        let keyed = Keyed::plain(verb, target, &input);
        assert_eq!(keyed.map(|keyed| keyed.key().to_string()).as_deref(), expected);
    };
    check("open_pr", "octo/hello", Ok("d68240583e06e25619d5e55efdeba533bf4d02a56a40b0a4d5a0dacc4ca7c21f"));
    check("open|pr", "octo/hello", Err(&TargetInvalid::Bar));
    check("open_pr", "octo|hello", Err(&TargetInvalid::Bar));
}

#[test]
fn a_verb_without_a_target_has_an_empty_middle_part() {
    let recipe = Recipe { target: None, ignored: Vec::new(), ..recipe("list") };
    let input = json::read(br#"{"repo":"octo/hello"}"#, Limits::CALL).unwrap();
    let keyed = Keyed::new(&recipe, &input).unwrap();
    let expected = hex::encode(Sha256::digest(br#"list||{"repo":"octo/hello"}"#));
    assert_eq!((keyed.target(), keyed.key().to_string()), ("", expected));
}

/// Six published vectors of another project could not tell the two orders apart
/// (agentrust-io/cmcp#630). In the first pair they differ, in the second they do not.
#[test]
fn names_are_in_the_order_of_utf_16() {
    let check = |input: &str, expected: &str| {
        let node = json::read(input.as_bytes(), Limits::CALL).unwrap();
        assert_eq!(canonical::to_string(&node), expected);
        let sent = key(&recipe("label"), input);
        assert_eq!(sent, hex::encode(Sha256::digest(format!("label|octo/hello|{expected}"))));
    };
    check(r#"{"\uffff":1,"\ud800\udc00":2}"#, "{\"\u{10000}\":2,\"\u{ffff}\":1}");
    check(r#"{"a\ue000":1,"a\udbff\udfff":2,"a":3}"#, "{\"a\":3,\"a\u{10ffff}\":2,\"a\u{e000}\":1}");
    check(r#"{"\ud800\udc00":2,"\ud7ff":1}"#, "{\"\u{d7ff}\":1,\"\u{10000}\":2}");
}

#[test]
fn the_formula_is_the_published_one() {
    assert_eq!(KEY_FORMULA, "SHA256(<verb>|<target_repo>|<canonical_input_json>)");
}

proptest! {
    #[test]
    fn what_is_hashed_splits_into_its_parts(
        verb in "[a-z][a-z0-9_]{0,20}(@[1-9][0-9]?)?",
        target in text().prop_filter("a target", |text| !text.is_empty() && !text.contains('|')),
        input in object(),
        seed: u64,
    ) {
        let text = input.text(seed);
        let mut input = json::read(text.as_bytes(), Limits::SPEC).unwrap();
        if input.get("repo").is_none() {
            add_target(&mut input, &target);
        }
        let recipe = recipe(&verb);
        let keyed = Keyed::new(&recipe, &input).unwrap();
        let canonical = keyed.canonical_input();
        prop_assert_eq!(keyed.target(), &target);
        let hashed = format!("{verb}|{target}|{canonical}");
        let parts: Vec<&str> = hashed.splitn(3, '|').collect();
        prop_assert_eq!(parts, [verb.as_str(), target.as_str(), canonical.as_str()]);
        prop_assert_eq!(keyed.key().to_string(), hex::encode(Sha256::digest(&hashed)));
    }
}
