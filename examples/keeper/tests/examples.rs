//! The checks say what the examples of the spec say.

use forecheck::conform::{Judged, PlayedExample, conform_examples};
use keeper::Keeper;
use keeper::generated::examples::all;

#[test]
fn every_example_is_what_the_checks_say() {
    let played = conform_examples(&all::<Keeper>());
    for example in &played {
        println!("{example}");
    }
    let otherwise: Vec<&PlayedExample> =
        played.iter().filter(|example| example.result != Ok(Judged::Agrees)).collect();
    assert_eq!(otherwise, [&played[0]; 0]);
    assert_eq!(played.len(), 25);
}
