//! What is looked at before what.

use changes::generated::preflight;
use forecheck::outcome::{Effects, Status};

use crate::desk::{OPEN, call, codes, effects, host, state};

fn with(field: &str, value: &str) -> String {
    let mut input: serde_json::Value = serde_json::from_str(OPEN).unwrap();
    input[field] = serde_json::from_str(value).unwrap();
    input.to_string()
}

#[test]
fn a_call_that_nothing_stops_acts_once_and_gathers_each_fact_once() {
    let host = host();
    let outcome = call(&host, "open_change", OPEN);
    assert_eq!((outcome.status, outcome.effects_of_this_call), (Status::Succeeded, Effects::Complete));
    assert_eq!(effects(&host), ["open_change fix"]);
    let gathered = ["principal", "registry", "worktree", "branches", "freeze"];
    assert_eq!(state(&host).gathered, gathered);
}

#[test]
fn what_is_read_before_anything_is_gathered() {
    let host = host();
    let check = |text: &str, expected: &[&str]| {
        let outcome = call(&host, "open_change", text);
        assert_eq!(codes(&outcome), expected, "{text}");
        assert_eq!(outcome.status, Status::Refused);
    };
    check("{", &["INPUT_NOT_JSON"]);
    check(r#"{"repo": "a", "repo": "b"}"#, &["INPUT_DUPLICATE_KEY"]);
    check(&with("paths", "[]"), &["SCHEMA_INVALID"]);
    check(
        r#"{"repo": 1, "branch": "", "title": "t", "paths": ["p"]}"#,
        &["SCHEMA_INVALID", "SCHEMA_INVALID"],
    );
    check(&with("repo", "\"a|b\""), &["TARGET_INVALID"]);
    check(&with("repo", "\" / \""), &["TARGET_INVALID"]);
    assert_eq!(state(&host).gathered, [""; 0]);
    assert_eq!(effects(&host), [""; 0]);
}

#[test]
fn policy_comes_first_then_all_input_only_failures_together_then_the_others_one_by_one() {
    let host = host();
    let blank = with("title", "\" \"");
    let input_only = blank.replace("src/main.rs", ".github/x");
    {
        let mut state = state(&host);
        state.principal.as_mut().unwrap().repos.clear();
        state.registry.clear();
        state.dirty.push("a".to_owned());
        state.branches.push("fix".to_owned());
    }
    let check = |text: &str, expected: &[&str], gathered: &[&str]| {
        state(&host).gathered.clear();
        assert_eq!(codes(&call(&host, "open_change", text)), expected);
        assert_eq!(state(&host).gathered, gathered);
    };
    check(&input_only, &["NOT_ALLOWED"], &["principal"]);
    state(&host).principal.as_mut().unwrap().repos.push("octo/hello".to_owned());
    check(&input_only, &["NO_PRIVILEGED_PATHS", "TITLE_BLANK"], &["principal"]);
    check(OPEN, &["REPO_NOT_IN_REGISTRY"], &["principal", "registry"]);
    state(&host).registry.push("octo/hello".to_owned());
    check(OPEN, &["WORKTREE_DIRTY"], &["principal", "registry", "worktree"]);
    state(&host).dirty.clear();
    check(OPEN, &["BRANCH_EXISTS"], &["principal", "registry", "worktree", "branches"]);
    assert_eq!(effects(&host), [""; 0]);
    state(&host).branches.pop();
    assert_eq!(call(&host, "open_change", OPEN).status, Status::Succeeded);
}

#[test]
fn checks_see_the_target_in_its_one_spelling_and_defaults_filled_in() {
    let host = host();
    let spelled = with("repo", "\" https://GitHub.com/Octo/Hello.git/ \"");
    // `draft` is false where it is left out, so a blank title is refused.
    let blank = spelled.replace("\"Fix\"", "\"\"");
    assert_eq!(codes(&call(&host, "open_change", &blank)), ["TITLE_BLANK"]);
    let draft = blank.replace("\"branch\"", "\"draft\": true, \"branch\"");
    assert_eq!(call(&host, "open_change", &draft).status, Status::Succeeded);
    assert_eq!(call(&host, "open_change", &spelled).status, Status::Succeeded);
}

#[test]
fn a_fact_that_cannot_be_gathered_refuses() {
    let host = host();
    state(&host).principal = None;
    let outcome = call(&host, "open_change", OPEN);
    let refusal = outcome.refusal.unwrap();
    assert_eq!(refusal.code, "FACT_UNAVAILABLE");
    let details = serde_json::json!({"fact": "principal", "reason": "nobody is logged in"});
    assert_eq!(refusal.details, Some(details));
    assert_eq!(refusal.message, "the fact `principal` could not be gathered: nobody is logged in");
    assert_eq!(effects(&host), [""; 0]);
}

#[test]
fn a_preflight_says_what_would_come_and_does_nothing() {
    let host = host();
    let look = || preflight(&host, "open_change", OPEN.as_bytes()).unwrap();
    assert_eq!((look().status, look().effects_of_this_call), (Status::Cleared, Effects::None));
    state(&host).dirty.push("a".to_owned());
    assert_eq!(codes(&look()), ["WORKTREE_DIRTY"]);
    state(&host).dirty.clear();
    assert_eq!(effects(&host), [""; 0]);
    call(&host, "open_change", OPEN);
    assert_eq!(look().status, Status::SkippedIdempotent);
}

#[test]
fn time_is_a_fact() {
    let host = host();
    let land = r#"{"repo": "octo/hello", "number": 1}"#;
    state(&host).now = 99;
    assert_eq!(codes(&call(&host, "land_change", land)), ["FROZEN"]);
    state(&host).now = 100;
    assert_eq!(call(&host, "land_change", land).status, Status::Succeeded);
}

#[test]
fn a_predicate_refuses_by_what_it_says_of_input_facts_and_time() {
    let host = host();
    let set = |mode: &str| format!(r#"{{"repo": "octo/hello", "mode": "{mode}"}}"#);
    let check = |mode: &str, now: u64, expected: &[&str]| {
        state(&host).now = now;
        assert_eq!(codes(&call(&host, "set_mode", &set(mode))), expected, "{mode} {now}");
    };
    check("closed", 99, &["CLOSED_IN_FREEZE"]);
    check("open", 99, &[]);
    check("closed", 100, &[]);
}

#[test]
fn a_verb_that_the_surface_does_not_have_is_no_call() {
    let host = host();
    assert_eq!(changes::generated::call(&host, "close_change", b"{}"), None);
}
