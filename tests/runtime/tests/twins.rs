//! Each constraint of the surface refuses, and the same call acts where it holds.

use std::collections::{BTreeMap, BTreeSet};

use changes::Desk;
use changes::generated::twins::{Break, all};
use forecheck::Host;
use forecheck::conform::{Half, Played, Sandbox, Twin, Violation, conform};
use forecheck::outcome::{Outcome, Status};
use forecheck_contract::table::ErrorTable;
use serde_json::{Value, json};

use crate::desk::{effects, host, state};

/// A desk, and a call to it.
struct Scene {
    host: Host<Desk>,
    input: Value,
}

impl Sandbox for Scene {
    type World = Desk;

    fn satisfied(verb: &str) -> Scene {
        let mut input = json!({"repo": "octo/hello"});
        let more: &[(&str, Value)] = match verb {
            "open_change" => {
                &[("branch", "fix".into()), ("title", "Fix".into()), ("paths", json!(["src/main.rs"]))]
            }
            "land_change" => &[("number", 1.into())],
            "set_mode" => &[("mode", "closed".into())],
            "rerun_checks" => &[("intent", "again".into())],
            _ => &[],
        };
        for (name, value) in more {
            input[*name] = value.clone();
        }
        Scene { host: host(), input }
    }

    fn host(&self) -> &Host<Desk> {
        &self.host
    }

    fn input(&self) -> String {
        self.input.to_string()
    }

    fn snapshot(&self) -> BTreeMap<String, Vec<u8>> {
        let mut seen = state(&self.host).clone();
        // Gatherers note each look: that is no effect.
        seen.gathered.clear();
        let parts = [("effects", effects(&self.host).join("\n")), ("state", format!("{seen:?}"))];
        parts.map(|(name, text)| (name.to_owned(), text.into_bytes())).into()
    }
}

impl Break for Scene {
    fn break_branch_exists(&mut self, _verb: &str) {
        state(&self.host).branches.push("fix".to_owned());
    }

    fn break_closed_in_freeze(&mut self, _verb: &str) {
        state(&self.host).frozen_until = 300;
    }

    fn break_frozen(&mut self, _verb: &str) {
        state(&self.host).frozen_until = 300;
    }

    fn break_not_allowed(&mut self, _verb: &str) {
        state(&self.host).principal.as_mut().unwrap().repos.clear();
    }

    fn break_no_privileged_paths(&mut self, _verb: &str) {
        self.input["paths"] = json!(["src/main.rs", ".github/workflows/ci.yml"]);
    }

    fn break_quota_spent(&mut self, _verb: &str) {
        state(&self.host).principal.as_mut().unwrap().name = "spendthrift".to_owned();
    }

    fn break_repo_not_in_registry(&mut self, _verb: &str) {
        state(&self.host).registry.clear();
    }

    fn break_title_blank(&mut self, _verb: &str) {
        self.input["title"] = " ".into();
    }

    fn break_worktree_dirty(&mut self, _verb: &str) {
        state(&self.host).dirty.push("notes.txt".to_owned());
    }
}

#[test]
fn every_constraint_refuses_and_every_call_acts_where_it_holds() {
    let twins = all::<Scene>();
    let listed: BTreeSet<(&str, &str)> = twins.iter().map(|twin| (twin.code, twin.verb)).collect();
    let table: ErrorTable = serde_json::from_str(include_str!("../generated/errors.json")).unwrap();
    let rows = table.codes.iter().flat_map(|row| row.verbs.iter().map(|verb| (&*row.code, &**verb)));
    assert_eq!(listed, rows.collect());
    let played = conform(&twins);
    for half in &played {
        println!("{half}");
    }
    let failed: Vec<&Played> = played.iter().filter(|half| half.result.is_err()).collect();
    assert_eq!(failed, [&played[0]; 0]);
}

fn twin(break_it: fn(&mut Scene), call: fn(&Host<Desk>, &[u8]) -> Outcome, acts: bool) -> Twin<Scene> {
    let preflight = LOOK;
    Twin { verb: "open_change", code: "BRANCH_EXISTS", break_it, call, preflight, acts }
}

/// What went wrong with each half.
fn violations(twin: Twin<Scene>) -> [Result<(), Violation>; 2] {
    let [refused, effect] = conform(&[twin]).try_into().unwrap();
    assert_eq!((refused.half, effect.half), (Half::Refused, Half::Effect));
    [refused.result, effect.result]
}

/// The answer of `call` to the call that is satisfied, after `breaking` it.
fn outcome(breaking: fn(&mut Scene), call: fn(&Host<Desk>, &[u8]) -> Outcome) -> Box<Outcome> {
    let mut scene = Scene::satisfied("open_change");
    breaking(&mut scene);
    Box::new(call(&scene.host, scene.input().as_bytes()))
}

const CALL: fn(&Host<Desk>, &[u8]) -> Outcome = changes::generated::open_change::call;
const LOOK: fn(&Host<Desk>, &[u8]) -> Outcome = changes::generated::open_change::preflight;
const BRANCH_EXISTS: fn(&mut Scene) = |scene| scene.break_branch_exists("open_change");

#[test]
fn what_is_wrong_with_a_twin_is_said_as_data() {
    let refused_elsewhere: fn(&mut Scene) = |scene| scene.break_worktree_dirty("open_change");
    let expected = "BRANCH_EXISTS";
    for breaking in [refused_elsewhere, |_| {}] {
        let outcome = outcome(breaking, LOOK);
        let violation = Violation::NotRefused { expected, outcome };
        assert_eq!(violations(twin(breaking, CALL, true)), [Err(violation), Ok(())]);
    }
    let acts_though_refused: fn(&Host<Desk>, &[u8]) -> Outcome = |host, text| {
        state(host).branches.push("left behind".to_owned());
        CALL(host, text)
    };
    let changed = Violation::Changed { paths: vec!["state".to_owned()] };
    assert_eq!(violations(twin(BRANCH_EXISTS, acts_though_refused, true)), [Err(changed), Ok(())]);
    let changed = Violation::Changed { paths: vec!["effects".to_owned()] };
    assert_eq!(violations(twin(BRANCH_EXISTS, CALL, false)), [Ok(()), Err(changed)]);
    let says_so: fn(&Host<Desk>, &[u8]) -> Outcome = |host, text| {
        let mut outcome = changes::generated::open_change::preflight(host, text);
        if outcome.status == Status::Cleared {
            outcome.status = Status::Succeeded;
        }
        outcome
    };
    assert_eq!(violations(twin(BRANCH_EXISTS, says_so, true)), [Ok(()), Err(Violation::NothingHappened)]);
    let violation = Violation::NotSucceeded { outcome: outcome(|_| {}, LOOK) };
    assert_eq!(violations(twin(BRANCH_EXISTS, LOOK, true)), [Ok(()), Err(violation)]);
    let declines: fn(&mut Scene) = |scene| *changes::held(&scene.host.act.end) = changes::End::Declines;
    let violation = Violation::NotRefused { expected, outcome: outcome(declines, LOOK) };
    assert_eq!(violations(twin(declines, CALL, true))[0], Err(violation));
    let panics = Violation::Panicked { message: "no such scene".to_owned() };
    assert_eq!(violations(twin(|_| panic!("no such scene"), CALL, true)), [Err(panics), Ok(())]);
}

#[test]
fn a_played_half_is_one_line() {
    let line = |half, result| Played { verb: "open_change", code: "BRANCH_EXISTS", half, result }.to_string();
    assert_eq!(line(Half::Refused, Ok(())), "twin open_change BRANCH_EXISTS refused ok");
    let panicked = Violation::Panicked { message: "in\ntwo lines".to_owned() };
    let expected = "twin open_change BRANCH_EXISTS effect FAILED panicked: in two lines";
    assert_eq!(line(Half::Effect, Err(panicked)), expected);
    let outcome = outcome(|scene| scene.break_worktree_dirty("open_change"), CALL);
    let elsewhere = Violation::NotRefused { expected: "BRANCH_EXISTS", outcome };
    let expected = "twin open_change BRANCH_EXISTS refused FAILED not refused with BRANCH_EXISTS: refused \
                    WORKTREE_DIRTY (The repository has changes that are not committed.)";
    assert_eq!(line(Half::Refused, Err(elsewhere)), expected);
}
