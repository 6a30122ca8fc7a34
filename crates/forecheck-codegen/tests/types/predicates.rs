//! Compiled predicates answer as the interpreter does, for random predicates and random calls.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use forecheck_codegen::rust::predicate::compiled;
use forecheck_contract::predicate::Predicate;
use forecheck_spec::check::check;
use forecheck_spec::problem::{Lint, Severity};
use forecheck_spec::source::Sources;
use forecheck_spec::tree::Trees;
use quote::{format_ident, quote};
use serde_json::{Map, Value, json};

use crate::built::{cargo, folder, quiet, replace, take_lock};
use crate::random::Random;

const PREDICATES: usize = 400;
const CALLS: usize = 300;

/// Names that would clash with what the compiler makes up, or with the language.
const FACTS: [&str; 4] = ["item_0", "literal_1", "type", "worktree"];

const TEXTS: [&str; 10] = ["a", "a/b", "a/./b/", "a/../b", "../a", "/a", "b", "", "\u{e9}\u{1f600}", "ab"];
const PATTERNS: [&str; 8] = ["^a", "b$", "^$", r"\d", "a|/", "\u{e9}", "\"\\\\\n#?", "(?i)A"];

fn numbers() -> [Value; 9] {
    [
        json!(0),
        json!(1),
        json!(2),
        json!(1.0),
        json!(1.5),
        json!(-1),
        json!(9_007_199_254_740_993_u64),
        json!(9_007_199_254_740_992.0),
        json!(-1e300),
    ]
}

/// A call: an input and facts, of the same members.
fn call(random: &mut Random) -> Value {
    let facts = FACTS.map(|name| (name.to_owned(), members(random)));
    json!({"input": members(random), "facts": Map::from_iter(facts)})
}

/// The members that pointers lead to; some are absent, and some of another kind.
fn members(random: &mut Random) -> Value {
    let mut members = Map::new();
    for (name, kind) in
        [("text", "text"), ("a/b~c", "text"), ("number", "number"), ("0", "number"), ("list", "list")]
    {
        if !random.one_in(5) {
            let kind = if random.one_in(8) { random.pick(&["text", "number", "list", "null"]) } else { kind };
            members.insert(name.to_owned(), value(random, kind));
        }
    }
    if !random.one_in(5) {
        let rows = (0..random.below(4))
            .map(|_| json!({"text": value(random, "text"), "list": value(random, "list")}));
        members.insert("rows".to_owned(), rows.collect::<Vec<_>>().into());
    }
    members.into()
}

fn value(random: &mut Random, kind: &str) -> Value {
    match kind {
        "text" => random.pick(&TEXTS).into(),
        "number" => random.pick(&numbers()),
        "list" => (0..random.below(4)).map(|_| scalar(random)).collect::<Vec<_>>().into(),
        _ => Value::Null,
    }
}

fn scalar(random: &mut Random) -> Value {
    let kind = random.pick(&["text", "text", "text", "number", "number", "null"]);
    value(random, kind)
}

/// A predicate. `item` is what an item is: a row, a scalar, or nothing where there is none.
fn predicate(random: &mut Random, depth: usize, item: Option<&str>) -> Value {
    let quantified = random.pick(&["all", "any"]);
    match random.below(if depth == 0 { 9 } else { 16 }) {
        0 => json!({random.pick(&["present", "absent"]): reference(random, "text", item)}),
        1 | 2 => {
            let kind = random.pick(&["text", "number", "list", "rows"]);
            json!({random.pick(&["eq", "ne"]): [operand(random, kind, item), operand(random, kind, item)]})
        }
        3 => {
            let kind = random.pick(&["text", "number"]);
            json!({"in": [operand(random, kind, item), operand(random, "list", item)]})
        }
        4 => json!({"starts_with": [operand(random, "text", item), operand(random, "text", item)]}),
        5 => json!({"path_within": [operand(random, "text", item), operand(random, "text", item)]}),
        6 => json!({"matches": [operand(random, "text", item), random.pick(&PATTERNS)]}),
        7 => {
            let operator = random.pick(&["gt", "lt"]);
            json!({operator: [operand(random, "number", item), operand(random, "number", item)]})
        }
        8 => {
            let kind = random.pick(&["text", "list", "rows"]);
            json!({random.pick(&["size_gt", "size_lt"]): [operand(random, kind, item), operand(random, "number", item)]})
        }
        9 => {
            json!({quantified: {"of": reference(random, "rows", item), "where": predicate(random, depth - 1, Some("row"))}})
        }
        10 => {
            let of = operand(random, "list", item);
            json!({quantified: {"of": of, "where": predicate(random, depth - 1, Some("scalar"))}})
        }
        11 | 12 => {
            let all: Vec<Value> = (0..=random.below(3)).map(|_| predicate(random, depth - 1, item)).collect();
            json!({random.pick(&["and", "or"]): all})
        }
        _ => json!({"not": predicate(random, depth - 1, item)}),
    }
}

fn operand(random: &mut Random, kind: &str, item: Option<&str>) -> Value {
    if kind != "rows" && random.one_in(3) { value(random, kind) } else { reference(random, kind, item) }
}

fn reference(random: &mut Random, kind: &str, item: Option<&str>) -> Value {
    let at = match (kind, random.below(4)) {
        (_, 0) if random.one_in(4) => {
            random.pick(&["", "/none", "/list/0", "/rows/0/text", "/rows/00", "/0"])
        }
        ("text", 1) => "/a~1b~0c",
        ("number", 1) => "/0",
        ("text", _) => "/text",
        ("number", _) => "/number",
        ("list", _) => "/list",
        _ => "/rows",
    };
    match (item, random.below(3)) {
        (Some("row"), 0 | 1) => json!({"item": at}),
        (Some(_), 0 | 1) => json!({"item": ""}),
        (_, 2) => json!({"fact": format!("{}{at}", random.pick(&FACTS))}),
        _ => json!({"input": at}),
    }
}

/// Two predicates that differ in their patterns only. One of the patterns is broken once it is compiled: as a
/// predicate it would not exist.
fn with_patterns() -> [Value; 2] {
    ["a|SOUND", BROKEN].map(|pattern| json!({"not": {"matches": [{"fact": "type/text"}, pattern]}}))
}

const BROKEN: &str = "a|BROKEN";

/// Each predicate as a function, and a program that asks all of them.
fn crate_files(predicates: &[Predicate]) -> BTreeMap<&'static str, String> {
    let (mut functions, mut arms) = (quote!(), quote!());
    for (index, predicate) in predicates.iter().enumerate() {
        let name = format_ident!("predicate_{index}");
        let one = compiled(&name, predicate);
        let (body, facts) = (one.body, one.facts);
        functions.extend(body);
        arms.extend(quote!(predicates::#name(input, #(&facts[#facts]),*),));
    }
    let main = quote! {
        //! Answers each call on a line with one letter for each predicate.
        mod predicates;
        fn answers(input: &serde_json::Value, facts: &serde_json::Value) -> Vec<bool> {
            vec![#arms]
        }
        fn main() {
            for line in std::io::stdin().lines().map_while(Result::ok) {
                let call: serde_json::Value = serde_json::from_str(&line).unwrap_or_default();
                let answers = answers(&call["input"], &call["facts"]);
                let letters = answers.into_iter().map(|truth| if truth { '1' } else { '0' });
                println!("{}", letters.collect::<String>());
            }
        }
    };
    let text = |tokens| prettyplease::unparse(&syn::parse2(tokens).unwrap());
    let contract = Path::new(env!("CARGO_MANIFEST_DIR")).join("../forecheck-contract");
    BTreeMap::from([
        ("src/predicates.rs", format!("//! Predicates.\n{}", text(functions)).replace(BROKEN, "(")),
        ("src/main.rs", text(main)),
        ("Cargo.toml", MANIFEST.replace("CONTRACT", contract.to_str().unwrap())),
    ])
}

const MANIFEST: &str = r#"
[package]
name = "generated-predicates"
version = "0.0.0"
edition = "2024"

[dependencies]
forecheck = { package = "forecheck-contract", path = "CONTRACT" }
serde_json = "1"

[workspace]

[profile.dev]
debug = false
incremental = false
"#;

fn write(name: &str, files: &BTreeMap<&'static str, String>) -> std::path::PathBuf {
    let folder = folder(name);
    std::fs::create_dir_all(folder.join("src")).unwrap();
    for (path, content) in files {
        replace(&folder.join(path), content);
    }
    take_lock(&folder);
    folder
}

/// The answers of the compiled predicates: for each call, one for each predicate.
fn answers(folder: &Path, calls: &[Value]) -> Vec<Vec<bool>> {
    let mut run = cargo(folder, &["run", "--quiet"]);
    let mut child = run.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let lines = calls.iter().flat_map(|call| [call.to_string(), "\n".to_owned()]).collect::<String>();
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()).unwrap());
    let output = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    writer.join().unwrap();
    output.lines().map(|line| line.bytes().map(|letter| letter == b'1').collect()).collect()
}

fn read(predicate: Value) -> Predicate {
    serde_json::from_value(predicate).unwrap()
}

/// `FORECHECK_RANDOM_PREDICATES=SEED` tries others.
#[test]
fn compiled_predicates_agree_with_the_interpreter() {
    let seed = std::env::var("FORECHECK_RANDOM_PREDICATES").unwrap_or_else(|_| "1".to_owned());
    let mut random = Random(seed.parse::<u64>().unwrap() | 1 << 40);
    let predicates = (0..PREDICATES).map(|_| predicate(&mut random, 4, None));
    let predicates: Vec<Predicate> = predicates.chain(with_patterns()).map(read).collect();
    let calls: Vec<Value> = (0..CALLS).map(|_| call(&mut random)).collect();
    let folder = write("predicates-agree", &crate_files(&predicates));
    quiet(&folder, &["clippy", "--quiet"]);
    let mut answers = answers(&folder, &calls);
    assert_eq!(answers.len(), calls.len());
    // INVARIANT: the last one is the broken one, which refuses whatever the one before it says.
    let broken: Vec<Option<bool>> = answers.iter_mut().map(Vec::pop).collect();
    assert_eq!(broken, vec![Some(true); calls.len()]);
    let predicates = &predicates[..=PREDICATES];
    let mut truths = vec![0; predicates.len()];
    for (call, answers) in calls.iter().zip(&answers) {
        assert_eq!(answers.len(), predicates.len());
        for ((predicate, truths), answer) in predicates.iter().zip(&mut truths).zip(answers) {
            let interpreted = predicate.holds(&call["input"], |name| call["facts"].get(name));
            let text = || serde_json::to_string(predicate).unwrap();
            assert_eq!(*answer, interpreted, "{} of {call}", text());
            *truths += usize::from(interpreted);
        }
    }
    let all = predicates.len() * calls.len();
    let (is_true, varied) =
        (truths.iter().sum::<usize>(), truths.iter().filter(|&&truths| truths % calls.len() != 0).count());
    println!("{all} answers, {is_true} true; {varied} predicates of {} answer both ways", predicates.len());
    assert!((all / 4..3 * all / 4).contains(&is_true), "{is_true} of {all} answers are true");
    assert!(varied > predicates.len() / 2, "{varied} predicates answer both ways");
    assert_ne!(truths.last().map(|truths| truths % calls.len()), Some(0), "the sound pattern");
    for operator in OPERATORS {
        let name = format!("\"{operator}\"");
        let is_used = |predicate: &Predicate| serde_json::to_string(predicate).unwrap().contains(&name);
        let varied = predicates.iter().zip(&truths).filter(|(_, truths)| **truths % calls.len() != 0);
        assert!(varied.filter(|(predicate, _)| is_used(predicate)).count() >= 5, "{operator}");
    }
}

const OPERATORS: [&str; 17] = [
    "present",
    "absent",
    "eq",
    "ne",
    "in",
    "starts_with",
    "path_within",
    "matches",
    "gt",
    "lt",
    "size_gt",
    "size_lt",
    "all",
    "any",
    "and",
    "or",
    "not",
];

#[test]
fn a_function_owns_pointers_and_control_flow() {
    let predicate = read(json!({"or": [
        {"and": [{"present": {"input": "/base"}}, {"eq": [{"input": "/base"}, {"fact": "type/branch"}]}]},
        {"any": {"of": {"input": ""}, "where": {"not": {"matches": [{"item": "/n"}, "^a"]}}}},
        {"in": [{"fact": "now"}, [1, -1.5, null, "a\"b"]]},
    ]}));
    let one = compiled(&format_ident!("refuses"), &predicate);
    assert_eq!(one.facts, ["now", "type"]);
    insta::assert_snapshot!(prettyplease::unparse(&syn::parse2(one.body).unwrap()));
}

/// What the schemas of the next test say of the members that calls have.
const MEMBERS: &str = r#"{"type": "object", "required": ["text", "number", "list"], "properties": {
    "text": {"enum": ["a", "a/b", "a/../b", "/a", "b"]},
    "a/b~c": {"type": "string", "minLength": 1},
    "number": {"type": "number", "minimum": 0, "exclusiveMaximum": 2},
    "0": {"type": ["number", "null"]},
    "list": {"type": "array", "minItems": 1, "maxItems": 3},
    "rows": {"type": "array", "items": {"type": "object", "required": ["text", "list"], "properties": {
        "text": {"type": "string"}, "list": {"type": "array"}}}}}}"#;

/// The rules that say what `check` says of a surface with this predicate.
fn lints(folder: &Path, predicate: &Value) -> Vec<(Lint, String)> {
    let schema: Value = serde_json::from_str(MEMBERS).unwrap();
    let constraint = json!({"code": "P0", "description": "x", "refuse_when": predicate});
    let verb = json!({"verb": "act", "input": schema, "constraints": [constraint]});
    std::fs::write(folder.join("verbs/act.schema.json"), verb.to_string()).unwrap();
    let sources = Sources::load(folder).unwrap();
    let trees = Trees::read(&sources);
    check(&trees).problems.into_iter().map(|problem| (problem.lint, problem.message)).collect()
}

/// What `check` calls always or never true is so of every valid call.
#[test]
fn constant_predicates_are_constant() {
    let mut random = Random(1 << 41);
    let schema: Value = serde_json::from_str(MEMBERS).unwrap();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    let some = (0..4000).map(|_| members(&mut random)).filter(|members| validator.is_valid(members));
    let some: Vec<Value> = some.collect();
    assert!(some.len() > 100, "{} valid values", some.len());
    let facts = |random: &mut Random| Map::from_iter(FACTS.map(|name| (name.to_owned(), random.pick(&some))));
    let call = |_| json!({"input": random.pick(&some), "facts": facts(&mut random)});
    let calls: Vec<Value> = (0..500).map(call).collect();
    let folder = tempfile::tempdir().unwrap();
    for part in ["verbs", "facts"] {
        std::fs::create_dir(folder.path().join(part)).unwrap();
    }
    for fact in FACTS {
        let file = json!({"fact": fact, "schema": schema});
        std::fs::write(folder.path().join(format!("facts/{fact}.schema.json")), file.to_string()).unwrap();
    }
    let (mut constant, mut open) = (0, 0);
    for _ in 0..2000 {
        let stated = predicate(&mut random, 2, None);
        let found = lints(folder.path(), &stated);
        if found.iter().any(|(lint, _)| lint.severity() == Severity::Error) {
            continue;
        }
        let said = found.iter().find(|(_, message)| message.starts_with("the predicate is true of"));
        let Some((lint, _)) = said else {
            open += 1;
            continue;
        };
        constant += 1;
        let predicate = read(stated.clone());
        for call in &calls {
            let holds = predicate.holds(&call["input"], |name| call["facts"].get(name));
            assert_eq!(holds, *lint == Lint::AlwaysTrue, "{stated} of {call}");
        }
    }
    println!("{constant} constant predicates, {open} others, {} calls", calls.len());
    assert!(constant > 50 && open > 50, "{constant} constant predicates, {open} others");
}
