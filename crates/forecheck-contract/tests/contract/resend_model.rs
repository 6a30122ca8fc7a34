//! What a refusal says about a resend, held against every check there can be over small worlds: all
//! boolean functions of up to three of a target, two fields and two facts.

use std::collections::BTreeSet;

use forecheck_contract::resend::{Basis, Change, ChangedBy, ChangingFact, Meaning, Reads, Resend};

/// What a check may read. A world is a truth value for each.
const ALL: [&str; 5] = ["target", "/a", "/b", "f", "g"];
const WORLDS: usize = 1 << ALL.len();
const INPUT: usize = 0b00111;
const TARGET: usize = 0b00001;
const FACTS: usize = 0b11000;

/// Every set of at most three reads, as a mask over [`ALL`].
fn read_sets() -> Vec<usize> {
    (1..WORLDS).filter(|set| set.count_ones() <= 3).collect()
}

fn names(mask: usize) -> impl Iterator<Item = &'static str> {
    ALL.into_iter().enumerate().filter(move |(index, _)| mask & (1 << index) != 0).map(|(_, name)| name)
}

fn fact(name: &str) -> ChangingFact {
    ChangingFact { fact: name.to_owned(), changed_by: Some(ChangedBy::Operator) }
}

fn meaning(set: usize) -> Meaning {
    let reads = Reads {
        target: set & TARGET != 0,
        input: names(set & INPUT & !TARGET).map(str::to_owned).collect(),
        facts: names(set & FACTS).map(fact).collect(),
    };
    Meaning::derive(Some(&reads), Some("/repo"))
}

/// What a refusal names as what may have to change, as a mask.
fn named(change: &Change) -> usize {
    let input = change.input.iter().map(|at| if at == "/repo" { "target" } else { at });
    let all: BTreeSet<&str> = input.chain(change.facts.iter().map(|fact| &*fact.fact)).collect();
    ALL.iter().enumerate().filter(|(_, name)| all.contains(*name)).map(|(index, _)| 1 << index).sum()
}

/// Every check that reads `set`: whether it refuses, by world.
fn checks(set: usize) -> impl Iterator<Item = u32> {
    let rows: Vec<usize> = (0..WORLDS).filter(|world| world & !set == 0).collect();
    (0..1_u32 << rows.len()).map(move |function| {
        let refuses = |world: &usize| {
            let row = rows.iter().position(|row| *row == world & set).unwrap();
            function & (1 << row) != 0
        };
        (0..WORLDS).filter(refuses).map(|world| 1 << world).sum()
    })
}

fn refuses(check: u32, world: usize) -> bool {
    check & (1 << world) != 0
}

/// Whether a refused call can pass once what `free` names changes, and nothing else.
fn may_pass(check: u32, free: usize) -> bool {
    (0..WORLDS).filter(|world| refuses(check, *world)).any(|world| {
        (0..WORLDS).filter(|other| (other ^ world) & !free == 0).any(|other| !refuses(check, other))
    })
}

/// What the words of a row promise, for one check of a verb for which the row alone would say `own`.
fn promise_is_kept(meaning: &Meaning, own: Resend, check: u32) -> bool {
    let stays = match meaning.resend {
        Resend::ChangeInput => !may_pass(check, FACTS),
        Resend::SameInput => !may_pass(check, INPUT & !TARGET),
        Resend::Either => true,
    };
    let named = meaning.change.as_ref().map_or(WORLDS - 1, named);
    // Where a verb's own meaning is `same_input`, another target is another call.
    let kept = if own == Resend::SameInput { named | TARGET } else { named };
    stays && !may_pass(check, (WORLDS - 1) & !kept)
}

#[test]
fn every_promise_is_kept_by_every_check() {
    for set in read_sets() {
        let meaning = meaning(set);
        assert_eq!(meaning.basis, Basis::Signature);
        let kept = |check| promise_is_kept(&meaning, meaning.resend, check);
        assert!(checks(set).all(kept), "{set:05b} {meaning:?}");
    }
}

#[test]
fn no_promise_could_say_more() {
    for set in read_sets() {
        let meaning = meaning(set);
        let input_helps = checks(set).any(|check| may_pass(check, INPUT & !TARGET));
        let target_helps = checks(set).any(|check| may_pass(check, TARGET));
        let facts_help = checks(set).any(|check| may_pass(check, FACTS));
        let expected = match (input_helps || target_helps && !facts_help, facts_help) {
            (_, false) => Resend::ChangeInput,
            (false, true) => Resend::SameInput,
            (true, true) => Resend::Either,
        };
        assert_eq!(meaning.resend, expected, "{set:05b}");
        let change = meaning.change.unwrap();
        for each in (0..ALL.len()).map(|index| 1 << index) {
            let helps = checks(set).any(|check| may_pass(check, each));
            let is_target_of_same = meaning.resend == Resend::SameInput && each == TARGET;
            assert_eq!(named(&change) & each != 0, helps && !is_target_of_same, "{set:05b} {each:05b}");
        }
    }
}

#[test]
fn a_collapsed_row_keeps_its_promise_for_each_of_its_verbs() {
    for one in read_sets() {
        let mut joined: Vec<Meaning> = Vec::new();
        for other in read_sets() {
            let meaning = meaning(one).join(&meaning(other));
            if !joined.contains(&meaning) {
                joined.push(meaning);
            }
        }
        assert!(joined.iter().all(|meaning| meaning.basis == Basis::Signature));
        let undeclared = meaning(one).join(&Meaning::derive(None, None));
        assert_eq!((undeclared.basis, &undeclared.change), (Basis::Undeclared, &None));
        joined.push(undeclared);
        let own = meaning(one).resend;
        for check in checks(one) {
            assert!(joined.iter().all(|meaning| promise_is_kept(meaning, own, check)), "{one:05b}");
        }
    }
}
