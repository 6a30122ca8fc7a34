//! A host with a world that a test changes as it likes.

use std::sync::{Arc, MutexGuard};

use changes::generated;
use changes::{Desk, End, State, held};
use forecheck::outcome::Outcome;
use forecheck::{Host, Ledger, MemoryLedger};
use serde_json::Value;

/// A call of `open_change` that every constraint lets through.
pub(crate) const OPEN: &str =
    r#"{"repo": "octo/hello", "branch": "fix", "title": "Fix", "paths": ["src/main.rs"]}"#;

pub(crate) fn host() -> Host<Desk> {
    with_ledger(Arc::new(MemoryLedger::new()))
}

pub(crate) fn with_ledger(ledger: Arc<dyn Ledger>) -> Host<Desk> {
    changes::desk_with(ledger)
}

/// The state, to be changed.
pub(crate) fn state(host: &Host<Desk>) -> MutexGuard<'_, State> {
    held(&host.read)
}

/// How the next effects end.
pub(crate) fn ends(host: &Host<Desk>, end: End) {
    *held(&host.act.end) = end;
}

/// The effects that began.
pub(crate) fn effects(host: &Host<Desk>) -> Vec<String> {
    held(&host.act.log).clone()
}

pub(crate) fn call(host: &Host<Desk>, verb: &str, text: &str) -> Outcome {
    generated::call(host, verb, text.as_bytes()).unwrap()
}

/// An outcome as its caller gets it, without the digest of the surface and with the key as it should be.
pub(crate) fn published(mut outcome: Outcome, key: Option<&str>) -> Value {
    assert_eq!(outcome.key.take().as_deref(), key);
    assert_eq!(std::mem::take(&mut outcome.spec_sha256), generated::SPEC_SHA256);
    let mut value = serde_json::to_value(outcome).unwrap();
    value.as_object_mut().unwrap().remove("spec_sha256");
    value
}

/// The code, and the codes under `also`.
pub(crate) fn codes(outcome: &Outcome) -> Vec<&str> {
    let refusal = outcome.refusal.as_ref();
    refusal.into_iter().flat_map(|one| std::iter::once(one).chain(&one.also)).map(|one| &*one.code).collect()
}
