//! Answers calls of `add_note`: one on each line of stdin, as JSON.

use ::skeleton_name::generated::add_note;
use ::skeleton_name::world::host;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let host = host("boards".into(), "me");
    for input in std::io::stdin().lines() {
        println!(
            "{}",
            serde_json::to_string(&add_note::call(&host, input?.as_bytes()))?
        );
    }
    Ok(())
}
