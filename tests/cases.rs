//! Public failures of other generators and error tables, each under the name of its report.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::corpora::compiles;
use crate::program::{Ran, Scene, copy, keeper, repository, tree};
use crate::refusals::misfits;
use crate::same_bytes::{OUT, generated, shipped, to_crlf};

fn read(path: &str) -> Value {
    serde_json::from_slice(&fs::read(repository().join(path)).unwrap()).unwrap()
}

/// The codes of the shipped surface.
fn rows() -> Vec<Value> {
    read("generated/errors.json")["codes"].as_array().unwrap().clone()
}

fn text<'v>(value: &'v Value, member: &str) -> &'v str {
    value[member].as_str().unwrap()
}

/// A scene with one verb, `act`.
fn act(input: &str, constraints: &str) -> Scene {
    let scene = Scene::new();
    scene.write(
        "spec/verbs/act.schema.json",
        format!(r#"{{"verb": "act", "input": {input}, "constraints": [{constraints}]}}"#),
    );
    scene
}

/// modelcontextprotocol#3003, #2841, transports-wg#54: the error path had no schema, and one failure several codes.
/// Every refusal that [`crate::refusals`] meets is looked at as this one is.
#[test]
fn modelcontextprotocol_modelcontextprotocol_3003() {
    let scene = keeper();
    scene.write("generated/notes.txt", "mine");
    let answer = scene.run(&["gen", "--json"]).json();
    assert_eq!(misfits(&answer), [""; 0]);
    for (at, wrong, misfit) in [
        ("/status", json!("rejected"), "status: \"rejected\" is not one of"),
        ("/refusal/message", Value::Null, "refusal: null is not of type \"string\""),
        ("/refusal/details/files", json!("notes.txt"), "details: \"notes.txt\" is not of type \"array\""),
        ("/refusal/resend", json!("same_input"), "resend: \"same_input\" instead of \"either\""),
        ("/refusal/change/facts", json!([]), "change: "),
        ("/refusal/code", json!("OUTPUT_FULL"), "code: OUTPUT_FULL is no code of generate"),
        ("/verb", json!("explain"), "code: OUTPUT_HAS_FOREIGN_FILES is no code of explain"),
    ] {
        let mut answer = answer.clone();
        *answer.pointer_mut(at).unwrap() = wrong;
        let misfits = misfits(&answer);
        assert!(misfits.len() == 1 && misfits[0].starts_with(misfit), "{at}: {misfits:?}");
    }
}

/// gfargo/coco#1844: 14 codes, none of which could be found from outside, and a `retryable` that was the same for all.
#[test]
fn gfargo_coco_1844() {
    let scene = keeper();
    assert_eq!(scene.run(&["gen"]).exit, 0);
    let files = scene.tree("generated");
    let named_in = |code: &str| -> Vec<String> {
        let names = |bytes: &[u8]| String::from_utf8_lossy(bytes).contains(code);
        files.iter().filter(|(_, bytes)| names(bytes)).map(|(path, _)| path.clone()).collect()
    };
    let expected = |code: &str, more: &[&str]| {
        let own = format!("codes/{code}.md");
        let places = [
            "errors.json",
            "llms.txt",
            "manifest.json",
            "rust/codes.rs",
            "rust/open_change.rs",
            "rust/twins.rs",
            "verbs/open_change.md",
            &own,
        ];
        let places: BTreeSet<&str> = places.iter().chain(more).copied().collect();
        places.into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(named_in("REPO_NOT_IN_REGISTRY"), expected("REPO_NOT_IN_REGISTRY", &[]));
    assert_eq!(
        named_in("NO_PRIVILEGED_PATHS"),
        expected("NO_PRIVILEGED_PATHS", &["rust/details.rs", "rust/examples.rs"])
    );
    let table = scene.run(&["table", "--json"]).json()["output"]["table"].clone();
    let resend =
        table["codes"].as_array().unwrap().iter().map(|row| (text(row, "code"), text(row, "resend")));
    let expected = [("NO_PRIVILEGED_PATHS", "change_input"), ("REPO_NOT_IN_REGISTRY", "same_input")];
    assert_eq!(resend.collect::<Vec<_>>(), expected);
}

/// adcontextprotocol/adcp#1561, #5819, #2588: documents named codes that the list lacked.
#[test]
fn adcontextprotocol_adcp_1561() {
    let table = read("generated/errors.json");
    let rows = |list: &str| table[list].as_array().unwrap().clone();
    let known: BTreeSet<String> = [rows("codes"), rows("runtime_codes")]
        .concat()
        .iter()
        .map(|row| text(row, "code").to_owned())
        .collect();
    let variables = ["FORECHECK_LEDGER", "XDG_STATE_HOME"].map(str::to_owned);
    let known: BTreeSet<String> = known.into_iter().chain(variables).collect();
    assert_eq!(strangers("Either `SPEC_HAS_ERROR` or SPEC_HAS_ERRORS.", &known), ["SPEC_HAS_ERROR"]);
    let folders = ["docs", "generated", "spec"].map(|folder| {
        tree(&repository().join(folder)).into_keys().map(move |path| format!("{folder}/{path}"))
    });
    let files = folders
        .into_iter()
        .flatten()
        .chain(["ARCHITECTURE.md", "CHANGELOG.md", "README.md"].map(str::to_owned));
    let files = files.filter(|path| repository().join(path).is_file());
    let mut named = BTreeMap::new();
    for path in files {
        let strangers = strangers(&fs::read_to_string(repository().join(&path)).unwrap(), &known);
        named.extend(strangers.into_iter().map(|word| (word, path.clone())));
    }
    // The surface that the README sets up has a code of its own.
    assert_eq!(named, BTreeMap::from([("NO_PRIVILEGED_PATHS".to_owned(), "README.md".to_owned())]));
}

/// The words of a text that are spelled as codes of several words are, and are none.
fn strangers(text: &str, known: &BTreeSet<String>) -> Vec<String> {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    let coded = words
        .filter(|word| word.contains('_') && word.starts_with(|letter: char| letter.is_ascii_uppercase()));
    let coded = coded.filter(|word| !word.contains(|letter: char| letter.is_ascii_lowercase()));
    coded.filter(|word| !known.contains(*word)).map(str::to_owned).collect()
}

/// objectstack#9266: documented codes that nothing raised. Each code is one that a test of [`crate::refusals`] or
/// [`crate::ledger`] expects of a real call.
#[test]
fn objectstack_9266() {
    let raised = concat!(include_str!("refusals.rs"), include_str!("ledger.rs"));
    let silent: Vec<Value> =
        rows().into_iter().filter(|row| !raised.contains(&format!("\"{}\")", text(row, "code")))).collect();
    assert_eq!(silent, [json!(null); 0]);
}

/// rust-lang/rust#62627, #86097, #108482: a code that was removed could no longer be explained.
#[test]
fn rust_lang_rust_62627() {
    let scene = keeper();
    scene.write(
        "spec/retired.json",
        r#"[{"code": "OLD", "since": "1.1.0", "note": "Never true.", "replaced_by": "NO_PRIVILEGED_PATHS"}]"#,
    );
    assert_eq!(scene.run(&["gen"]).exit, 0);
    let explained = scene.run(&["explain", "OLD", "--errors", "generated/errors.json"]);
    let words = "OLD\n  Retired since 1.1.0. Never true.\n  Use NO_PRIVILEGED_PATHS instead.\n";
    assert_eq!((explained.exit, &*explained.stdout), (0, words));
    let page = fs::read_to_string(scene.path("generated/codes/OLD.md")).unwrap();
    let why = "Retired since 1.1.0. Never true. Use [NO_PRIVILEGED_PATHS](NO_PRIVILEGED_PATHS.md) instead.";
    assert_eq!(page.lines().nth(3), Some(why));
    let index = fs::read_to_string(scene.path("generated/llms.txt")).unwrap();
    assert!(index.ends_with("\n## Retired\n\n- [OLD](codes/OLD.md): since 1.1.0\n"), "{index}");
    fs::remove_file(scene.path("spec/retired.json")).unwrap();
    assert_eq!(scene.run(&["gen"]).exit, 0);
    assert_eq!(scene.run(&["explain", "OLD", "--errors", "generated/errors.json"]).exit, 3);
    assert!(!scene.path("generated/codes/OLD.md").exists());
}

/// smithy-swift#653, smithy-typescript#1695, aws-sdk-java-v2#4170, loonfs#933: one retry flag, read differently in
/// every place. Whoever says what resending a code can do says the word of its row.
#[test]
fn smithy_typescript_1695() {
    let generated = |path: &str| fs::read_to_string(repository().join("generated").join(path)).unwrap();
    let word_after = |text: &str, before: &str| -> String {
        let rest = text.split_once(before).unwrap_or_else(|| panic!("{before} is not in {text}")).1;
        rest.chars().take_while(|letter| letter.is_ascii_lowercase() || *letter == '_').collect()
    };
    for row in rows() {
        let (code, resend) = (text(&row, "code"), text(&row, "resend"));
        let explained = Scene::new().run(&["explain", code]).stdout;
        let said = [
            word_after(&generated("llms.txt"), &format!("[{code}](codes/{code}.md) (")),
            word_after(&generated(&format!("codes/{code}.md")), "\nResend: `"),
            word_after(&explained, "\n  Resend: "),
        ];
        assert_eq!(said, [resend; 3], "{code}");
        for verb in row["verbs"].as_array().unwrap() {
            let groups = row["by_verb"].as_array().into_iter().flatten();
            let own = groups.filter(|group| group["verbs"].as_array().unwrap().contains(verb));
            let own = own.map(|group| text(group, "resend")).next().unwrap_or(resend);
            let page = generated(&format!("verbs/{}.md", verb.as_str().unwrap()));
            let (_, entry) = page.split_once(&format!("[{code}](../codes/{code}.md)")).unwrap();
            assert_eq!(word_after(entry, "\n   Resend: `"), own, "{code} of {verb}");
        }
    }
}

/// devthrottle#1900, evenfire#581: tests of refusals that could not fail. Beside each refusal stands a call that goes
/// through.
#[test]
fn devthrottle_1900() {
    let tests = include_str!("refusals.rs").split("#[test]\nfn ").skip(1);
    let unpaired = tests.filter(|test| {
        let test = test.split("\n}\n").next().unwrap();
        test.contains("refused")
            && !["done(", ".exit, 0", "from([0])"].iter().any(|passes| test.contains(passes))
    });
    let names: Vec<&str> = unpaired.map(|test| test.split('(').next().unwrap()).collect();
    assert_eq!(names, [""; 0]);
}

/// basecamp/basecamp-sdk#932: a generator that refused midway left half of its output.
#[test]
fn basecamp_basecamp_sdk_932() {
    let scene = keeper();
    assert_eq!(scene.run(&["gen"]).exit, 0);
    let before = scene.tree("");
    scene.write("spec/verbs/broken.schema.json", "{");
    assert_eq!(scene.run(&["gen"]).exit, 3);
    fs::remove_file(scene.path("spec/verbs/broken.schema.json")).unwrap();
    assert_eq!(scene.tree(""), before);
    assert_eq!(scene.run(&["gen"]).exit, 0);
}

/// dotansimha/graphql-code-generator#10309, samchon/ttsc#683, flop-labs/tclk#90, entireio/cli#1939, smithy#2796: a
/// checkout with other line ends read as drift, or as drift that no run could clear.
#[test]
fn dotansimha_graphql_code_generator_10309() {
    let scene = keeper();
    assert_eq!(scene.run(&OUT).exit, 0);
    let check = || {
        let ran = scene.run(&["gen", "--check"]);
        (ran.exit, ran.stdout.lines().next().unwrap().to_owned())
    };
    let clean = (0, "everything is up to date".to_owned());
    to_crlf(&scene.path("generated"));
    assert_eq!(check(), clean);
    let ran = scene.run(&OUT);
    assert!(ran.exit == 0 && ran.stdout.contains(" 0 removed, "), "{ran:?}");
    assert_eq!(check(), clean);
    scene.write("generated/errors.json", "{}\r\n");
    assert_eq!(check().0, 1);
    assert_eq!(scene.run(&OUT).exit, 0);
    assert_eq!(check(), clean);
}

/// datamodel-code-generator#579, #3090 and its header with the time, geldata/gel-js#559: output that differed per
/// machine or per run.
#[test]
fn datamodel_code_generator_579() {
    let expected = generated(shipped);
    let scene = Scene::new();
    let above = scene.path("with blanks/und Umläute/日本");
    copy(&repository().join("spec"), &above.join("spec"));
    let mut command = scene.command(&["gen", "--spec"]);
    command.arg(above.join("spec")).arg("--out").arg(above.join("generated"));
    command.current_dir("/").env("LC_ALL", "tr_TR.UTF-8").env("TZ", "Asia/Kathmandu").env("HOME", "/nowhere");
    let ran = Ran::of(command.output().unwrap());
    assert_eq!(ran.exit, 0, "{ran:?}");
    assert_eq!(tree(&above.join("generated")), expected);
    thread::sleep(Duration::from_millis(1100));
    let here = Scene::new();
    shipped(&here);
    let ran = here.run(&["gen", "--spec", "./spec/.", "--out", "x/../generated"]);
    assert_eq!(ran.exit, 0, "{ran:?}");
    assert_eq!(here.tree("generated"), expected);
}

/// Names that modules of generated code, crates and files of Rust have already.
const MODULES: [&str; 16] = [
    "checks",
    "codes",
    "core",
    "details",
    "examples",
    "facts",
    "forecheck",
    "lib",
    "main",
    "mod",
    "reading",
    "self",
    "serde",
    "shared",
    "std",
    "twins",
];

/// microsoft/typespec#11505: names that fold to one file or one type, of which one silently replaced the other. Here
/// verbs are called as modules that every surface has, and codes and their details as types are.
#[test]
fn typespec_11505() {
    let scene = Scene::new();
    for verb in MODULES {
        let input = r#"{"type": "object", "properties": {"a": {"$ref": "../defs/input.schema.json"}}}"#;
        let text = format!(r#"{{"verb": "{verb}", "input": {input}, "constraints": ["CODE"]}}"#);
        scene.write(&format!("spec/verbs/{verb}.schema.json"), text);
    }
    scene.write(
        "spec/defs/input.schema.json",
        r#"{"type": "object", "properties": {"n": {"type": "integer"}}}"#,
    );
    scene.write("spec/constraints/CODE.json", r#"{"code": "CODE", "description": "x"}"#);
    let details = |properties: &str, name: &str| {
        format!(r#"{{"type": "object", "properties": {{"{name}": {properties}}}, "required": ["{name}"]}}"#)
    };
    let inner = details(r#"{"type": "string"}"#, "c");
    let constraints = [
        ("AA", details(&inner, "bb")),
        ("AA_BB", inner.clone()),
        ("STRING", inner.clone()),
        ("REFUSAL", inner),
    ]
    .map(|(code, details)| format!(r#"{{"code": "{code}", "description": "x", "details": {details}}}"#));
    scene.write(
        "spec/verbs/act.schema.json",
        format!(r#"{{"verb": "act", "input": {{}}, "constraints": [{}]}}"#, constraints.join(", ")),
    );
    let ran = scene.run(&["gen"]);
    assert_eq!(ran.exit, 0, "{ran:?}");
    let details = fs::read_to_string(scene.path("generated/rust/details.rs")).unwrap();
    let types: Vec<&str> = details.lines().filter_map(|line| line.strip_prefix("pub struct ")).collect();
    assert_eq!(types, ["Aa {", "AaBb {", "Refusal {", "String_ {", "AaBbXf43b6c {"]);
    let modules: BTreeSet<String> = scene.tree("generated/rust").into_keys().collect();
    let own = ["act", "checks", "codes", "details", "examples", "mod", "reading", "shared", "twins"];
    let folding = [
        "checks", "codes", "details", "examples", "facts", "lib", "main", "mod", "reading", "self", "shared",
        "twins",
    ];
    let free = ["core", "forecheck", "serde", "std"].map(str::to_owned);
    let expected =
        own.map(str::to_owned).into_iter().chain(folding.map(|name| name.to_owned() + "_")).chain(free);
    assert_eq!(modules, expected.map(|name| format!("{name}.rs")).collect());
    compiles(&scene, "folding");
    let folding = constraints[0].replace(r#""AA""#, r#""AA__BB""#);
    scene.write(
        "spec/verbs/act.schema.json",
        format!(
            r#"{{"verb": "act", "input": {{}}, "constraints": [{}, {folding}]}}"#,
            constraints.join(", ")
        ),
    );
    let fold = scene.run(&["check"]);
    assert!(fold.exit == 1 && fold.stdout.contains("error[names-fold]: "), "{fold:?}");
}

/// protovalidate#17, #88, #423: what an input broke came without its value and the bound.
#[test]
fn protovalidate_17() {
    let scene = act(
        r#"{"type": "object", "properties": {"n": {"type": "integer", "minimum": 1, "maximum": 5},
            "s": {"type": "string", "maxLength": 3, "pattern": "^a"}, "e": {"enum": ["x", "y"]}, "l": {"maxItems": 1}},
            "required": ["n"], "additionalProperties": false}"#,
        "",
    );
    for (input, expected) in [
        (r#"{"n": 0}"#, "1:7: SCHEMA_INVALID at /n: 0 is less than the minimum of 1"),
        (r#"{"n": 6}"#, "1:7: SCHEMA_INVALID at /n: 6 is greater than the maximum of 5"),
        (r#"{"n": 1.5}"#, r#"1:7: SCHEMA_INVALID at /n: 1.5 is not of type "integer""#),
        (r#"{"n": 1, "s": "abcd"}"#, r#"1:15: SCHEMA_INVALID at /s: "abcd" is longer than 3 characters"#),
        (r#"{"n": 1, "s": "b"}"#, r#"1:15: SCHEMA_INVALID at /s: "b" does not match "^a""#),
        (r#"{"n": 1, "e": "z"}"#, r#"1:15: SCHEMA_INVALID at /e: "z" is not one of "x" or "y""#),
        (r#"{"n": 1, "l": [1, 2]}"#, "1:15: SCHEMA_INVALID at /l: [1,2] has more than 1 item"),
        ("{}", r#"1:1: SCHEMA_INVALID: "n" is a required property"#),
    ] {
        let refused = scene.run_with(&["key", "act"], input);
        assert_eq!(
            (refused.exit, refused.stderr.lines().nth(1).map(str::trim)),
            (3, Some(expected)),
            "{input}"
        );
    }
    assert_eq!(scene.run_with(&["key", "act"], r#"{"n": 1, "s": "abc", "e": "x", "l": [1]}"#).exit, 0);
}

/// hashicorp/terraform#34541, #35646: what is deprecated came without the reason, also where one verb alone says it.
#[test]
fn terraform_34541() {
    let scene = keeper();
    let gone = r#""deprecated": {"since": "1.2.0", "note": "Too broad.", "replaced_by": "#;
    let constraint = |more: &str| format!(r#"{{"code": "MANY", "description": "x", "reads": ["/a"]{more}}}"#);
    let verb = |name: &str, more: &str, constraint: &str| {
        let input = r#"{"properties": {"a": {}}}"#;
        let text = format!(
            r#"{{"verb": "{name}", "target": null, "effects": []{more}, "input": {input}, "constraints": [{constraint}]}}"#
        );
        scene.write(&format!("spec/verbs/{name}.schema.json"), text);
    };
    let page = |path: &str, before: &str| {
        assert_eq!(scene.run(&["gen"]).exit, 0);
        let page = fs::read_to_string(scene.path("generated").join(path)).unwrap();
        let found = page.lines().find_map(|line| line.split_once(before)).map(|(_, rest)| rest.to_owned());
        found.unwrap_or_else(|| panic!("{before} is not in {page}"))
    };
    let explained = |before: &str| {
        let explained = scene.run(&["explain", "MANY", "--errors", "generated/errors.json"]).stdout;
        explained.split_once(before).map(|(_, rest)| rest.lines().take(2).collect::<Vec<_>>().join("|"))
    };
    let successor = "since 1.2.0. Too broad. Use [NO_PRIVILEGED_PATHS](NO_PRIVILEGED_PATHS.md) instead.";
    let deprecated = constraint(&format!(r#", {gone}"NO_PRIVILEGED_PATHS"}}"#));
    verb("one", &format!(r#", {gone}"open_change"}}"#), &deprecated);
    assert_eq!(
        page("verbs/one.md", "- Deprecated "),
        "since 1.2.0. Too broad. Use [open_change](open_change.md) instead."
    );
    assert_eq!(page("codes/MANY.md", "Deprecated "), successor);
    assert_eq!(
        explained("Deprecated ").unwrap(),
        "since 1.2.0. Too broad.|  Use NO_PRIVILEGED_PATHS instead."
    );
    verb("two", "", &constraint(""));
    assert_eq!(page("codes/MANY.md", "Deprecated "), successor);
    assert_eq!(
        explained("deprecated ").unwrap(),
        "since 1.2.0. Too broad.|      use NO_PRIVILEGED_PATHS instead"
    );
    assert_eq!(explained("Deprecated "), None);
}

/// kubernetes#124234, #121162, #111769: an estimate of costs refused trivial rules on fields without a bound. Here, a
/// condition over every item of a list of texts, neither of which has one.
#[test]
fn kubernetes_124234() {
    let scene = act(
        r#"{"type": "object", "properties": {"paths": {"type": "array", "items": {"type": "string"}}}, "required": ["paths"]}"#,
        r#"{"code": "PATH_BLANK", "description": "A path is blank.", "subject": ["/paths"], "refuse_when":
            {"any": {"of": {"input": "/paths"}, "where": {"matches": [{"item": ""}, "^\\s*$"]}}}}"#,
    );
    let ran = scene.run(&["check", "--deny-warnings"]);
    assert_eq!(ran.exit, 0, "{ran:?}");
}

/// smithy#3166: changes that break nothing were refused as breaking. Here: as moving the keys.
#[test]
fn smithy_3166() {
    let scene = keeper();
    assert_eq!(scene.run(&["gen"]).exit, 0);
    let path = scene.path("spec/verbs/open_change.schema.json");
    let edit = |from: &str, to: &str| {
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{from}");
        fs::write(&path, text.replace(from, to)).unwrap();
        scene.run(&["gen"]).exit
    };
    for (from, to) in [
        (r#""summary": "Open a change.""#, r#""summary": "Open a change of a repository.""#),
        (
            r#"{"type": "integer", "minimum": 0}"#,
            r#"{"type": "integer", "minimum": 1, "description": "How often."}"#,
        ),
        (r#""draft": {"#, r#""labels": {"type": "array", "default": []}, "draft": {"#),
        (r#""required": ["branch"]"#, r#""required": []"#),
        (r#""description": "A path is privileged.""#, r#""description": "Privileged.""#),
    ] {
        assert_eq!(edit(from, to), 0, "{to}");
    }
    for (from, to) in [
        (r#""default": false"#, r#""default": true"#),
        (r#"{"type": "array", "default": []}"#, r#"{"type": "array"}"#),
        (r#", "x-key": "ignore""#, ""),
    ] {
        let sound = fs::read_to_string(&path).unwrap();
        assert_eq!(edit(from, to), 3, "{to}");
        fs::write(&path, sound).unwrap();
        assert_eq!(scene.run(&["gen"]).exit, 0);
    }
}

/// paiml/batuta#75: generated preconditions refused an input that was empty and valid.
#[test]
fn paiml_batuta_75() {
    let scene = act(
        r#"{"type": "object", "properties": {"list": {"type": "array", "items": {"type": "string"}},
            "text": {"type": "string"}, "map": {"type": "object", "additionalProperties": false}}}"#,
        "",
    );
    for input in ["{}", r#"{"list": []}"#, r#"{"text": ""}"#, r#"{"map": {}}"#] {
        assert_eq!(scene.run_with(&["key", "act"], input).exit, 0, "{input}");
    }
    for input in ["", "null", r#"{"list": null}"#, r#"{"text": []}"#, r#"{"map": {"": 1}}"#] {
        assert_eq!(scene.run_with(&["key", "act"], input).exit, 3, "{input}");
    }
}

/// arkenv#1313: refusals kept quiet about the switches that lift them. Where a check reads a switch of the input, its
/// remedy names it.
#[test]
fn arkenv_1313() {
    let mut named = Vec::new();
    for row in rows() {
        for verb in row["verbs"].as_array().unwrap() {
            let verb = read(&format!("spec/verbs/{}.schema.json", verb.as_str().unwrap()));
            let read = row["change"]["input"]
                .as_array()
                .unwrap()
                .iter()
                .filter_map(|at| at.as_str()?.strip_prefix('/'));
            let switches = read.filter(|name| verb["input"]["properties"][name]["type"] == "boolean");
            let code = text(&row, "code");
            named.extend(switches.map(|name| {
                (code.to_owned(), name.to_owned(), text(&row, "help").contains(&format!("`{name}`")))
            }));
        }
    }
    named.dedup();
    let expected = [("OUTPUT_HAS_FOREIGN_FILES", "prune", true), ("WARNINGS_DENIED", "deny_warnings", true)];
    assert_eq!(named, expected.map(|(code, name, is)| (code.to_owned(), name.to_owned(), is)));
}

/// daytona#4983, clerk/cli#52: errors that were no JSON in JSON mode.
#[test]
fn daytona_4983() {
    let scene = keeper();
    for arguments in [
        &["gen", "--jsno", "--json"][..],
        &["key", "open_change", "--input", "none.json", "--json"],
        &["table", "--spec", "none", "--json"],
        &["check", "--spec", "none", "--json"],
    ] {
        let ran = scene.run(arguments);
        assert!([2, 3].contains(&ran.exit), "{ran:?}");
        let answer = ran.json();
        assert!(answer["message"].is_string() || answer["refusal"]["code"].is_string(), "{ran:?}");
    }
}

/// cardano-blueprint#88: nobody knew whether the order of failures was promised. It is: of all that is wrong at once,
/// a call says what stands first on the page of its verb.
#[test]
fn cardano_blueprint_88() {
    let scene = keeper();
    let call = ["gen", "--deny-warnings", "--out", "spec/generated", "--json"];
    scene.write("spec/defs/unused.schema.json", "{}");
    scene.write("spec/verbs/broken.schema.json", "{");
    scene.write("away/notes.txt", "mine");
    let mend: [(&str, &dyn Fn()); 4] = [
        ("SPEC_UNREADABLE", &|| fs::rename(scene.path("gone"), scene.path("spec")).unwrap()),
        ("SPEC_HAS_ERRORS", &|| fs::remove_file(scene.path("spec/verbs/broken.schema.json")).unwrap()),
        ("WARNINGS_DENIED", &|| fs::remove_file(scene.path("spec/defs/unused.schema.json")).unwrap()),
        ("FOLDERS_OVERLAP", &|| ()),
    ];
    fs::rename(scene.path("spec"), scene.path("gone")).unwrap();
    let met: Vec<String> = mend
        .iter()
        .map(|(_, mend)| {
            let code = text(&scene.run(&call).json()["refusal"], "code").to_owned();
            mend();
            code
        })
        .collect();
    assert_eq!(met, mend.map(|(code, _)| code));
    let page = fs::read_to_string(repository().join("generated/verbs/generate.md")).unwrap();
    let (_, promised) = page.split_once("Evaluated in this order, before anything is done:\n").unwrap();
    let promised = promised.lines().filter_map(|line| line.split_once(". [")?.1.split_once(']'));
    assert_eq!(promised.map(|(code, _)| code).take(met.len()).collect::<Vec<_>>(), met);
    assert_eq!(scene.run(&["gen", "--deny-warnings", "--out", "generated"]).exit, 0);
}
