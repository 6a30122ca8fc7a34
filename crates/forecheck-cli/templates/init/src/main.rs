//! Answers calls of `add_note`: one on each line of stdin, as JSON.

use std::sync::Arc;

use ::skeleton_name::generated::add_note;
use ::skeleton_name::world::host;
use forecheck::SqliteLedger;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ledger = Arc::new(SqliteLedger::at("state/ledger.sqlite"));
    let host = host("boards".into(), ledger, "me");
    for input in std::io::stdin().lines() {
        println!(
            "{}",
            serde_json::to_string(&add_note::call(&host, input?.as_bytes()))?
        );
    }
    Ok(())
}
