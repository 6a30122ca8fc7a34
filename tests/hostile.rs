//! Whatever a spec folder holds: accepted rightly, or refused with its exact report. Never a panic,
//! never a half-written file.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Command;

use crate::corpora::compiles;
use crate::program::{Scene, as_nobody};

/// A scene with one verb whose input is `input` and whose constraints are `constraints`.
fn surface(input: &str, constraints: &str) -> Scene {
    let scene = Scene::new();
    scene.write("spec/verbs/act.schema.json", verb(input, constraints));
    scene
}

fn verb(input: &str, constraints: &str) -> String {
    format!(r#"{{"verb": "act", "input": {input}, "constraints": [{constraints}]}}"#)
}

/// The lints that `check` reports, warnings and errors, each with its place.
fn problems(scene: &Scene) -> Vec<String> {
    let ran = scene.run(&["check", "--json"]);
    assert!([0, 1].contains(&ran.exit), "{ran:?}");
    let all = ran.json()["output"]["problems"].as_array().unwrap().clone();
    let shown = all.iter().filter(|problem| problem["severity"] != "note");
    shown
        .map(|p| {
            format!(
                "{} {}:{}:{}",
                p["lint"].as_str().unwrap(),
                p["file"].as_str().unwrap(),
                p["line"],
                p["column"]
            )
        })
        .collect()
}

/// Generates and compiles.
fn accepted(scene: &Scene, name: &str) {
    assert_eq!(problems(scene), [""; 0]);
    let ran = scene.run(&["gen"]);
    assert_eq!(ran.exit, 0, "{}", ran.stderr);
    compiles(scene, name);
}

/// Every one of these is valid, however large.
#[test]
fn what_is_large_but_right_is_accepted() {
    let words: Vec<String> = (0..5000).map(|number| format!(r#""word {number}""#)).collect();
    let deep =
        format!(r#"{}{{"type": "string"}}{}"#, r#"{"properties": {"a": "#.repeat(330), "}}".repeat(330));
    let long = "All work and no play. ".repeat(50_000);
    let input = format!(
        r##"{{"type": "object", "description": "{long}", "properties": {{
            "word": {{"enum": [{}]}},
            "deep": {deep},
            "tree": {{"$ref": "#/$defs/tree"}}
        }}, "$defs": {{"tree": {{"type": "object", "properties": {{"kids": {{"type": "array", "items": {{"$ref": "#/$defs/tree"}}}}}}}}}}}}"##,
        words.join(", ")
    );
    let constraint = format!(r#"{{"code": "LONG_TEXT", "description": "{long}"}}"#);
    accepted(&surface(&input, &constraint), "large");
}

#[test]
fn a_schema_1000_deep_is_accepted() {
    let deep = format!("{}true{}", r#"{"not": "#.repeat(1000), "}".repeat(1000));
    accepted(&surface(&deep, ""), "deep");
}

/// Names and texts that would end a comment, a string, a code block or a page.
#[test]
fn text_stays_text() {
    let hostile = "*/ */ // \\u0000 \\u001b[31m \\u202e \\u2028 \\\"#\\\" r#\\\"x\\\"# ``` ~~~ <script>alert(1)</script> --> ]]> {{ x }} {% y %} ${z} \\\\ \\n# head\\n- list\\n```rust\\npanic!()\\n```\\n    indented\\n\\r\\n[link](javascript:x) @import";
    let input = format!(
        r#"{{"type": "object", "title": "{hostile}", "description": "{hostile}", "properties": {{
            "{hostile}": {{"description": "{hostile}", "default": "{hostile}", "enum": ["{hostile}", "*/", "\"", ""]}},
            "type": {{"const": "{hostile}"}}
        }}, "$defs": {{"{hostile}": {{"type": "string"}}}}, "required": ["type"], "additionalProperties": false}}"#
    );
    let constraint = format!(
        r#"{{"code": "HOSTILE_TEXT", "description": "{hostile}", "help": "{hostile}", "details": {{"properties": {{"{hostile}": {{}}}}, "required": ["{hostile}"]}}}}"#
    );
    let scene = surface(&input, &constraint);
    let ran = scene.run(&["gen"]);
    assert_eq!(ran.exit, 0, "{}", ran.stderr);
    for (path, bytes) in scene.tree("generated") {
        let text = String::from_utf8(bytes).unwrap();
        assert!(
            !text.contains(['\u{0}', '\u{1b}', '\u{202e}', '\u{2028}', '\r']) || ends(&path, &["json"]),
            "{path}"
        );
        if ends(&path, &["md", "txt"]) {
            let outside: String =
                text.split("```json").map(|part| part.rsplit("```\n").next().unwrap()).collect();
            assert!(
                !outside.contains("<script")
                    && !outside.contains("\n# head")
                    && !outside.contains("\n- list"),
                "{path}: {outside}"
            );
        }
    }
    compiles(&scene, "hostile");
}

fn ends(path: &str, extensions: &[&str]) -> bool {
    path.rsplit_once('.').is_some_and(|(_, extension)| extensions.contains(&extension))
}

#[test]
fn bytes_that_are_no_text_are_refused_with_their_place() {
    let scene = surface("{}", "");
    scene.write("spec/verbs/bom.schema.json", b"\xef\xbb\xbf{}");
    scene.write("spec/verbs/latin.schema.json", b"{\n \"verb\": \"caf\xe9\"}");
    scene.write("spec/verbs/nul.schema.json", b"{\"verb\": \"a\0\"}");
    scene.write("spec/verbs/none.schema.json", b"");
    let expected = [
        "encoding verbs/bom.schema.json:1:1",
        "encoding verbs/latin.schema.json:2:14",
        "syntax verbs/none.schema.json:1:1",
        "syntax verbs/nul.schema.json:1:12",
    ];
    assert_eq!(problems(&scene), expected);
}

#[test]
fn names_that_no_page_could_have_are_refused() {
    let scene = surface("{}", "");
    let long = "a".repeat(243);
    scene.write(
        &format!("spec/verbs/{long}.schema.json"),
        format!(r#"{{"verb": "{long}", "input": {{}}, "constraints": []}}"#),
    );
    assert_eq!(problems(&scene), [format!("verb-grammar verbs/{long}.schema.json:1:10")]);
}

#[test]
fn links_and_loops_are_refused() {
    let scene = surface("{}", "");
    symlink("..", scene.path("spec/verbs/loop")).unwrap();
    symlink("act.schema.json", scene.path("spec/verbs/other.schema.json")).unwrap();
    symlink("/etc", scene.path("spec/constraints")).unwrap();
    let expected =
        ["unreadable constraints:1:1", "unreadable verbs/loop:1:1", "unreadable verbs/other.schema.json:1:1"];
    assert_eq!(problems(&scene), expected);
    assert_eq!(scene.run(&["gen"]).exit, 3);
}

/// As an ordinary user: mode bits mean nothing to root.
#[test]
fn an_unreadable_file_is_reported_beside_everything_else() {
    let scene = surface("{}", r#"{"code": "lower", "description": "x"}"#);
    scene.write("spec/verbs/secret.schema.json", verb("{}", ""));
    let set_mode =
        |path: &str, mode| fs::set_permissions(scene.path(path), fs::Permissions::from_mode(mode)).unwrap();
    set_mode("", 0o755);
    set_mode("spec/verbs/secret.schema.json", 0o000);
    let output = as_nobody(&scene, &["check"]).output().unwrap();
    let seen = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        seen.contains("error[unreadable]: the file was not read: Permission denied (os error 13)"),
        "{seen}"
    );
    assert!(seen.contains("error[code-grammar]: `lower` is no code"), "{seen}");
    set_mode("spec/verbs/secret.schema.json", 0o644);
    let output = as_nobody(&scene, &["check"]).output().unwrap();
    assert!(!String::from_utf8(output.stdout).unwrap().contains("unreadable"));
}

/// Each file is read once: what is checked is what is generated from, and a reader sees one of the
/// versions, never a mix that nobody wrote.
#[test]
fn a_file_that_changes_while_it_is_read_is_one_of_its_versions() {
    let scene = surface("{}", "");
    let path = scene.path("spec/verbs/act.schema.json");
    let texts = [
        verb("{}", r#"{"code": "OLD_CODE", "description": "x"}"#),
        verb("{}", r#"{"code": "NEW_CODE", "description": "x"}"#),
    ];
    let changing = std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            for turn in 0..400 {
                let staged = scene.path("staged");
                fs::write(&staged, &texts[turn % 2]).unwrap();
                fs::rename(&staged, &path).unwrap();
            }
        });
        let mut codes = std::collections::BTreeSet::new();
        while !writer.is_finished() {
            let ran = scene.run(&["table"]);
            assert_eq!(ran.exit, 0, "{ran:?}");
            codes.insert(ran.stdout.split_whitespace().next().unwrap().to_owned());
        }
        codes
    });
    assert!(changing.iter().all(|code| code == "OLD_CODE" || code == "NEW_CODE"), "{changing:?}");
}

/// A file that is emptied and written again in pieces: a reader sees a version, or that what it read is none.
#[test]
fn a_file_that_is_rewritten_in_place_is_a_version_or_none() {
    let scene = surface("{}", "");
    let path = scene.path("spec/verbs/act.schema.json");
    let texts = ["OLD_CODE", "NEW_CODE"].map(|code| {
        verb("{}", &format!(r#"{{"code": "{code}", "description": "{}"}}"#, "x".repeat(100_000)))
    });
    fs::write(&path, &texts[0]).unwrap();
    let seen = std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            for turn in 0..400 {
                let mut file = fs::File::create(&path).unwrap();
                texts[turn % 2].as_bytes().chunks(10_000).for_each(|piece| file.write_all(piece).unwrap());
            }
        });
        let mut seen = std::collections::BTreeSet::new();
        while !writer.is_finished() {
            let ran = scene.run(&["table", "--json"]);
            let answer = ran.json();
            let told = match ran.exit {
                0 => answer["output"]["table"]["codes"][0]["code"].clone(),
                _ => answer["refusal"]["code"].clone(),
            };
            seen.insert(told.as_str().unwrap_or_default().to_owned());
        }
        seen
    });
    let known = ["OLD_CODE", "NEW_CODE", "SPEC_HAS_ERRORS"];
    assert!(seen.iter().all(|told| known.contains(&&**told)), "{seen:?}");
}

/// A disk of 64 KiB: the run is refused, and what was there before is there after.
#[test]
fn a_full_disk_leaves_the_previous_output() {
    let scene = surface("{}", r#"{"code": "SMALL", "description": "x"}"#);
    fs::create_dir(scene.path("disk")).unwrap();
    let disk = Disk::mount(&scene, "disk", "192k");
    let call = ["gen", "--out", "disk/generated", "--json"];
    let ran = scene.run(&call);
    assert_eq!(ran.exit, 0, "{ran:?}");
    let before = scene.tree("disk");
    let long = "x".repeat(200_000);
    scene.write(
        "spec/verbs/act.schema.json",
        verb("{}", &format!(r#"{{"code": "LARGE", "description": "{long}"}}"#)),
    );
    let ran = scene.run(&call);
    assert_eq!((ran.exit, &ran.json()["refusal"]["code"]), (3, &"OUTPUT_UNWRITABLE".into()), "{ran:?}");
    assert_eq!(scene.tree("disk"), before);
    drop(disk);
}

/// A folder of the output on another disk: nothing can be renamed into it, and that shows only when
/// other files are in place.
#[test]
fn a_run_that_stops_half_way_says_so() {
    let scene = surface("{}", r#"{"code": "SMALL", "description": "x"}"#);
    assert_eq!(scene.run(&["gen"]).exit, 0);
    let disk = Disk::mount(&scene, "generated/codes", "192k");
    scene.write("spec/verbs/act.schema.json", verb("{}", r#"{"code": "SMALL", "description": "y"}"#));
    let ran = scene.run(&["gen", "--json"]);
    let answer = ran.json();
    assert_eq!(
        (ran.exit, &answer["status"], &answer["effects_of_this_call"], &answer["next"]),
        (5, &"in_doubt".into(), &"partial".into(), &serde_json::Value::Null),
        "{ran:?}"
    );
    let message = "`generated/codes/SMALL.md` cannot be written: Invalid cross-device link (os error 18); \
                   each file is whole, but some are new and some are not: run it again";
    assert_eq!(answer["message"], message);
    drop(disk);
    assert_eq!(scene.run(&["gen"]).exit, 0);
    assert_eq!(scene.run(&["gen", "--check"]).exit, 0);
}

/// A small file system of its own.
struct Disk(std::path::PathBuf);

impl Disk {
    fn mount(scene: &Scene, path: &str, size: &str) -> Disk {
        let path = scene.path(path);
        let options = format!("size={size}");
        let mut mount = Command::new("mount");
        assert!(mount.args(["-t", "tmpfs", "-o", &options, "tmpfs"]).arg(&path).status().unwrap().success());
        Disk(path)
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        drop(Command::new("umount").arg(&self.0).status());
    }
}

/// Work that would grow with the square, or the power, of what a file or a call holds.
#[test]
fn what_is_crowded_takes_no_longer_than_it_must() {
    let scene = surface(
        r#"{"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string"}}}}"#,
        "",
    );
    let call = format!("{{\"a\": [{}1]}}", "1,".repeat(400_000));
    let refused = scene.run_with(&["key", "act", "--json"], &call);
    assert_eq!(refused.json()["refusal"]["details"]["problems"].as_array().unwrap().len(), 64);
    let crowded = format!(
        r#"{{"properties": {{{}}}}}"#,
        (0..3000)
            .map(|n| format!(r#""p{n}": {{"nullable": true, "x": "{}"}}"#, "y".repeat(900)))
            .collect::<Vec<_>>()
            .join(", ")
    );
    scene.write("spec/verbs/act.schema.json", verb(&crowded, ""));
    assert_eq!(problems(&scene).len(), 6000);
    let twice = r##"{"properties": {"a": {"$ref": "#"}}, "allOf": [{"properties": {"a": {"$ref": "#"}}}]}"##;
    let constraint = format!(r#"{{"code": "AB", "description": "x", "reads": ["{}"]}}"#, "/a".repeat(60));
    scene.write("spec/verbs/act.schema.json", verb(twice, &constraint));
    assert_eq!(problems(&scene), ["fan-out verbs/act.schema.json:1:73"]);
}

/// References that no keyword holds, and that no library reads alike.
#[test]
fn references_lead_to_schemas_and_are_written_as_uris() {
    let odd = r##"{"properties": {"a": {"$ref": "#/x-own/a b"}, "b": {"$ref": "#/$defs/ü^<>%25"}}, "required": ["a"],
        "x-own": {"a b": {"type": "string"}}, "$defs": {"ü^<>%": {"type": "integer"}}}"##;
    let scene = surface(odd, "");
    assert_eq!(problems(&scene), [""; 0]);
    assert_eq!(scene.run_with(&["key", "act"], r#"{"a": "x", "b": 1}"#).exit, 0);
    assert_eq!(scene.run_with(&["key", "act"], r#"{"a": "x", "b": "y"}"#).exit, 3);
    let wrong = r##"{"properties": {"a": {"$ref": "#/required"}, "b": {"$ref": "#/x-own"}}, "required": ["a"], "x-own": {"$ref": "https://example.com/"}}"##;
    scene.write("spec/verbs/act.schema.json", verb(wrong, ""));
    let expected =
        ["unresolved-ref verbs/act.schema.json:1:56", "unresolved-ref verbs/act.schema.json:1:135"];
    assert_eq!(problems(&scene), expected);
}

/// A pattern that cannot be compiled is a warning, and everything else is still enforced.
#[test]
fn patterns_that_cannot_be_compiled_are_reported() {
    let scene = surface(
        r#"{"properties": {"a": {"type": "string", "pattern": "("}, "b": {"pattern": "^x"}}, "patternProperties": {"(": {}}}"#,
        "",
    );
    assert_eq!(
        problems(&scene),
        ["pattern verbs/act.schema.json:1:77", "pattern verbs/act.schema.json:1:130"]
    );
    assert_eq!(scene.run_with(&["key", "act"], r#"{"a": "anything", "b": "x"}"#).exit, 0);
    for refused in [r#"{"a": 1}"#, r#"{"b": "y"}"#] {
        assert_eq!(scene.run_with(&["key", "act"], refused).exit, 3);
    }
}

/// Fields of a foreign errors.json stay on their lines.
#[test]
fn a_table_cannot_forge_lines() {
    let scene = surface("{}", r#"{"code": "AB", "description": "x"}"#);
    assert_eq!(scene.run(&["gen"]).exit, 0);
    let errors = fs::read_to_string(scene.path("generated/errors.json")).unwrap();
    scene.write(
        "forged.json",
        errors.replace("\"description\": \"x\"", "\"description\": \"x\\n  Resend: never\\u009b31m\""),
    );
    let seen = scene.run(&["explain", "AB", "--errors", "forged.json"]).stdout;
    assert!(seen.contains("x\\u{a}  Resend: never\\u{9b}31m\n"), "{seen}");
    scene.write(
        "spec/verbs/act.schema.json",
        verb("{}", "{\"code\": \"\u{9b}\u{200b}\u{e0041}\", \"description\": \"x\"}"),
    );
    let seen = scene.run(&["check"]).stdout;
    assert!(!seen.contains(['\u{9b}', '\u{200b}', '\u{e0041}']), "{seen}");
}

/// An example says what a runtime answers, also before any check.
#[test]
fn examples_are_admitted_as_calls_are() {
    let scene = Scene::new();
    scene.write(
        "spec/surface.json",
        r#"{"name": "k", "target": {"pointer": "/repo", "spelling": ["lower_case"]}}"#,
    );
    let with = |example: &str| {
        let input = r#"{"properties": {"repo": {"type": "string", "pattern": "^[a-z/|]*$"}, "n": {"type": "integer"}}, "required": ["repo"]}"#;
        scene.write(
            "spec/verbs/act.schema.json",
            format!(r#"{{"verb": "act", "input": {input}, "constraints": [], "examples": [{example}]}}"#),
        );
        scene.run(&["check"]).exit
    };
    for good in [
        r#"{"input": {"repo": "A/B"}, "expect": "succeeded"}"#,
        r#"{"input": {"repo": "a|b"}, "expect": "TARGET_INVALID"}"#,
        r#"{"input": {"repo": "a", "n": 9007199254740993}, "expect": "INPUT_NUMBER_UNSAFE"}"#,
        r#"{"input": {"repo": "a", "n": 1e20}, "expect": "INPUT_NUMBER_UNSAFE"}"#,
        r#"{"input": {"repo": "a"}, "expect": "FACT_UNAVAILABLE"}"#,
    ] {
        assert_eq!(with(good), 0, "{good}");
    }
    for bad in [
        r#"{"input": {"repo": "a|b"}, "expect": "succeeded"}"#,
        r#"{"input": {"repo": ""}, "expect": "succeeded"}"#,
        r#"{"input": {"repo": "a", "n": 9007199254740993}, "expect": "succeeded"}"#,
        r#"{"input": {"repo": "a"}, "expect": "TARGET_INVALID"}"#,
        r#"{"input": {"repo": "a"}, "facts": {"none": 1}, "expect": "succeeded"}"#,
    ] {
        assert_eq!(with(bad), 1, "{bad}");
    }
}

/// Facts may be called as the variables of generated code are.
#[test]
fn facts_are_called_as_they_like() {
    let names = ["act", "class", "fact", "facts", "failed", "host", "read", "refused", "seen", "verb"];
    let scene = surface(
        "{}",
        &names
            .map(|name| {
                format!(r#"{{"code": "{}", "description": "x", "reads": ["{name}"]}}"#, name.to_uppercase())
            })
            .join(", "),
    );
    let flag =
        r#"{"type": "object", "properties": {"facts": {"type": "boolean"}}, "additionalProperties": false}"#;
    for name in names {
        let fact = format!(r#"{{"fact": "{name}", "description": "x", "schema": {flag}}}"#);
        scene.write(&format!("spec/facts/{name}.schema.json"), fact);
    }
    assert_eq!(scene.run(&["gen"]).exit, 0);
    compiles(&scene, "facts");
}
