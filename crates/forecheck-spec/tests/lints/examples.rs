//! Examples of verbs, and what is wrong with them.

use crate::{SURFACE, one, report, snapshot, verb};

snapshot!(
    examples,
    one(
        r#" "examples": [
    {"title": "fits", "input": {"repo": "a"}, "expect": "succeeded"},
    {"title": "does not fit", "input": {"repo": 1}, "expect": "succeeded"},
    {"title": "fits after all", "input": {"repo": "a"}, "expect": "SCHEMA_INVALID"},
    {"title": "unknown", "input": {"repo": "a"}, "expect": "NO_SUCH_CODE"}
  ],"#,
        ""
    )
);
/// A surface with one fact, and a verb that reads it and the time, with these examples.
fn with_examples(examples: &str) -> String {
    let constraints = r#"{"code": "CLOSED", "description": "x", "reads": ["hours", "now"]}"#;
    let examples = format!("\n  \"examples\": [\n{examples}\n  ],");
    report(&[
        ("surface.json", SURFACE),
        ("facts/hours.schema.json", br#"{"fact": "hours", "description": "x", "schema": {"type": "object", "properties": {"open": {"type": "integer", "maximum": 24}}}}"#),
        ("facts/weather.schema.json", br#"{"fact": "weather", "description": "x", "schema": {}}"#),
        ("verbs/open_pr.schema.json", &verb("open_pr", &examples, constraints)),
        ("verbs/rain.schema.json", &verb("rain", "", r#"{"code": "DRY", "description": "x", "reads": ["weather"]}"#)),
    ])
}

snapshot!(
    facts_of_examples,
    with_examples(
        r#"    {"input": {"repo": "a"}, "facts": {"hour": {}}, "expect": "succeeded"},
    {"input": {"repo": "a"}, "facts": {"weather": "rain"}, "expect": "succeeded"},
    {"input": {"repo": "a"}, "facts": {"hours": {"open": 25}}, "expect": "CLOSED"},
    {"input": {"repo": "a"}, "facts": {"hours": {}, "now": "noon"}, "expect": "CLOSED"},
    {"input": {"repo": "a"}, "facts": {"now": 12}, "expect": "CLOSED"},
    {"input": {"repo": "a"}, "facts": [], "expect": "CLOSED"}"#
    )
);

#[test]
fn sound_examples_have_no_problems() {
    let found = with_examples(
        r#"    {"input": {"repo": "a"}, "facts": {"hours": {"open": 8}, "now": "2026-01-31T12:00:00Z"}, "expect": "CLOSED"},
    {"input": {"repo": "a"}, "facts": {"hours": {"open": 24}}, "expect": "FACT_UNAVAILABLE"},
    {"input": {"repo": "a"}, "facts": {}, "expect": "skipped_idempotent"},
    {"input": {"repo": "a"}, "expect": "refused"},
    {"input": {"repo": 1}, "expect": "refused"},
    {"input": {"repo": 1}, "expect": "SCHEMA_INVALID"}"#,
    );
    assert_eq!(found, "");
}

/// A check that does not declare what it reads is given every fact that can be gathered for its verb.
#[test]
fn an_example_may_give_what_an_undeclared_check_could_read() {
    let found = |of: &str, fact: &str| {
        report(&[
            ("surface.json", SURFACE),
            ("facts/hours.schema.json", format!(r#"{{"fact": "hours", "description": "x", "of": ["{of}"], "schema": {{}}}}"#).as_bytes()),
            (
                "verbs/open_pr.schema.json",
                &verb(
                    "open_pr",
                    &format!(r#" "examples": [{{"input": {{"repo": "a"}}, "facts": {{"{fact}": "2026-01-31T12:00:00Z"}}, "expect": "AB"}}],"#),
                    r#"{"code": "AB", "description": "x"}"#,
                ),
            ),
            ("verbs/b.schema.json", br#"{"verb": "b", "target": null, "input": {"properties": {"n": {}, "repo": {}}}, "constraints": [{"code": "CD", "description": "x", "reads": ["hours"]}]}"#),
        ])
        .lines()
        .next()
        .map(str::to_owned)
    };
    let unread = |fact: &str| Some(format!("error[example]: no check of `open_pr` reads the fact `{fact}`"));
    assert_eq!(found("/repo", "hours"), None);
    assert_eq!(found("/n", "hours"), unread("hours"));
    assert_eq!(found("/repo", "now"), unread("now"));
}

snapshot!(
    answers_of_a_verb_without_a_record,
    one(
        r#" "effects": [], "examples": [
    {"input": {"repo": "a"}, "expect": "failed"},
    {"input": {"repo": "a"}, "expect": "skipped_idempotent"},
    {"input": {"repo": "a"}, "expect": "LEDGER_UNAVAILABLE"}
  ],"#,
        ""
    )
);
