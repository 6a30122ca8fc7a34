//! Each operator against a table of its edges, and the grammar.

use serde_json::{Value, json};

use super::*;

fn read(predicate: Value) -> Predicate {
    serde_json::from_value(predicate).unwrap()
}

/// Each row: two operands, and whether the operator is true of them. `/none` is absent.
fn check(operator: &str, rows: &[(Value, Value, bool)]) {
    let input = json!({"a": null});
    for (one, other, expected) in rows {
        let predicate = read(json!({operator: [one, other]}));
        let given = json!({"one": one, "other": other});
        let read_from_input = read(json!({operator: [{"input": "/one"}, {"input": "/other"}]}));
        assert_eq!(predicate.holds(&input, |_| None), *expected, "{one} {operator} {other}");
        assert_eq!(read_from_input.holds(&given, |_| None), *expected, "{given} {operator}");
    }
}

/// A binary operator is false where one side, or both, are absent.
#[test]
fn what_is_absent_compares_false() {
    let (absent, there) = (json!({"input": "/none"}), json!({"input": ""}));
    let operators = ["eq", "ne", "in", "starts_with", "path_within", "gt", "lt", "size_gt", "size_lt"];
    for operator in operators {
        for pair in [json!([absent, there]), json!([there, absent]), json!([absent, absent])] {
            assert!(!read(json!({operator: pair})).holds(&json!([1]), |_| None), "{operator} {pair}");
        }
    }
    for operator in ["all", "any"] {
        let predicate = read(json!({operator: {"of": absent, "where": {"eq": [1, 1]}}}));
        assert!(!predicate.holds(&json!([1]), |_| None), "{operator}");
    }
    assert!(!read(json!({"matches": [absent, ""]})).holds(&json!([1]), |_| None));
}

#[test]
fn presence_is_about_names_and_not_about_values() {
    let input = json!({"null": null, "list": [1], "a/b": {"": 0}});
    let check = |at: &str, expected: bool| {
        assert_eq!(read(json!({"present": {"input": at}})).holds(&input, |_| None), expected, "{at}");
        assert_eq!(read(json!({"absent": {"input": at}})).holds(&input, |_| None), !expected, "{at}");
    };
    check("", true);
    check("/null", true);
    check("/list/0", true);
    check("/list/00", false);
    check("/list/1", false);
    check("/list/-", false);
    check("/a~1b/", true);
    check("/null/x", false);
    check("null", false);
    check("/~2", false);
}

#[test]
fn equality_is_of_json_values() {
    let rows = [
        (json!(1), json!(1.0), true),
        (json!(0), json!(-0.0), true),
        (json!(9_007_199_254_740_993_u64), json!(9_007_199_254_740_992.0), false),
        (json!(u64::MAX), json!(18_446_744_073_709_551_616.0), false),
        (json!(1), json!("1"), false),
        (json!(null), json!(false), false),
        (json!("a"), json!("A"), false),
        (json!([1, 2]), json!([1.0, 2]), true),
        (json!([1, 2]), json!([2, 1]), false),
        (json!([]), json!([null]), false),
    ];
    check("eq", &rows);
    let opposite = rows.map(|(one, other, expected)| (one, other, !expected));
    check("ne", &opposite);
    let objects = json!({"a": {"x": 1, "y": [2]}, "b": {"y": [2.0], "x": 1}, "c": {"x": 1}});
    let eq = |one: &str, other: &str| {
        read(json!({"eq": [{"input": one}, {"input": other}]})).holds(&objects, |_| None)
    };
    assert_eq!((eq("/a", "/b"), eq("/a", "/c"), eq("/c", "/a")), (true, false, false));
}

#[test]
fn membership_is_equality_with_an_item() {
    check(
        "in",
        &[
            (json!(1), json!([2, 1.0]), true),
            (json!(null), json!([null]), true),
            (json!("a"), json!(["ab"]), false),
            (json!("a"), json!("abc"), false),
            (json!("a"), json!([]), false),
        ],
    );
}

#[test]
fn a_text_starts_with_a_text() {
    check(
        "starts_with",
        &[
            (json!("abc"), json!("ab"), true),
            (json!("abc"), json!(""), true),
            (json!("ab"), json!("abc"), false),
            (json!("abc"), json!("AB"), false),
            (json!(["ab"]), json!("ab"), false),
            (json!(12), json!("1"), false),
        ],
    );
}

#[test]
fn paths_are_compared_by_segments() {
    let row = |path: &str, folder: &str, expected| (json!(path), json!(folder), expected);
    check(
        "path_within",
        &[
            row("docs/a.md", "docs", true),
            row("docs", "docs", true),
            row("docs/", "docs", true),
            row("docs", "docs/", true),
            row("docsX", "docs", false),
            row("doc", "docs", false),
            row("Docs/a", "docs", false),
            row("./docs//a/./b", "docs/a", true),
            row("a/../b", "b", true),
            row("a/../b", "a", false),
            row("docs/../.github/x", "docs", false),
            row("docs/../.github/x", ".github", true),
            row("docs/x/..", "docs", true),
            row("docs/..", "docs", false),
            row("docs/a", "docs/b/..", true),
            row("../docs/a", "docs", false),
            row("../docs/a", "../docs", false),
            row("docs/../../docs/a", "docs", false),
            row("docs/a", "../x", false),
            row("a", ".", true),
            row("", ".", true),
            row("..", ".", false),
            row("a", "", true),
            row("/docs/a", "/docs", true),
            row("//docs/a", "/docs", true),
            row("/docs/a", "docs", false),
            row("docs/a", "/docs", false),
            row("/etc/../docs", "/docs", true),
            row("/../docs", "/docs", false),
            row("/a", "/", true),
            row("a", "/", false),
            row("/a", ".", false),
            row("docs\\..\\a", "docs", false),
            row("...", "...", true),
            row(" docs", "docs", false),
            (json!(["docs"]), json!("docs"), false),
        ],
    );
}

#[test]
fn patterns_match_anywhere_unless_tied() {
    let check = |text: Value, pattern: &str, expected| {
        let predicate = read(json!({"matches": [text, pattern]}));
        assert_eq!(predicate.holds(&json!({}), |_| None), expected, "{text} {pattern}");
    };
    check(json!("release/1"), "^release/", true);
    check(json!("a release/1"), "^release/", false);
    check(json!("main\n"), "^main$", false);
    check(json!("xmainx"), "main", true);
    check(json!("\u{e9}"), "^.$", true);
    check(json!(12), "1", false);
    check(json!(null), "", false);
}

#[test]
fn patterns_are_of_the_linear_kind() {
    let reads =
        |pattern: &str| serde_json::from_value::<Predicate>(json!({"matches": ["", pattern]})).is_ok();
    assert!(reads("(a+)+$"));
    for refused in ["(?=a)", r"(a)\1", "(", "a{1000}{1000}"] {
        assert!(!reads(refused), "{refused}");
    }
}

#[test]
fn numbers_are_ordered_by_value() {
    let rows = [
        (json!(2), json!(1), true),
        (json!(1.5), json!(1), true),
        (json!(1), json!(0.5), true),
        (json!(-1), json!(-1.5), true),
        (json!(1), json!(1.0), false),
        (json!(9_007_199_254_740_993_u64), json!(9_007_199_254_740_992.0), true),
        (json!(i64::MIN), json!(-1e300), true),
        (json!(1e300), json!(u64::MAX), true),
        (json!(1e20), json!(1e19), true),
    ];
    check("gt", &rows);
    let swapped = rows.clone().map(|(one, other, expected)| (other, one, expected));
    check("lt", &swapped);
    let never =
        [(json!("2"), json!(1), false), (json!([2]), json!(1), false), (json!(true), json!(0), false)];
    check("gt", &never);
    check("lt", &never.map(|(one, other, _)| (other, one, false)));
}

#[test]
fn sizes_count_what_people_count() {
    check(
        "size_gt",
        &[
            (json!("\u{1f600}e\u{301}"), json!(2), true),
            (json!("\u{1f600}e\u{301}"), json!(3), false),
            (json!([1, 2]), json!(1), true),
            (json!([1, 2]), json!(1.5), true),
            (json!(""), json!(0), false),
            (json!(""), json!(-1), true),
            (json!(5), json!(1), false),
            (json!(null), json!(-1), false),
            (json!([1, 2]), json!("1"), false),
        ],
    );
    check(
        "size_lt",
        &[(json!("ab"), json!(3), true), (json!("ab"), json!(2), false), (json!(1), json!(9), false)],
    );
    let members = read(json!({"size_gt": [{"input": ""}, 1]}));
    assert!(members.holds(&json!({"a": 1, "b": 2}), |_| None));
    assert!(!members.holds(&json!({"a": 1}), |_| None));
}

#[test]
fn all_and_any_are_about_items() {
    let check = |operator: &str, input: Value, expected| {
        let predicate = read(json!({operator: {"of": {"input": ""}, "where": {"gt": [{"item": "/n"}, 1]}}}));
        assert_eq!(predicate.holds(&input, |_| None), expected, "{operator} {input}");
    };
    check("any", json!([{"n": 1}, {"n": 2}]), true);
    check("any", json!([{"n": 1}, {}]), false);
    check("any", json!([]), false);
    check("any", json!({"n": 2}), false);
    check("all", json!([{"n": 2}, {"n": 3}]), true);
    check("all", json!([{"n": 2}, {}]), false);
    check("all", json!([]), true);
    check("all", json!({"n": 2}), false);
}

/// An item is the one of the nearest `all` or `any`; in `of`, the one around it.
#[test]
fn items_are_those_of_the_nearest_operator() {
    let predicate = read(json!({"any": {"of": {"input": "/rows"}, "where": {"all": {
        "of": {"item": "/cells"}, "where": {"in": [{"item": ""}, {"fact": "limits/known"}]}
    }}}}));
    let limits = json!({"known": ["a", "b"]});
    let check = |cells: Value, limits: Option<&Value>, expected| {
        let input = json!({"rows": [{"cells": ["x"]}, {"cells": cells}]});
        let fact = |name: &str| limits.filter(|_| name == "limits");
        assert_eq!(predicate.holds(&input, fact), expected, "{input}");
    };
    check(json!(["a", "b"]), Some(&limits), true);
    check(json!(["a", "c"]), Some(&limits), false);
    check(json!(["a"]), None, false);
}

#[test]
fn connectives_connect() {
    let constant = |truth: bool| json!({"eq": [truth, true]});
    let check = |predicate: Value, expected| {
        assert_eq!(read(predicate.clone()).holds(&json!({}), |_| None), expected, "{predicate}");
    };
    for (one, other) in [(false, false), (false, true), (true, false), (true, true)] {
        check(json!({"and": [constant(one), constant(other)]}), one && other);
        check(json!({"or": [constant(one), constant(other)]}), one || other);
    }
    check(json!({"not": constant(true)}), false);
    check(json!({"not": constant(false)}), true);
}

#[test]
fn a_predicate_says_what_it_reads() {
    let predicate = read(json!({"or": [
        {"present": {"input": "/a"}},
        {"not": {"eq": [{"fact": "worktree/branch"}, {"input": "/b/0"}]}},
        {"any": {"of": {"fact": "now"}, "where": {"matches": [{"item": ""}, "x"]}}},
        {"and": [{"size_gt": [{"input": "/a"}, 1]}, {"in": [1, {"fact": "limits"}]}]},
    ]}));
    let expected = Uses { input: ["/a", "/b/0"].into(), facts: ["worktree", "now", "limits"].into() };
    assert_eq!(predicate.reads(), expected);
}

/// Each reference is found where the predicate's JSON has it, and under every operator.
#[test]
fn references_have_places() {
    let binary = ["eq", "ne", "in", "starts_with", "path_within", "gt", "lt", "size_gt", "size_lt"];
    let binary = binary.map(|name| json!({name: [{"input": "/0"}, {"fact": "f"}]}));
    let others = [
        json!({"present": {"input": "/1"}}),
        json!({"absent": {"input": "/2"}}),
        json!({"matches": [{"input": "/3"}, ""]}),
        json!({"all": {"of": {"input": "/4"}, "where": {"not": {"gt": [{"item": ""}, 1]}}}}),
        json!({"any": {"of": [1], "where": {"or": [{"lt": [1, {"item": "/x"}]}]}}}),
    ];
    let all: Vec<Value> = binary.into_iter().chain(others).collect();
    let predicate = read(json!({"and": all}));
    let references = predicate.references();
    assert_eq!(references.len(), 2 * 9 + 6);
    let text = serde_json::to_value(&predicate).unwrap();
    for (at, reference) in references {
        assert_eq!(text.pointer(&at), Some(&serde_json::to_value(reference).unwrap()), "{at}");
    }
}

/// What is written comes back as it was, and nothing else is read.
#[test]
fn the_grammar_is_strict() {
    let sound = [
        json!({"present": {"input": "/a"}}),
        json!({"matches": [{"fact": "f/x"}, "^a"]}),
        json!({"all": {"of": ["a", 1, null, true, 1.5], "where": {"not": {"absent": {"item": ""}}}}}),
        json!({"and": [{"lt": [1, 2]}]}),
    ];
    for predicate in sound {
        assert_eq!(serde_json::to_value(read(predicate.clone())).unwrap(), predicate);
    }
    let wrong = [
        json!({}),
        json!("present"),
        json!({"equals": [1, 1]}),
        json!({"eq": [1, 1], "ne": [1, 1]}),
        json!({"eq": [1]}),
        json!({"eq": [1, 1, 1]}),
        json!({"eq": [{"value": 1}, 1]}),
        json!({"eq": [{"input": "/a", "fact": "f"}, 1]}),
        json!({"eq": [[[1]], 1]}),
        json!({"present": "x"}),
        json!({"all": {"of": [1]}}),
        json!({"all": {"of": [1], "where": {"eq": [1, 1]}, "else": 1}}),
        json!({"not": [{"eq": [1, 1]}]}),
        json!({"matches": ["a", 1]}),
    ];
    for predicate in wrong {
        assert!(serde_json::from_value::<Predicate>(predicate.clone()).is_err(), "{predicate}");
    }
}

/// The schema has the operators that are read, each with its text, and an instance has one of them.
#[test]
fn the_schema_lists_the_operators() {
    let schema = schemars::schema_for!(Predicate).to_value();
    let operators = schema["properties"].as_object().unwrap();
    let names: BTreeSet<&str> = operators.keys().map(String::as_str).collect();
    let expected = [
        "absent",
        "all",
        "and",
        "any",
        "eq",
        "gt",
        "in",
        "lt",
        "matches",
        "ne",
        "not",
        "or",
        "path_within",
        "present",
        "size_gt",
        "size_lt",
        "starts_with",
    ];
    assert_eq!(names, expected.into());
    assert!(operators.values().all(|operator| operator["description"].is_string()));
    assert_eq!((&schema["minProperties"], &schema["maxProperties"]), (&json!(1), &json!(1)));
    assert_eq!(schema["additionalProperties"], json!(false));
    assert_eq!(schema.get("oneOf"), None);
}
