//! The checks say what the examples of the spec say.

use changes::Desk;
use changes::generated::examples::all;
use changes::generated::land_change;
use forecheck::conform::{Disagreement, Example, Judged, PlayedExample, conform_examples, judge};
use forecheck::outcome::{Outcome, Status};

#[test]
fn every_example_is_what_the_checks_say() {
    let played: Vec<String> = conform_examples(&all::<Desk>()).iter().map(PlayedExample::to_string).collect();
    println!("{}", played.join("\n"));
    let expected = [
        "example land_change cleared \"After the freeze\" ok",
        "example land_change FROZEN \"In the freeze\" ok",
        "example land_change refused \"A file that is not committed\" ok",
        "example list_changes succeeded \"The changes\" open: it gives no facts, not even `principal`",
        "example open_change succeeded \"A change\" ok",
        "example open_change NOT_ALLOWED \"A repository of somebody else\" ok",
        "example open_change NO_PRIVILEGED_PATHS \"A file of the operators\" ok",
        "example open_change TITLE_BLANK \"A title of blanks\" ok",
        "example open_change BRANCH_EXISTS \"A branch that is there\" ok",
        "example open_change FACT_UNAVAILABLE \"Nobody looks for branches\" ok",
        "example open_change SCHEMA_INVALID \"No path\" ok",
        "example rerun_checks skipped_idempotent \"The same once more\" open: no check says so",
        "example set_mode CLOSED_IN_FREEZE \"Closed in the freeze\" ok",
        "example set_mode succeeded \"Closed after the freeze\" ok",
        "example set_mode succeeded \"Opened in the freeze\" ok",
    ];
    assert_eq!(played, expected);
}

/// An example of `land_change` that holds; each test changes one thing about it.
const SOUND: Example = Example {
    verb: "land_change",
    title: "After the freeze",
    input: r#"{"repo": "octo/hello", "number": 1}"#,
    facts: Some(
        r#"{"principal": {"name": "ada", "repos": ["octo/hello"]}, "registry": {"repos": ["octo/hello"]},
            "worktree": {"dirty": []}, "freeze": {"until": 300}, "now": "1970-01-01T00:05:00Z"}"#,
    ),
    expect: "cleared",
    judge: judge::<land_change::Verb<Desk>>,
};

/// How an example goes, and the line about it without its start.
fn played(example: Example) -> (Result<Judged, Disagreement>, String) {
    let [played] = conform_examples(&[example]).try_into().unwrap();
    let start = format!("example {} {} {:?} ", example.verb, example.expect, example.title);
    let line = played.to_string();
    (played.result, line.strip_prefix(&start).unwrap().to_owned())
}

/// An example in which `facts` are the sound ones with one text put for another.
fn with(from: &str, to: &str) -> Example {
    let facts = SOUND.facts.unwrap();
    assert!(facts.contains(from), "{from}");
    Example { facts: Some(facts.replace(from, to).leak()), ..SOUND }
}

#[test]
fn what_an_example_lacks_is_said_as_data() {
    let check = |example: Example, expected: Disagreement, line: &str| {
        assert_eq!(played(example), (Err(expected), format!("FAILED {line}")));
    };
    assert_eq!(played(SOUND), (Ok(Judged::Agrees), "ok".to_owned()));
    check(
        with(r#""worktree": {"dirty": []}, "#, ""),
        Disagreement::MissingFact { fact: "worktree" },
        "the example does not give the fact `worktree`",
    );
    check(
        with(r#""worktree""#, r#""worktrees""#),
        Disagreement::UnknownFact { fact: "worktrees".to_owned() },
        "no check of the verb reads the fact `worktrees`",
    );
    // The surface has the fact, and another verb reads it.
    check(
        with(r#""worktree""#, r#""branches""#),
        Disagreement::UnknownFact { fact: "branches".to_owned() },
        "no check of the verb reads the fact `branches`",
    );
    let reason = "unknown field `clean`, expected `dirty`".to_owned();
    let line = format!("the fact `worktree` does not fit: {reason}");
    check(
        with(r#""dirty""#, r#""clean""#),
        Disagreement::UnfitFact { fact: "worktree".to_owned(), reason },
        &line,
    );
    let reason = "\"noon\" is no RFC 3339 date and time: it is not written like `2026-01-31T12:00:00Z`";
    let line = format!("the fact `now` does not fit: {reason}");
    check(
        with("1970-01-01T00:05:00Z", "noon"),
        Disagreement::UnfitFact { fact: "now".to_owned(), reason: reason.to_owned() },
        &line,
    );
    let unreadable = Example { facts: Some("[]"), ..SOUND };
    check(unreadable, Disagreement::FactsUnreadable, "the facts are no JSON object");
    let panics = Example { judge: |_| panic!("in\ntwo lines"), ..SOUND };
    check(panics, Disagreement::Panicked { message: "in\ntwo lines".to_owned() }, "panicked: in two lines");
}

/// The answer with which an example fails, and its line.
fn answer(example: Example) -> (Outcome, String) {
    let (result, line) = played(example);
    let Err(Disagreement::Answer { outcome }) = result else { panic!("{result:?}") };
    (*outcome, line)
}

#[test]
fn an_example_fails_where_the_checks_answer_otherwise() {
    for expect in
        ["refused", "FROZEN", "WORKTREE_DIRTY", "SCHEMA_INVALID", "NO_SUCH_CODE", "FACT_UNAVAILABLE"]
    {
        let (outcome, line) = answer(Example { expect, ..SOUND });
        assert_eq!((outcome.status, line.as_str()), (Status::Cleared, "FAILED cleared"), "{expect}");
    }
    // The first code counts: the freeze is not looked at.
    let dirty = with(r#""dirty": []"#, r#""dirty": ["notes.txt"]"#);
    for expect in ["cleared", "succeeded", "FROZEN"] {
        let (outcome, line) = answer(Example { expect, ..dirty });
        assert_eq!(outcome.refusal.unwrap().code, "WORKTREE_DIRTY");
        let text = "refused WORKTREE_DIRTY (The repository has changes that are not committed.)";
        assert_eq!(line, format!("FAILED {text}"));
    }
    for expect in ["refused", "WORKTREE_DIRTY"] {
        assert_eq!(played(Example { expect, ..dirty }).0, Ok(Judged::Agrees));
    }
    let outside = Example { input: r#"{"repo": "octo/hello", "number": 0}"#, ..SOUND };
    assert_eq!(answer(outside).0.refusal.unwrap().code, "SCHEMA_INVALID");
    for expect in ["refused", "SCHEMA_INVALID"] {
        assert_eq!(played(Example { expect, ..outside }).0, Ok(Judged::Agrees));
    }
}

#[test]
fn what_checks_cannot_say_is_left_open() {
    let silent = Example { facts: None, ..SOUND };
    assert_eq!(played(silent).0, Ok(Judged::NeedsFact { fact: "principal" }));
    let empty = Example { facts: Some("{}"), ..SOUND };
    assert_eq!(played(empty).0, Err(Disagreement::MissingFact { fact: "principal" }));
    for expect in ["skipped_idempotent", "failed", "in_flight", "in_doubt", "LEDGER_UNAVAILABLE"] {
        assert_eq!(played(Example { expect, ..SOUND }).0, Ok(Judged::NotByChecks), "{expect}");
    }
    let missing = with(r#""freeze": {"until": 300}, "#, "");
    assert_eq!(played(Example { expect: "FACT_UNAVAILABLE", ..missing }).0, Ok(Judged::Agrees));
}
