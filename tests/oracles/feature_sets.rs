//! Reader, canonical text and key, whatever features of `serde_json` a build turns on.
//!
//! The same checks run here, with the features of this workspace, and four times in the crate beside this
//! file, `cargo xtask fuzz features`.

use std::fs;
use std::path::Path;

use forecheck_contract::canonical;
use forecheck_contract::json::{self, Limits, Node};
use forecheck_contract::key::Keyed;
use forecheck_contract::recipe::{Recipe, TargetInvalid};
use sha2::{Digest, Sha256};

use super::documents;

fn read(text: &str) -> Node<'_> {
    json::read(text.as_bytes(), Limits::SPEC).unwrap_or_else(|problems| panic!("{text}: {problems:?}"))
}

fn published() -> serde_json::Value {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = own.ancestors().map(|folder| folder.join("generated/keys.json")).find(|file| file.exists());
    serde_json::from_slice(&fs::read(file.unwrap()).unwrap()).unwrap()
}

/// Canonical text and key of a published vector.
fn found(file: &serde_json::Value, vector: &serde_json::Value) -> (String, String) {
    let text = |member: &str| vector[member].as_str().unwrap();
    let input = text("input");
    let mut input = json::read(input.as_bytes(), Limits::CALL).unwrap();
    let of_keyed = |keyed: Keyed<'_, '_>| (keyed.canonical_input(), keyed.key().to_string());
    if vector["own"] == false {
        return of_keyed(Keyed::plain(text("verb"), text("target"), &input).unwrap());
    }
    let verb = file["verbs"].as_array().unwrap().iter().find(|verb| verb["verb"] == vector["verb"]).unwrap();
    let recipe: Recipe = serde_json::from_value(verb["recipe"].clone()).unwrap();
    recipe.spell_target(&mut input);
    of_keyed(Keyed::new(&recipe, &input).unwrap())
}

#[test]
fn published_vectors_have_their_keys() {
    let file = published();
    let vectors = file["vectors"].as_array().unwrap();
    assert!(vectors.len() > 10);
    for vector in vectors {
        let expected = ["canonical", "key"].map(|member| vector[member].as_str().unwrap().to_owned());
        assert_eq!(found(&file, vector), expected.into(), "{vector}");
    }
}

#[test]
fn published_refusals_have_no_key() {
    let file = published();
    for refused in file["refused"].as_array().unwrap() {
        let text = refused["input"].as_str().unwrap();
        let code = match (json::read(text.as_bytes(), Limits::CALL), refused["target"].as_str()) {
            (Err(problems), _) => problems[0].kind.code().as_str().to_owned(),
            (Ok(input), Some(target)) => {
                let refusal = Keyed::plain("open_pr", target, &input).unwrap_err();
                assert_eq!(refusal, TargetInvalid::Bar);
                "TARGET_INVALID".to_owned()
            }
            (Ok(_), None) => panic!("{text} was accepted"),
        };
        assert_eq!(refused["code"], code, "{text}");
    }
}

/// `serde_json` gives these names a meaning of their own under some features; here they are names.
#[test]
fn private_names_of_serde_json_are_names() {
    for name in ["$serde_json::private::Number", "$serde_json::private::RawValue"] {
        let text = format!(r#"{{"{name}":"1.50"}}"#);
        assert_eq!(canonical::to_string(&read(&text)), text);
        assert_eq!(canonical::to_string(&read(&format!("[{text}, 1.50]"))), format!("[{text},1.5]"));
    }
}

/// How many documents are compared, unless `FORECHECK_DOCUMENTS` says.
const DOCUMENTS: usize = 500;

/// SHA-256 over the canonical texts of that many documents, each with a line feed. Another version of proptest may
/// make other documents: then the four sets have to agree on another digest.
const DIGEST: &str = "ba44f0cdd79b8275c1ccd01e081fd0ef1a5f3a6020bd6c5c3bea6c5e88a358c4";

#[test]
fn canonical_texts_are_the_same_under_all_features() {
    let count = std::env::var("FORECHECK_DOCUMENTS").map_or(DOCUMENTS, |count| count.parse().unwrap());
    let mut digest = Sha256::new();
    for text in documents::texts(count) {
        let found = canonical::to_string(&read(&text));
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(found, serde_json_canonicalizer::to_string(&value).unwrap(), "{text}");
        digest.update(found + "\n");
    }
    let digest = hex::encode(digest.finalize());
    if count == DOCUMENTS {
        assert_eq!(digest, DIGEST);
    }
    println!("{count} documents, all as serde_json_canonicalizer writes them: {digest}");
}
