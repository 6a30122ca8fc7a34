//! Any bytes as JSON: problems point at whole characters, and what is accepted has one canonical text.

#![no_main]

use forecheck_contract::canonical;
use forecheck_contract::json::{self, Limits, Node, Span, Value};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for limits in [Limits::CALL, Limits::SPEC] {
        let reading = json::read_whole(bytes, limits);
        let text = std::str::from_utf8(bytes);
        assert!(reading.root.is_some() || !reading.problems.is_empty());
        for problem in &reading.problems {
            assert!(problem.span.start <= problem.span.end && problem.span.end as usize <= bytes.len());
            if let Ok(text) = text {
                cut(text, problem.span);
            }
        }
        if let (Ok(text), Some(root)) = (text, &reading.root) {
            spans(text, root);
        }
        if let (Some(root), true) = (reading.root, reading.problems.is_empty()) {
            settled(&root);
        }
    }
});

/// The canonical text of a value is read as the same value, and is its own canonical text.
fn settled(root: &Node<'_>) {
    let once = canonical::to_string(root);
    let again = json::read(once.as_bytes(), Limits::SPEC).expect("canonical text is JSON");
    assert_eq!(canonical::to_string(&again), once);
}

fn spans(text: &str, node: &Node<'_>) {
    cut(text, node.span);
    match &node.value {
        Value::Array(items) => items.iter().for_each(|item| spans(text, item)),
        Value::Object(members) => members.iter().for_each(|member| {
            let name = cut(text, member.name_span);
            assert!(name.starts_with('"') && name.ends_with('"'), "{name}");
            spans(text, &member.node);
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn cut(text: &str, span: Span) -> &str {
    text.get(span.start as usize..span.end as usize).expect("spans hold whole characters")
}
