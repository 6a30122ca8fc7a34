//! Laws of reading and writing, over random documents and random bytes.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use forecheck_contract::canonical;
use forecheck_contract::json::{self, Limits, Node, ReadProblem, ReadProblemKind, Reading, Span, Value};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::documents::{Document, document, text};

/// One less than `serde_json`, which refuses the 128th open array or object.
const SERDE_DEPTH: Limits = Limits { depth: 127, ..Limits::SPEC };

fn read(text: &str) -> Node<'_> {
    json::read(text.as_bytes(), Limits::SPEC).unwrap_or_else(|problems| panic!("{text}: {problems:?}"))
}

/// The same value, whatever the places, the order of members and the spelling of numbers.
fn same_value(a: &Node<'_>, b: &Node<'_>) -> bool {
    match (&a.value, &b.value) {
        // Adding zero makes `-0` and `0` one.
        (Value::Number(a), Value::Number(b)) => (a.as_f64() + 0.0).to_bits() == (b.as_f64() + 0.0).to_bits(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_value(a, b))
        }
        (Value::Object(a), Value::Object(members)) => {
            a.len() == members.len()
                && a.iter()
                    .all(|member| b.get(&member.name).is_some_and(|other| same_value(&member.node, other)))
        }
        (a, b) => a == b,
    }
}

/// Every node under `node`, and every span beside the nodes' own.
fn walk<'n, 'a>(node: &'n Node<'a>, nodes: &mut Vec<&'n Node<'a>>, names: &mut Vec<(&'n str, Span)>) {
    nodes.push(node);
    match &node.value {
        Value::Array(items) => items.iter().for_each(|item| walk(item, nodes, names)),
        Value::Object(members) => {
            for member in members {
                names.push((&member.name, member.name_span));
                walk(&member.node, nodes, names);
            }
        }
        _ => {}
    }
}

fn cut(text: &str, span: Span) -> &str {
    text.get(span.start as usize..span.end as usize).unwrap_or_else(|| panic!("{span:?} in {text:?}"))
}

fn is_duplicate(problem: &ReadProblem) -> bool {
    matches!(problem.kind, ReadProblemKind::DuplicateName { .. })
}

/// Where the names of the members that stay start, and those of the others with their first.
type KeptAndRepeated = (Vec<u32>, Vec<(u32, u32)>);

fn kept_and_repeated(reading: &Reading<'_>) -> KeptAndRepeated {
    let members = reading.root.as_ref().and_then(Node::as_object).unwrap();
    let repeated = reading.problems.iter().map(|problem| match &problem.kind {
        ReadProblemKind::DuplicateName { first, .. } => (problem.span.start, first.start),
        other => panic!("{other:?}"),
    });
    (members.iter().map(|member| member.name_span.start).collect(), repeated.collect())
}

fn expected_of(names: &[String]) -> KeptAndRepeated {
    let (mut kept, mut repeated, mut firsts) = (Vec::new(), Vec::new(), BTreeMap::new());
    let mut start = 1;
    for name in names {
        match firsts.entry(name) {
            Entry::Vacant(entry) => kept.push(*entry.insert(start)),
            Entry::Occupied(entry) => repeated.push((start, *entry.get())),
        }
        start += u32::try_from(name.len() + "\"\":null,".len()).unwrap();
    }
    (kept, repeated)
}

/// A text that is nearly JSON: one of a document's texts after a few changes of bytes.
fn nearly_json() -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![
        proptest::sample::select(b"{}[]\",:\\u0123d8Dc+-.eEtfn \n\x00\x1f\x7f\xc3\xa9\xff\xef".to_vec()),
        any::<u8>(),
    ];
    let change = (any::<proptest::sample::Index>(), 0..3, byte);
    (document(), any::<u64>(), vec(change, 0..4)).prop_map(|(document, seed, changes)| {
        let mut bytes = document.text(seed).into_bytes();
        for (place, kind, byte) in changes {
            let at = place.index(bytes.len() + 1);
            match kind {
                0 => bytes.insert(at, byte),
                1 if at < bytes.len() => bytes[at] = byte,
                _ if at < bytes.len() => drop(bytes.remove(at)),
                _ => bytes.truncate(at / 2),
            }
        }
        bytes
    })
}

proptest! {
    #[test]
    fn canonical_text_depends_on_nothing_but_the_value(document in document(), seeds: (u64, u64)) {
        let (one, other) = (document.text(seeds.0), document.text(seeds.1));
        let canonical = canonical::to_string(&read(&one));
        prop_assert_eq!(&canonical, &canonical::to_string(&read(&other)));
        prop_assert_eq!(&canonical, &canonical::to_string(&read(&canonical)));
        prop_assert!(same_value(&read(&one), &read(&canonical)));
        prop_assert!(canonical::same(&read(&one), &read(&other)));
    }

    #[test]
    fn other_values_have_other_canonical_texts(a in document(), b in document(), seed: u64) {
        let (a, b) = (a.text(seed), b.text(seed));
        prop_assert_eq!(canonical::same(&read(&a), &read(&b)), same_value(&read(&a), &read(&b)));
    }

    /// `serde_json` with `float_roundtrip` and `serde_json_canonicalizer` share no code with us but
    /// `ryu-js`, which the number corpus checks.
    #[test]
    fn canonical_text_is_what_another_library_writes(document in document(), seed: u64) {
        let text = document.text(seed);
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        let expected = serde_json_canonicalizer::to_string(&value).unwrap();
        prop_assert_eq!(canonical::to_string(&read(&text)), expected);
    }

    #[test]
    fn a_digest_in_chunks_is_the_digest_of_the_text(document in document(), copies in 1_usize..3000) {
        let text = format!("[{}]", vec![document.text(1); copies].join(","));
        let tree = read(&text);
        let mut hasher = canonical::Hasher::new();
        canonical::write(&tree, &mut hasher);
        let whole: [u8; 32] = <sha2::Sha256 as sha2::Digest>::digest(canonical::to_string(&tree)).into();
        prop_assert_eq!(hasher.finish(), whole);
    }

    #[test]
    fn a_place_holds_what_the_node_holds(document in document(), seed: u64) {
        let text = document.text(seed);
        let root = read(&text);
        let (mut nodes, mut names) = (Vec::new(), Vec::new());
        walk(&root, &mut nodes, &mut names);
        for node in nodes {
            let alone = read(cut(&text, node.span));
            prop_assert!(canonical::same(&alone, node));
            prop_assert_eq!(alone.span.end - alone.span.start, node.span.end - node.span.start);
        }
        for (name, span) in names {
            let alone = read(cut(&text, span));
            prop_assert_eq!(alone.as_str(), Some(name));
        }
    }

    #[test]
    fn each_repeated_name_is_found_and_the_first_stays(names in vec("[abc]{1,2}", 0..12)) {
        let members: Vec<String> = names.iter().map(|name| format!("\"{name}\":null")).collect();
        let text = format!("{{{}}}", members.join(","));
        let reading = json::read_whole(text.as_bytes(), Limits::CALL);
        prop_assert_eq!(kept_and_repeated(&reading), expected_of(&names));
    }

    #[test]
    fn a_pointer_leads_to_the_problem(document in document(), names in vec(text(), 0..5)) {
        let text = names.iter().rev().fold(format!("[{},1e400]", document.text(7)), |inner, name| {
            format!("[0,{{{}:{inner}}}]", Document::Text(name.clone()).text(3))
        });
        let Reading { root, problems } = json::read_whole(text.as_bytes(), Limits::SPEC);
        let root = root.unwrap();
        prop_assert_eq!(problems.len(), 1);
        prop_assert_eq!(root.at(&problems[0].pointer).map(|node| node.span), Some(problems[0].span));
    }

    /// `serde_json` is as strict but for repeated names, which it accepts.
    #[test]
    fn serde_json_accepts_and_refuses_the_same_texts(bytes in nearly_json()) {
        let ours = json::read(&bytes, SERDE_DEPTH);
        let theirs = serde_json::from_slice::<serde_json::Value>(&bytes);
        match (ours, theirs) {
            (Ok(root), Ok(value)) => prop_assert_eq!(serde_json::to_value(&root).unwrap(), value),
            (Err(_), Err(_)) => {}
            (Err(problems), Ok(_)) => {
                prop_assert!(problems.iter().all(is_duplicate), "{:?}", problems);
            }
            (Ok(_), Err(error)) => prop_assert!(false, "only we accept it: {error}"),
        }
    }

    #[test]
    fn no_bytes_lead_to_a_panic_or_out_of_the_text(
        bytes in prop_oneof![vec(any::<u8>(), 0..64), nearly_json()],
    ) {
        for limits in [Limits::CALL, Limits::SPEC, Limits { bytes: 16, depth: 2, safe_integers: true }] {
            let Reading { root, problems } = json::read_whole(&bytes, limits);
            prop_assert_eq!(json::read(&bytes, limits).is_ok(), problems.is_empty());
            prop_assert!(root.is_some() || !problems.is_empty());
            prop_assert!(problems.is_sorted_by_key(|problem| problem.span));
            for problem in &problems {
                prop_assert!(problem.span.start <= problem.span.end);
                prop_assert!(problem.span.end as usize <= bytes.len());
                if let Ok(text) = std::str::from_utf8(&bytes) {
                    cut(text, problem.span);
                }
            }
        }
    }
}
