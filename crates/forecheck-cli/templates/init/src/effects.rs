//! The effects: one for each verb that acts. Each takes a call that was checked and claimed.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;

use forecheck::{Reserved, Settled};

use crate::generated::add_note::{Effect, Output, Verb};
use crate::world::Disk;

impl Effect for Disk {
    fn apply(boards: &PathBuf, call: Reserved<Verb<Self>>) -> Settled<Verb<Self>> {
        let file = format!("{}/{}.md", call.seen().target(), call.key());
        let note = format!("# {}\n\n{}\n", call.input().title, call.input().text);
        let mut new = match File::create_new(boards.join(&file)) {
            Ok(new) => new,
            Err(error) => return call.nothing_happened(format!("{file}: {error}")),
        };
        match new.write_all(note.as_bytes()) {
            Ok(()) => call.succeeded(&Output { file }),
            Err(error) => call.partly(format!("{file} is not whole: {error}")),
        }
    }
}
