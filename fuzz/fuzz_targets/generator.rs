//! Any sound surface is generated: the Rust is Rust and the JSON is JSON.

#![no_main]

use forecheck_codegen::generator::{GeneratedFile, Source, generate};
use forecheck_contract::json::{self, Limits};
use forecheck_fuzz::folder;
use forecheck_spec::check::check;
use forecheck_spec::tree::Trees;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let sources = folder(bytes);
    let trees = Trees::read(&sources);
    let checked = check(&trees);
    if let Some(surface) = &checked.surface {
        let generated = generate(&Source::new(surface)).expect("a sound surface is generated");
        generated.rust.iter().chain(&generated.neutral).for_each(well_formed);
    }
});

fn well_formed(file: &GeneratedFile) {
    let GeneratedFile { path, content } = file;
    if path.ends_with(".rs") {
        syn::parse_file(content).unwrap_or_else(|error| panic!("{path}: {error}\n{content}"));
    } else if path.ends_with(".json") {
        json::read(content.as_bytes(), Limits::SPEC)
            .unwrap_or_else(|problems| panic!("{path}: {problems:?}"));
    }
}
