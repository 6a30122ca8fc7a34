//! What a refusal says.

use forecheck_contract::table::ErrorTable;
use serde_json::{Value, json};

use crate::desk::{OPEN, call, host, published, state};

#[test]
fn a_refusal_carries_places_details_and_what_resending_does() {
    let host = host();
    let text = OPEN.replace(r#"["src/main.rs"]"#, r#"["a", ".github/x"]"#).replace("\"Fix\"", "\"\"");
    let key = changes::generated::open_change::key(text.as_bytes()).unwrap().to_string();
    let expected = json!({
        "status": "refused",
        "verb": "open_change",
        "refusal": {
            "code": "NO_PRIVILEGED_PATHS",
            "message": "`.github/x` is for operators",
            "at": ["/paths/1"],
            "details": {"path": ".github/x"},
            "also": [{
                "code": "TITLE_BLANK",
                "message": "The title has no visible character.",
                "at": ["/title"],
                "resend": "change_input",
                "change": {"input": ["/draft", "/title"], "facts": []},
                "page": "codes/TITLE_BLANK/",
            }],
            "resend": "change_input",
            "change": {"input": ["/paths"], "facts": []},
            "page": "codes/NO_PRIVILEGED_PATHS/",
        },
        "effects_of_this_call": "none",
    });
    assert_eq!(published(call(&host, "open_change", &text), Some(&key)), expected);
    let expected = json!({
        "status": "refused",
        "verb": "open_change",
        "refusal": {
            "code": "SCHEMA_INVALID",
            "message": "[] has less than 1 item",
            "at": ["/paths"],
            "resend": "change_input",
        },
        "effects_of_this_call": "none",
    });
    let text = OPEN.replace(r#"["src/main.rs"]"#, "[]");
    assert_eq!(published(call(&host, "open_change", &text), None), expected);
}

/// What the envelope says is what the table says of that verb.
#[test]
fn refusals_and_the_table_agree() {
    let table: ErrorTable = serde_json::from_str(include_str!("../generated/errors.json")).unwrap();
    let agrees = |outcome: forecheck::outcome::Outcome| {
        let refusal = outcome.refusal.unwrap();
        let row = table.codes.iter().find(|row| row.code == refusal.code).unwrap();
        let group = row.by_verb.iter().find(|group| group.verbs.contains(&outcome.verb));
        let (resend, change) = group.map_or((row.resend, &row.change), |group| (group.resend, &group.change));
        assert_eq!(
            (refusal.resend, &refusal.change, refusal.page.as_deref()),
            (resend, change, Some(&*row.page))
        );
        refusal.code
    };
    let host = host();
    let land = r#"{"repo": "octo/hello", "number": 1}"#;
    let mut seen = Vec::new();
    let mut refuse = |verb: &str, text: &str, break_it: fn(&mut changes::State)| {
        let before = state(&host).clone();
        break_it(&mut state(&host));
        seen.push(agrees(call(&host, verb, text)));
        *state(&host) = before;
    };
    refuse("open_change", OPEN, |state| state.principal.as_mut().unwrap().repos.clear());
    refuse("open_change", &OPEN.replace("src/", ".github/"), |_| {});
    refuse("open_change", &OPEN.replace("Fix", ""), |_| {});
    refuse("open_change", OPEN, |state| state.registry.clear());
    refuse("open_change", OPEN, |state| state.dirty.push("a".to_owned()));
    refuse("land_change", land, |state| state.dirty.push("a".to_owned()));
    refuse("open_change", OPEN, |state| state.branches.push("fix".to_owned()));
    refuse("land_change", land, |state| state.now = 0);
    refuse("set_mode", r#"{"repo": "octo/hello", "mode": "closed"}"#, |state| state.now = 0);
    refuse("rerun_checks", r#"{"repo": "octo/hello", "intent": "x"}"#, |state| {
        state.principal.as_mut().unwrap().name = "spendthrift".to_owned();
    });
    seen.sort();
    seen.dedup();
    let codes: Vec<&str> = table.codes.iter().map(|row| &*row.code).collect();
    assert_eq!(seen, codes);
}

/// The outcome that is published as a schema reads what the runtime writes.
#[test]
fn answers_of_read_only_verbs_have_no_key() {
    let host = host();
    let expected: Value = json!({
        "status": "succeeded", "verb": "list_changes", "output": {"numbers": [1]}, "effects_of_this_call": "none",
    });
    assert_eq!(published(call(&host, "list_changes", r#"{"repo": "octo/hello"}"#), None), expected);
    assert_eq!(state(&host).gathered, ["principal", "registry"]);
}
