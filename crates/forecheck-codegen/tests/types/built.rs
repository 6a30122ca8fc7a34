//! What is written compiles without a warning, reads everything that is valid, and loses none of it.
//!
//! All types are put into one crate under the target folder. It is linted, documented, and run: its
//! binary reads instances as types and writes them again.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use forecheck_codegen::rust::names;
use forecheck_codegen::rust::types::{self, Module, Reading, Root, Shared};
use forecheck_contract::canonical;
use forecheck_contract::json::Node;
use forecheck_spec::schema::{Resource, Schemas};

use crate::agreement;
use crate::deep;
use crate::random::Random;
use crate::support::{case_files, corpora, files, module, read, text};
use crate::surface;

/// The generated crate: modules, and the types that its binary reads.
#[derive(Debug, Default)]
struct Generated {
    modules: BTreeMap<String, String>,
    reads: BTreeMap<String, String>,
    reading: Reading,
}

impl Generated {
    /// The types of one schema, which the binary reads under the name of the module.
    fn readable(&mut self, name: &str, schema: &Node<'_>) -> String {
        let module_name = self.add(name, &module("Root", schema));
        self.reads.insert(module_name.clone(), format!("{module_name}::Root"));
        module_name
    }

    /// Takes a module under its name.
    fn add(&mut self, name: &str, module: &Module) -> String {
        let name = names::module_name(name);
        self.reading.extend(&module.reading);
        self.modules.insert(name.clone(), text(module));
        name
    }

    /// Writes the crate to its folder.
    fn write(&self, folder: &Path) {
        let modules = self.modules.keys().fold(String::new(), |mut all, name| {
            writeln!(all, "/// Types.\npub mod {name};").unwrap();
            all
        });
        let sendable = self.reads.values().fold(String::new(), |mut all, of| {
            writeln!(all, "moves::<{of}>();").unwrap();
            all
        });
        let lib = LIB.replace("MODULES", &modules).replace("SENDABLE", &sendable);
        let arms = self.reads.iter().fold(String::new(), |mut all, (name, of)| {
            writeln!(all, "{name:?} => again::<generated_types::{of}>(text),").unwrap();
            all
        });
        std::fs::create_dir_all(folder.join("src")).unwrap();
        for file in std::fs::read_dir(folder.join("src")).unwrap().map(|file| file.unwrap().path()) {
            let name = file.file_stem().unwrap().to_str().unwrap();
            if !["lib", "main", "reading"].contains(&name) && !self.modules.contains_key(name) {
                std::fs::remove_file(file).unwrap();
            }
        }
        for (name, content) in &self.modules {
            replace(&folder.join(format!("src/{name}.rs")), &format!("//! Types.\n{content}"));
        }
        let reading = self.reading.module().unwrap_or_default();
        let reading = prettyplease::unparse(&syn::parse2(reading).unwrap());
        replace(&folder.join("src/reading.rs"), &format!("//! Reading.\n{reading}"));
        replace(&folder.join("src/lib.rs"), &lib);
        replace(&folder.join("src/main.rs"), &MAIN.replace("ARMS", &arms));
        replace(&folder.join("Cargo.toml"), MANIFEST);
        take_lock(folder);
    }
}

/// Gives a generated crate the lock of the workspace.
pub(crate) fn take_lock(folder: &Path) {
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.lock");
    let lock = std::fs::read_to_string(lock).unwrap();
    // Cargo takes out of the copy what this crate does not use, and starts anew when it changes.
    if replace(&folder.join("Cargo.lock.workspace"), &lock) {
        replace(&folder.join("Cargo.lock"), &lock);
    }
}

const MANIFEST: &str = r#"
[package]
name = "generated-types"
version = "0.0.0"
edition = "2024"

[dependencies]
serde = { version = "1", features = ["derive"] }
serde_json = { version = "1", features = ["float_roundtrip"] }

[workspace]

[profile.dev]
debug = false
incremental = false
"#;

const LIB: &str = r"//! Types.
#![warn(missing_docs, missing_debug_implementations, clippy::all)]

mod reading;
MODULES

/// Whether values may go to other threads, which rustc knows only once it looked at all types inside.
pub fn sendable() {
    fn moves<T: Send + Sync + Unpin + std::panic::UnwindSafe + std::panic::RefUnwindSafe>() {}
    SENDABLE
}
";

const MAIN: &str = r#"//! Reads each line as a type and writes it again.

use std::io::BufRead;

fn again<T: serde::de::DeserializeOwned + serde::Serialize>(text: &str) -> Result<String, serde_json::Error> {
    serde_json::to_string(&serde_json::from_str::<T>(text)?)
}

fn read(name: &str, text: &str) -> Result<String, serde_json::Error> {
    match name {
        ARMS
        _ => Ok(format!("no type for {name}")),
    }
}

fn main() {
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap_or_default();
        let (name, text) = line.split_once('\t').unwrap_or_default();
        match read(name, text) {
            Ok(text) => println!("ok {text}"),
            Err(error) => println!("err {:?}", error.to_string()),
        }
    }
}
"#;

/// Writes a file, unless it holds the text already: cargo looks at times.
pub(crate) fn replace(path: &Path, content: &str) -> bool {
    let changed = std::fs::read(path).ok().as_deref() != Some(content.as_bytes());
    if changed {
        std::fs::write(path, content).unwrap();
    }
    changed
}

pub(crate) fn cargo(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(folder).args(arguments).arg("--offline");
    command.env("CARGO_TARGET_DIR", folder.join("target")).env("RUSTDOCFLAGS", "-Dwarnings");
    command.env_remove("RUSTFLAGS");
    command
}

/// Runs cargo, and fails on anything that it reports.
pub(crate) fn quiet(folder: &Path, arguments: &[&str]) {
    let output = cargo(folder, arguments).output().unwrap();
    let report = String::from_utf8(output.stderr).unwrap();
    let lines: Vec<&str> = report.lines().take(60).collect();
    let clean = output.status.success() && !report.contains("warning") && !report.contains("error:");
    assert!(clean, "cargo {arguments:?} reports:\n{}", lines.join("\n"));
}

pub(crate) fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// An instance, and whether it is valid.
#[derive(Debug)]
pub(crate) struct Instance {
    /// The module of its type.
    pub(crate) of: String,
    value: serde_json::Value,
    text: String,
    pub(crate) valid: bool,
}

impl Instance {
    /// What is wrong with what the binary made of it: a valid one is read, and nothing of it is lost.
    pub(crate) fn fault(&self, answer: &str) -> Option<String> {
        let again = answer.strip_prefix("ok ").map(|text| canonical::to_string(&read(text.as_bytes())));
        let expected = canonical::to_string(&read(self.text.as_bytes()));
        (self.valid && again != Some(expected)).then(|| format!("{}: {} became {answer}", self.of, self.text))
    }
}

/// The groups of the official test suite, without those that use what a surface refuses.
fn suite(generated: &mut Generated) -> Vec<Instance> {
    let mut instances = Vec::new();
    let refused = ["$id", "$anchor", "$dynamicRef", "$dynamicAnchor", "$vocabulary"];
    for (file, content) in files("samples/json-schema-test-suite/tests/draft2020-12") {
        let content = read(&content);
        for (index, group) in content.as_array().unwrap().iter().enumerate() {
            let schema = group.get("schema").unwrap();
            let as_text = canonical::to_string(schema);
            if refused.iter().any(|keyword| as_text.contains(&format!("{keyword:?}:"))) {
                continue;
            }
            let tests: Vec<(&Node<'_>, bool)> = group
                .get("tests")
                .unwrap()
                .as_array()
                .unwrap()
                .iter()
                .map(|test| (test.get("data").unwrap(), test.get("valid").unwrap().as_bool().unwrap()))
                .collect();
            let name = format!("suite {file} {index}");
            let of = generated.readable(&name, schema);
            instances.extend(tests.iter().map(|(data, valid)| instance(&of, data, *valid)));
            instances.extend(typed_too(generated, &name, schema, &tests));
        }
    }
    instances
}

/// The suite rarely says `type`, without which any value is valid and there is little to type. So
/// here it does; what is valid then, the validator says.
fn typed_too(
    generated: &mut Generated,
    name: &str,
    schema: &Node<'_>,
    tests: &[(&Node<'_>, bool)],
) -> Vec<Instance> {
    let mut instances = Vec::new();
    for kind in ["object", "array"] {
        let mut schema = serde_json::to_value(schema).unwrap();
        let Some(members) = schema.as_object_mut().filter(|members| !members.contains_key("type")) else {
            continue;
        };
        members.insert("type".to_owned(), kind.into());
        let Ok(validator) = jsonschema::draft202012::new(&schema) else { continue };
        let of = generated.readable(&format!("{name} {kind}"), &read(schema.to_string().as_bytes()));
        instances.extend(tests.iter().map(|(data, _)| {
            let instance = instance(&of, data, false);
            Instance { valid: validator.is_valid(&instance.value), ..instance }
        }));
    }
    instances
}

fn instance(of: &str, node: &Node<'_>, valid: bool) -> Instance {
    let text = serde_json::to_string(node).unwrap();
    Instance { of: of.to_owned(), value: serde_json::to_value(node).unwrap(), text, valid }
}

/// Schemas with instances of ours: `schema` or the name of a trap, `valid`, `invalid`.
fn cases(generated: &mut Generated) -> Vec<Instance> {
    let traps = files("traps");
    let mut instances = Vec::new();
    for (name, content) in case_files() {
        let content = read(&content);
        let trap = traps.get(&name).map(|trap| read(trap));
        let schema = content.get("schema").or(trap.as_ref()).unwrap();
        let of = generated.readable(&format!("case {name}"), schema);
        let validator = jsonschema::draft202012::new(&serde_json::to_value(schema).unwrap()).unwrap();
        for (list, valid) in [("valid", true), ("invalid", false)] {
            for node in content.get(list).unwrap().as_array().unwrap() {
                let instance = instance(&of, node, valid);
                assert_eq!(validator.is_valid(&instance.value), valid, "{name}: {}", instance.text);
                instances.push(instance);
            }
        }
    }
    instances
}

/// Random schemas, each with instances of which some are valid. `FORECHECK_RANDOM_TYPES=SEED,COUNT` tries others.
fn random(generated: &mut Generated) -> Vec<Instance> {
    let setting = std::env::var("FORECHECK_RANDOM_TYPES").unwrap_or_else(|_| "1,60".to_owned());
    let (seed, count) = setting.split_once(',').unwrap();
    let mut random = Random(seed.parse::<u64>().unwrap() | 1 << 40);
    let mut instances = Vec::new();
    for index in 0..count.parse::<usize>().unwrap() {
        let schema = random.schema();
        let Ok(validator) = jsonschema::draft202012::new(&schema) else { continue };
        let text = schema.to_string();
        let of = generated.readable(&format!("random {index}"), &read(text.as_bytes()));
        for _ in 0..200 {
            let value = random.instance(&schema, &schema, 6);
            if validator.is_valid(&value) {
                instances.push(Instance { of: of.clone(), text: value.to_string(), value, valid: true });
            }
        }
    }
    instances
}

/// Two verbs with shared schemas, as in a surface.
fn shared(generated: &mut Generated) -> Vec<Instance> {
    let mut instances = Vec::new();
    for (name, module) in surface::modules() {
        generated.add(&name, &module);
    }
    for (of, input) in surface::VALID {
        generated.reads.insert((*of).to_owned(), format!("{of}::Root"));
        instances.push(instance(of, &read(input.as_bytes()), true));
    }
    instances
}

/// The traps and what MCP servers list, each with instances that validators in two other languages judged.
fn judged(generated: &mut Generated) -> Vec<Instance> {
    let mut instances = Vec::new();
    for subject in agreement::subjects() {
        let of = generated.readable(&subject.name, &read(subject.schema.as_bytes()));
        instances.extend(
            subject.instances.iter().map(|one| instance(&of, &read(one.text.as_bytes()), one.is_read())),
        );
    }
    instances
}

/// All instances, each with what the binary made of it.
pub(crate) fn answered() -> &'static [(Instance, String)] {
    static ANSWERED: OnceLock<Vec<(Instance, String)>> = OnceLock::new();
    ANSWERED.get_or_init(|| {
        let mut generated = Generated::default();
        let mut instances = suite(&mut generated);
        instances.extend(cases(&mut generated));
        instances.extend(random(&mut generated));
        instances.extend(shared(&mut generated));
        instances.extend(judged(&mut generated));
        let folder = folder("types-agree");
        generated.write(&folder);
        let mut run = cargo(&folder, &["run", "--quiet"]);
        let mut child = run.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        let lines: String = instances.iter().flat_map(|one| [&one.of, "\t", &one.text, "\n"]).collect();
        let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()).unwrap());
        let output = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
        writer.join().unwrap();
        let answers: Vec<String> = output.lines().map(str::to_owned).collect();
        assert_eq!(answers.len(), instances.len(), "the last answer was {:?}", answers.last());
        instances.into_iter().zip(answers).collect()
    })
}

#[test]
fn types_agree_with_their_schemas() {
    let valid = answered().iter().filter(|(instance, _)| instance.valid).count();
    println!("{} instances, {valid} of them valid", answered().len());
    let faults = answered().iter().filter_map(|(instance, answer)| instance.fault(answer));
    let faults: Vec<String> = faults.collect();
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

/// Every schema of the corpora, an input and an output in one module.
fn corpora_modules(generated: &mut Generated) {
    for (name, schema) in files("traps") {
        generated.add(&name, &module(&name, &read(&schema)));
    }
    for (name, verb) in files("samples/codecommit") {
        let verb = read(&verb);
        let schemas = [("Input", verb.get("input")), ("Output", verb.get("output"))];
        generated.add(&name, &together(schemas));
    }
    for (server, listing) in files("samples/mcp") {
        let listing = read(&listing);
        for tool in listing.get("tools").unwrap().as_array().unwrap() {
            let name = format!("{server} {}", tool.get("name").unwrap().as_str().unwrap());
            let schemas = [("Input", tool.get("inputSchema")), ("Output", tool.get("outputSchema"))];
            generated.add(&name, &together(schemas));
        }
    }
}

fn together(schemas: [(&str, Option<&Node<'_>>); 2]) -> Module {
    let roots = schemas.into_iter().filter_map(|(name, schema)| {
        schema.map(|schema| Root {
            name: name.to_owned(),
            about: "A root.".to_owned(),
            place: Resource::own(schema).place(),
        })
    });
    let roots: Vec<Root<'_>> = roots.collect();
    types::module(&Schemas::default(), &Shared::default(), &roots, &["Refusal", "Code"], &[])
}

/// smithy#3207, #3214, typify#601: generated code that did not compile.
#[test]
fn what_is_written_compiles_without_a_warning() {
    assert!(corpora().is_dir());
    let mut generated = Generated::default();
    corpora_modules(&mut generated);
    cases(&mut generated);
    random(&mut generated);
    shared(&mut generated);
    for (name, schema) in deep::schemas() {
        generated.readable(&name, &read(schema.as_bytes()));
    }
    let folder = folder("types-compile");
    generated.write(&folder);
    quiet(&folder, &["clippy", "--quiet", "--lib"]);
    quiet(&folder, &["doc", "--quiet", "--lib", "--no-deps"]);
}
