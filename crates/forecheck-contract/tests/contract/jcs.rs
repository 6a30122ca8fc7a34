//! The official test data of RFC 8785 (cyberphone/json-canonicalization).

use std::fs;
use std::path::PathBuf;

use forecheck_contract::canonical;
use forecheck_contract::json::{self, Limits};

fn corpus(path: &str) -> Vec<u8> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpora/jcs");
    fs::read(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn bytes_of_hex(text: &[u8]) -> Vec<u8> {
    let digits: String = String::from_utf8_lossy(text).split_whitespace().collect();
    hex::decode(digits).unwrap()
}

#[test]
fn official_files_have_the_official_bytes() {
    for name in ["arrays", "french", "structures", "unicode", "values", "weird"] {
        let input = corpus(&format!("input/{name}.json"));
        let found = canonical::to_string(&json::read(&input, Limits::CALL).unwrap());
        let output = String::from_utf8(corpus(&format!("output/{name}.json"))).unwrap();
        assert_eq!(found, output.trim_end_matches('\n'), "{name}");
        assert_eq!(found.as_bytes(), bytes_of_hex(&corpus(&format!("outhex/{name}.txt"))), "{name}");
    }
}
