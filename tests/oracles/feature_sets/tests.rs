//! The checks of `feature_sets`, under the features of `serde_json` that this crate turns on.

#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that cannot prepare its scene, or meets another answer, has failed"
)]

#[path = "../documents.rs"]
mod documents;
#[path = "../feature_sets.rs"]
mod feature_sets;

/// Without this, a set of features that is not on would pass for one that does no harm.
#[test]
fn the_features_are_on() {
    let exact = serde_json::from_str::<serde_json::Value>("1e400").is_ok();
    assert_eq!(exact, cfg!(feature = "arbitrary_precision"));
    let value: serde_json::Value = serde_json::from_str(r#"{"b":0,"a":0}"#).unwrap();
    let written = value.to_string();
    assert_eq!(written == r#"{"b":0,"a":0}"#, cfg!(feature = "preserve_order"));
}
