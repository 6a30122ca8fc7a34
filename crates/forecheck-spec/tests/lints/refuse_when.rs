//! The rules about predicates.

use crate::{SURFACE, report, snapshot};

/// Reports on a surface with a verb and facts whose schemas have something to say. Each predicate is the
/// one of a constraint; `rest` is more of its members.
fn predicates(rest: &str, predicates: &[&str]) -> String {
    let constraint = |(index, predicate): (usize, &&str)| {
        format!(r#"{{"code": "P{index}", "description": "x",{rest} "refuse_when": {predicate}}}"#)
    };
    let constraints: Vec<String> = predicates.iter().enumerate().map(constraint).collect();
    let verb = PREDICATE_VERB.replace("CONSTRAINTS", &constraints.join(",\n    "));
    report(&[
        ("surface.json", SURFACE),
        ("verbs/open_pr.schema.json", verb.as_bytes()),
        ("facts/worktree.schema.json", br#"{"fact": "worktree", "of": ["target"], "schema": {"type": "object",
            "properties": {"branch": {"type": "string"}, "dirty": {"type": "boolean"}}, "required": ["dirty"]}}"#),
    ])
}

const PREDICATE_VERB: &str = r##"{
  "verb": "open_pr",
  "input": {
    "type": "object",
    "properties": {
      "repo": {"type": "string", "minLength": 1},
      "mode": {"enum": ["merge", "squash"], "default": "merge"},
      "count": {"type": "integer", "minimum": 1, "maximum": 9},
      "paths": {"type": "array", "items": {"type": "string"}, "minItems": 1},
      "base": {"type": ["string", "null"]},
      "options": {"$ref": "#/$defs/options"},
      "rows": {"type": "array", "items": {"type": "object", "properties": {"n": {"type": "number"}}}}
    },
    "required": ["repo", "count", "paths"],
    "$defs": {"options": {"type": "object", "properties": {"deep": {"type": "object",
      "properties": {"n": {"type": "integer"}, "level": {"type": "integer", "default": 1}}, "required": ["n"]}}}}
  },
  "constraints": [CONSTRAINTS]
}
"##;

/// Each part is looked at once, however deep it stands.
#[test]
fn nesting_takes_no_longer_than_it_must() {
    let around = |inner: String, _| format!(r#"{{"any": {{"of": [1], "where": {inner}}}}}"#);
    let deep = (0..30).fold(r#"{"eq": [{"input": "/repo"}, "x"]}"#.to_owned(), around);
    let uses_the_fact = r#"{"eq": [{"fact": "worktree/dirty"}, true]}"#;
    assert_eq!(predicates("", &[&deep, uses_the_fact]), "");
}

/// What the rules below refuse has a sound neighbour here.
#[test]
fn sound_predicates_have_no_problems() {
    let sound = [
        r#"{"eq": [{"input": "/mode"}, "merge"]}"#,
        r#"{"any": {"of": {"input": "/paths"}, "where": {"path_within": [{"item": ""}, ".github"]}}}"#,
        r#"{"any": {"of": [".github", ".git"], "where": {"path_within": [{"input": "/repo"}, {"item": ""}]}}}"#,
        r#"{"and": [{"present": {"input": "/base"}}, {"starts_with": [{"input": "/base"}, "x"]}]}"#,
        r#"{"and": [{"present": {"input": "/base"}}, {"or": [{"eq": [{"input": "/base"}, null]}, {"matches": [{"input": "/base"}, "^x"]}]}]}"#,
        r#"{"or": [{"absent": {"input": "/base"}}, {"ne": [{"input": "/base"}, "main"]}]}"#,
        r#"{"not": {"or": [{"absent": {"input": "/base"}}, {"ne": [{"input": "/base"}, "main"]}]}}"#,
        r#"{"and": [{"not": {"absent": {"input": "/base"}}}, {"eq": [{"input": "/base"}, {"input": "/repo"}]}]}"#,
        r#"{"and": [{"present": {"input": "/options/deep"}}, {"gt": [{"input": "/options/deep/n"}, 1]}, {"lt": [{"input": "/options/deep/level"}, 3]}]}"#,
        r#"{"and": [{"gt": [{"input": "/count"}, 1]}, {"lt": [{"input": "/count"}, 9]}]}"#,
        r#"{"any": {"of": {"input": "/paths"}, "where": {"in": [{"item": ""}, ["a", "b"]]}}}"#,
        r#"{"size_gt": [{"input": "/paths"}, 1]}"#,
        r#"{"and": [{"eq": [{"fact": "worktree/dirty"}, true]}, {"absent": {"fact": "worktree/branch"}}]}"#,
        r#"{"and": [{"present": {"input": "/rows"}}, {"all": {"of": {"input": "/rows"}, "where": {"and": [{"present": {"item": "/n"}}, {"gt": [{"item": "/n"}, 1]}]}}}]}"#,
    ];
    for predicate in sound {
        let report = predicates("", &[predicate]);
        let problems: Vec<&str> = report.lines().filter(|line| line.contains("]: ")).collect();
        let expected = if predicate.contains("worktree") {
            &[][..]
        } else {
            &["warning[unused]: nothing uses the fact `worktree`"]
        };
        assert_eq!(problems, expected, "{predicate}");
    }
}

snapshot!(
    predicates_that_are_none,
    predicates(
        "",
        &[
            "1",
            "{}",
            r#"{"eq": [1, 1], "ne": [1, 1]}"#,
            r#"{"start_with": ["a", "b"]}"#,
            r#"{"zzz": 1}"#,
            r#"{"eq": [1]}"#,
            r#"{"eq": [{"inptu": "/a"}, {"fact": 1}]}"#,
            r#"{"eq": [{"input": "a"}, {"fact": "worktree/~2"}]}"#,
            r#"{"present": "x"}"#,
            r#"{"in": [1, [[1]]]}"#,
            r#"{"eq": [{"item": ""}, {"item": ""}]}"#,
            r#"{"and": []}"#,
            r#"{"any": {"of": [1], "were": 1}}"#,
            r#"{"matches": ["a", "(?=b)"]}"#,
            r#"{"matches": ["a", 1]}"#,
            &format!("{}{}{}", r#"{"not": "#.repeat(32), r#"{"eq": [1, 1]}"#, "}".repeat(32)),
        ]
    )
);
snapshot!(
    predicates_about_what_may_be_absent,
    predicates(
        "",
        &[
            r#"{"eq": [{"input": "/base"}, "main"]}"#,
            r#"{"and": [{"eq": [{"input": "/base"}, "main"]}, {"present": {"input": "/base"}}]}"#,
            r#"{"or": [{"present": {"input": "/base"}}, {"eq": [{"input": "/base"}, "main"]}]}"#,
            r#"{"not": {"and": [{"absent": {"input": "/base"}}, {"eq": [{"input": "/base"}, "main"]}]}}"#,
            r#"{"and": [{"present": {"input": "/options"}}, {"gt": [{"input": "/options/deep/level"}, 1]}]}"#,
            r#"{"any": {"of": {"input": "/rows"}, "where": {"gt": [{"item": "/n"}, 1]}}}"#,
            r#"{"and": [{"present": {"input": "/rows"}}, {"any": {"of": {"input": "/rows"}, "where": {"and": [{"present": {"item": "/n"}},
        {"any": {"of": {"input": "/rows"}, "where": {"gt": [{"item": "/n"}, 1]}}}]}}}]}"#,
            r#"{"eq": [{"input": "/paths/0"}, "a"]}"#,
            r#"{"eq": [{"fact": "worktree/branch"}, "main"]}"#,
        ]
    )
);
snapshot!(
    predicates_about_what_is_always_there,
    predicates(
        "",
        &[
            r#"{"present": {"input": "/mode"}}"#,
            r#"{"absent": {"input": "/repo"}}"#,
            r#"{"present": {"fact": "worktree/dirty"}}"#,
            r#"{"any": {"of": {"input": "/paths"}, "where": {"present": {"item": ""}}}}"#,
        ]
    )
);
snapshot!(
    predicates_about_the_wrong_kind,
    predicates(
        "",
        &[
            r#"{"gt": [{"input": "/repo"}, 1]}"#,
            r#"{"starts_with": [{"input": "/repo"}, 1]}"#,
            r#"{"size_lt": [{"input": "/count"}, 1]}"#,
            r#"{"any": {"of": {"input": "/repo"}, "where": {"eq": [1, 1]}}}"#,
            r#"{"in": [{"input": "/repo"}, "abc"]}"#,
            r#"{"ne": [{"input": "/count"}, "1"]}"#,
            r#"{"any": {"of": {"input": "/paths"}, "where": {"lt": [{"item": ""}, 1]}}}"#,
            r#"{"eq": [{"input": "/none"}, {"fact": "worktree/none"}]}"#,
            r#"{"eq": [{"fact": "none"}, 1]}"#,
            r#"{"any": {"of": {"input": "/paths"}, "where": {"eq": [{"item": "/x"}, 1]}}}"#,
        ]
    )
);
snapshot!(
    predicates_that_read_something_else,
    predicates(
        r#" "reads": ["/paths", "worktree", "target"],"#,
        &[
            r#"{"eq": [{"fact": "worktree/dirty"}, true]}"#,
            r#"{"and": [{"eq": [{"input": "/mode"}, "merge"]}, {"size_gt": [{"input": "/paths"}, 1]}]}"#,
            r#"{"any": {"of": {"input": "/paths"}, "where": {"eq": [{"item": ""}, {"input": "/repo"}]}}}"#,
        ]
    )
);
snapshot!(
    predicates_with_details,
    predicates(r#" "details": {"type": "object"},"#, &[r#"{"eq": [{"input": "/mode"}, "merge"]}"#])
);
snapshot!(
    predicates_that_are_never_true,
    predicates(
        "",
        &[
            r#"{"eq": [1, 2]}"#,
            r#"{"eq": [{"input": "/mode"}, "rebase"]}"#,
            r#"{"gt": [{"input": "/count"}, 9]}"#,
            r#"{"size_lt": [{"input": "/paths"}, 1]}"#,
            r#"{"and": [{"gt": [{"input": "/count"}, 5]}, {"lt": [{"input": "/count"}, 5]}]}"#,
            r#"{"and": [{"eq": [{"input": "/repo"}, "a"]}, {"starts_with": [{"input": "/repo"}, "b"]}]}"#,
            r#"{"and": [{"present": {"input": "/base"}}, {"absent": {"input": "/base"}}]}"#,
            r#"{"and": [{"matches": [{"input": "/repo"}, "x"]}, {"not": {"matches": [{"input": "/repo"}, "x"]}}]}"#,
            r#"{"any": {"of": {"input": "/paths"}, "where": {"in": [{"item": ""}, []]}}}"#,
            r#"{"or": [{"eq": [{"input": "/mode"}, "rebase"]}, {"eq": [{"input": "/mode"}, "merge"]}]}"#,
        ]
    )
);
snapshot!(
    predicates_that_are_always_true,
    predicates(
        "",
        &[
            r#"{"ne": [{"input": "/mode"}, "rebase"]}"#,
            r#"{"in": [{"input": "/mode"}, ["merge", "squash", "rebase"]]}"#,
            r#"{"or": [{"eq": [{"input": "/mode"}, "merge"]}, {"eq": [{"input": "/mode"}, "squash"]}]}"#,
            r#"{"lt": [0, {"input": "/count"}]}"#,
            r#"{"or": [{"present": {"input": "/base"}}, {"absent": {"input": "/base"}}]}"#,
            r#"{"size_gt": [{"input": "/repo"}, 0]}"#,
            r#"{"not": {"eq": [{"input": "/mode"}, "rebase"]}}"#,
            r#"{"any": {"of": {"input": "/paths"}, "where": {"size_gt": [{"item": ""}, -1]}}}"#,
            r#"{"and": [{"eq": [{"input": "/mode"}, "merge"]}, {"gt": [{"input": "/count"}, 0.5]}]}"#,
        ]
    )
);
