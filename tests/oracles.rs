//! Canonical JSON beside programs that share no code with ours: `canonicalize` of npm and `jcs` of PyPI.
//!
//! No document is left out. What we refuse and one of the two accepts is not among them: numbers beyond a double,
//! halves of surrogate pairs, names that stand twice in an object.

mod documents;
mod feature_sets;
mod peer;

use forecheck_contract::canonical;
use forecheck_contract::json::{self, Limits};

use peer::Peer;

/// As many as `FORECHECK_DOCUMENTS` says: `cargo xtask fuzz differential` asks for 60,000.
fn documents() -> Vec<String> {
    let count = std::env::var("FORECHECK_DOCUMENTS").map_or(2000, |count| count.parse().unwrap());
    documents::texts(count)
}

#[test]
fn other_languages_write_the_same_canonical_text() {
    let documents = documents();
    let bytes: usize = documents.iter().map(String::len).sum();
    println!("{} documents, {bytes} bytes", documents.len());
    for peer in [Peer::Node, Peer::Python] {
        let theirs = peer.answers("canonical", &documents);
        assert_eq!(theirs.len(), documents.len(), "{peer:?}");
        for (document, theirs) in documents.iter().zip(&theirs) {
            let ours = canonical::to_string(&json::read(document.as_bytes(), Limits::SPEC).unwrap());
            assert_eq!(&ours, theirs, "{peer:?}: {document}");
        }
    }
}
