//! What is written.

use crate::support::{files, module, read, text};

#[test]
fn traps() {
    for (name, schema) in files("traps") {
        println!("== {name}\n{}", text(&module(&name, &read(&schema))));
    }
}
