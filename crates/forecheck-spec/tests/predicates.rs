//! What the table publishes of predicates.

#![expect(clippy::unwrap_used, reason = "a test that cannot prepare its files has failed")]

use forecheck_contract::resend::{Basis, Change, Resend};
use forecheck_contract::table::{Row, VerbRow};
use forecheck_spec::check::check;
use forecheck_spec::source::Sources;
use forecheck_spec::table::error_table;
use forecheck_spec::tree::Trees;
use serde_json::json;

/// The row of a code that two verbs share, each with more members of its constraint.
fn row(of_close: &str, of_open: &str) -> Row {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("verbs")).unwrap();
    for (verb, members) in [("close", of_close), ("open", of_open)] {
        let file = format!(
            r#"{{"verb": "{verb}", "input": {{"type": "object", "properties": {{"n": {{"type": "integer"}}}}, "required": ["n"]}},
                "constraints": [{{"code": "TOO_MANY", "description": "x"{members}}}]}}"#
        );
        std::fs::write(folder.path().join(format!("verbs/{verb}.schema.json")), file).unwrap();
    }
    let sources = Sources::load(folder.path()).unwrap();
    let trees = Trees::read(&sources);
    let surface = check(&trees).surface.unwrap();
    error_table(&surface).codes.remove(0)
}

const ABOVE_5: &str = r#", "refuse_when": {"gt": [{"input": "/n"}, 5]}"#;

fn change() -> Change {
    Change { input: ["/n".to_owned()].into(), facts: [].into() }
}

#[test]
fn a_predicate_that_all_verbs_state_stands_in_the_row() {
    let row = row(ABOVE_5, ABOVE_5);
    assert_eq!(serde_json::to_value(&row.refuse_when).unwrap(), json!({"gt": [{"input": "/n"}, 5]}));
    assert_eq!((row.resend, row.change, row.basis), (Resend::ChangeInput, Some(change()), Basis::Predicate));
    assert_eq!(row.by_verb, []);
}

/// The join keeps the weaker reason, and each verb its own.
#[test]
fn a_predicate_of_one_verb_stands_with_that_verb() {
    let declared = r#", "reads": ["/n"]"#;
    let row = row(ABOVE_5, declared);
    let group = |verb: &str, basis, refuse_when| VerbRow {
        verbs: [verb.to_owned()].into(),
        resend: Resend::ChangeInput,
        change: Some(change()),
        basis,
        refuse_when,
        help: None,
        since: None,
        deprecated: None,
    };
    let stated = serde_json::from_value(json!({"gt": [{"input": "/n"}, 5]})).unwrap();
    let expected = [group("close", Basis::Predicate, Some(stated)), group("open", Basis::Signature, None)];
    assert_eq!((row.refuse_when, row.basis), (None, Basis::Signature));
    assert_eq!(row.by_verb, expected);
}

#[test]
fn verbs_with_other_predicates_are_told_apart() {
    let row = row(ABOVE_5, r#", "refuse_when": {"lt": [{"input": "/n"}, 5]}"#);
    assert_eq!((row.refuse_when, row.basis), (None, Basis::Predicate));
    let of_verbs: Vec<_> =
        row.by_verb.iter().map(|group| serde_json::to_value(&group.refuse_when).unwrap()).collect();
    assert_eq!(of_verbs, [json!({"gt": [{"input": "/n"}, 5]}), json!({"lt": [{"input": "/n"}, 5]})]);
}
