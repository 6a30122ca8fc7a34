//! JSON documents, the same in every run: what readers and writers of JSON are known to disagree about is
//! frequent in them.

use proptest::collection::vec;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use strategies::{Choices, Document, document, text};

#[expect(dead_code, reason = "its own crate uses all of it")]
#[path = "../../crates/forecheck-contract/tests/contract/documents.rs"]
mod strategies;

/// The most arrays and objects around a document. With its own it stays below the 64 that calls may have.
const MOST_AROUND: usize = 48;

/// The first `count` documents, each on one line.
pub(crate) fn texts(count: usize) -> Vec<String> {
    let mut runner = TestRunner::deterministic();
    let several = vec((text(), document()), 1..6);
    (0..count as u64)
        .map(|seed| {
            let members = several.new_tree(&mut runner).unwrap().current();
            let text = around(members, seed).text(seed);
            // A line feed can only be a blank here: inside texts it is escaped.
            text.replace('\n', " ")
        })
        .collect()
}

/// One document of several: an object or an array, and now and then deep inside others.
fn around(members: Vec<(String, Document)>, seed: u64) -> Document {
    let mut choices = Choices::new(seed);
    let inner = if choices.one_in(2) {
        Document::Object(members.into_iter().collect())
    } else {
        Document::Array(members.into_iter().map(|(_, document)| document).collect())
    };
    let depth = if choices.one_in(8) { choices.below(MOST_AROUND) } else { 0 };
    (0..depth).fold(inner, |inner, level| match level % 3 {
        0 => Document::Object([(format!("{level}"), inner)].into()),
        _ => Document::Array(vec![inner]),
    })
}
