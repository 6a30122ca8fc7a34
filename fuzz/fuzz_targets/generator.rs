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
    match path.rsplit_once('.') {
        Some((_, "rs")) => drop(syn::parse_file(content).expect(path)),
        Some((_, "json")) => drop(json::read(content.as_bytes(), Limits::SPEC).expect(path)),
        _ => {}
    }
}
