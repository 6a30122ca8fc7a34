//! Any sound surface is generated: alike for every order of its files, as Rust that defines nothing twice and as
//! JSON that its readers and its published schemas accept.

#![no_main]

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::sync::OnceLock;

use forecheck_codegen::generator::{Generated, GeneratedFile, Source, generate};
use forecheck_codegen::keys_json::KeysFile;
use forecheck_contract::json::{self, Limits};
use forecheck_contract::table::ErrorTable;
use forecheck_fuzz::folder;
use forecheck_spec::check::check;
use forecheck_spec::source::Sources;
use forecheck_spec::tree::Trees;
use jsonschema::Validator;
use libfuzzer_sys::fuzz_target;
use serde::de::DeserializeOwned;
use serde_json::Value;

fuzz_target!(|bytes: &[u8]| {
    let mut sources = folder(bytes);
    let Some(files) = files(&sources) else { return };
    unique("path", files.iter().map(|file| file.path.to_ascii_lowercase()));
    files.iter().for_each(well_formed);
    sources.files.reverse();
    assert_eq!(self::files(&sources).as_ref(), Some(&files));
});

/// The files of a sound surface, after what they must say by themselves was compared with what they say.
fn files(sources: &Sources) -> Option<Vec<GeneratedFile>> {
    let trees = Trees::read(sources);
    let surface = check(&trees).surface?;
    let source = Source::new(&surface);
    let Generated { neutral, rust, keys } = generate(&source).expect("a sound surface is generated");
    let schema = content(&neutral, "errors.schema.json");
    static ERRORS: OnceLock<Validator> = OnceLock::new();
    says::<ErrorTable>(content(&neutral, "errors.json"), &source.table, &ERRORS, schema);
    let schema = content(&neutral, "keys.schema.json");
    static KEYS: OnceLock<Validator> = OnceLock::new();
    says::<KeysFile>(content(&neutral, "keys.json"), &keys, &KEYS, schema);
    Some(neutral.into_iter().chain(rust).collect())
}

fn content<'f>(files: &'f [GeneratedFile], path: &str) -> &'f str {
    &files.iter().find(|file| file.path == path).expect(path).content
}

/// A published file fits its schema, which is the same for all surfaces, and is read as what was written.
fn says<T: DeserializeOwned + PartialEq + Debug>(
    text: &str,
    expected: &T,
    validator: &OnceLock<Validator>,
    schema: &str,
) {
    let validator = validator.get_or_init(|| {
        jsonschema::options().offline().build(&value(schema)).expect("a published schema is one")
    });
    let value = value(text);
    let problems: Vec<String> = validator.iter_errors(&value).map(|problem| problem.to_string()).collect();
    assert_eq!(problems, [""; 0], "{text}");
    assert_eq!(&serde_json::from_value::<T>(value).expect("a published file is read"), expected);
}

/// As a value, however deep.
fn value(text: &str) -> Value {
    let node = json::read(text.as_bytes(), Limits::SPEC).expect("generated JSON is JSON");
    serde_json::to_value(node).expect("a node is a value")
}

fn well_formed(file: &GeneratedFile) {
    let GeneratedFile { path, content } = file;
    match path.rsplit_once('.') {
        Some((_, "rs")) => module(&syn::parse_file(content).expect(path).items),
        Some((_, "json")) => drop(value(content)),
        _ => {}
    }
}

/// No module defines a type or a value twice, no type a variant or a member.
fn module(items: &[syn::Item]) {
    unique("type", items.iter().filter_map(type_name));
    unique("value", items.iter().filter_map(value_name));
    for item in items {
        match item {
            syn::Item::Enum(item) => unique("variant", item.variants.iter().map(|one| one.ident.to_string())),
            syn::Item::Struct(item) => {
                unique("member", item.fields.iter().flat_map(|one| &one.ident).map(ToString::to_string));
            }
            syn::Item::Mod(item) => module(item.content.as_ref().map_or(&[], |(_, items)| items)),
            _ => {}
        }
    }
}

fn type_name(item: &syn::Item) -> Option<String> {
    let name = match item {
        syn::Item::Struct(item) => &item.ident,
        syn::Item::Enum(item) => &item.ident,
        syn::Item::Type(item) => &item.ident,
        syn::Item::Mod(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}

fn value_name(item: &syn::Item) -> Option<String> {
    let name = match item {
        syn::Item::Fn(item) => &item.sig.ident,
        syn::Item::Const(item) => &item.ident,
        syn::Item::Struct(item) if item.semi_token.is_some() => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}

fn unique(what: &str, names: impl Iterator<Item = String>) {
    let mut seen = BTreeSet::new();
    for name in names {
        assert!(!seen.contains(&name), "the {what} `{name}` is there twice");
        seen.insert(name);
    }
}
