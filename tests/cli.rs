//! What people and machines see of each command.

use crate::corpora::compiles;
use crate::program::{Scene, keeper, repository};

#[test]
fn check_reports_every_problem_and_exits_with_1() {
    let scene = keeper();
    assert_eq!(
        scene.run(&["check"]).seen(),
        "exit 0\n--- stdout\nspec: 0 errors, 0 warnings in 2 verbs\n--- stderr\n"
    );
    scene.write(
        "spec/verbs/bad.schema.json",
        "{\n  \"verb\": \"Bad\",\n  \"input\": {\"minLenght\": 1},\n  \"constraint\": []\n}\n",
    );
    insta::assert_snapshot!(scene.run(&["check"]).seen());
    let json = scene.run(&["check", "--json"]);
    assert_eq!((json.exit, &json.json()["status"]), (1, &"succeeded".into()));
    insta::assert_snapshot!("check_json", serde_json::to_string_pretty(&json.json()["output"]).unwrap());
}

#[test]
fn warnings_end_with_1_only_when_they_are_denied() {
    let scene = keeper();
    scene.write("spec/defs/unused.schema.json", "{}");
    assert_eq!((scene.run(&["check"]).exit, scene.run(&["check", "--deny-warnings"]).exit), (0, 1));
}

#[test]
fn gen_says_what_it_did() {
    let scene = keeper();
    let json = scene.run(&["gen", "--json"]).json();
    let digest = json["spec_sha256"].as_str().unwrap().to_owned();
    insta::assert_snapshot!(serde_json::to_string_pretty(&json).unwrap().replace(&digest, "[digest]"));
}

#[test]
fn the_generated_files_of_a_surface() {
    let scene = keeper();
    assert_eq!(scene.run(&["gen"]).exit, 0);
    for path in [
        "errors.json",
        "keys.json",
        "llms.txt",
        "codes/NO_PRIVILEGED_PATHS.md",
        "verbs/open_change.md",
        "rust/codes.rs",
        "rust/open_change.rs",
        "rust/details.rs",
        "rust/mod.rs",
    ] {
        let text = std::fs::read_to_string(scene.path("generated").join(path)).unwrap();
        insta::assert_snapshot!(path.replace('/', "_"), text);
    }
}

#[test]
fn explain_says_whether_resending_helps() {
    let scene = keeper();
    assert_eq!(scene.run(&["gen"]).exit, 0);
    let explain = |code: &str| scene.run(&["explain", code, "--errors", "generated/errors.json"]).seen();
    insta::assert_snapshot!("explain_constraint", explain("NO_PRIVILEGED_PATHS"));
    insta::assert_snapshot!("explain_policy", explain("REPO_NOT_IN_REGISTRY"));
    insta::assert_snapshot!("explain_runtime", explain("LEDGER_UNAVAILABLE"));
    insta::assert_snapshot!("explain_typo", explain("NO_PRIVILEGED_PATH"));
    insta::assert_snapshot!("explain_own", scene.run(&["explain", "SPEC_HAS_ERRORS"]).seen());
    insta::assert_snapshot!(
        "explain_json",
        scene.run(&["explain", "NO_PRIVILEGED_PATHS", "--errors", "generated/errors.json", "--json"]).json()
            ["output"]
            .to_string()
    );
}

#[test]
fn key_prints_the_key_and_its_parts() {
    let scene = keeper();
    let key = |input: &str| {
        let ran = scene.run_with(&["key", "open_change"], input);
        assert_eq!(ran.exit, 0, "{ran:?}");
        ran.stdout
    };
    let plain = key(r#"{"repo": "octo/hello", "paths": ["a"]}"#);
    assert_eq!(key(r#"{"paths": ["a"], "draft": false, "repo": "Octo/HELLO", "title": "Any words"}"#), plain);
    assert_ne!(key(r#"{"repo": "octo/hello", "paths": ["a"], "draft": true}"#), plain);
    scene.write("input.json", r#"{"repo": "octo/hello", "paths": ["a"]}"#);
    let json = scene.run(&["key", "open_change", "--input", "input.json", "--json"]).json();
    // printf 'open_change|octo/hello|{"paths":["a"],"repo":"octo/hello"}' | sha256sum
    let expected = "4c6a41c673b1bc3853b427690baa5204c8bd9a5d6bbed2e685cb4d34cb08328d";
    assert_eq!(plain.trim(), expected);
    assert_eq!(
        json["output"],
        serde_json::json!({"key": expected, "verb": "open_change", "target": "octo/hello",
            "canonical_input": r#"{"paths":["a"],"repo":"octo/hello"}"#})
    );
}

#[test]
fn table_prints_a_line_a_code() {
    let scene = keeper();
    insta::assert_snapshot!(scene.run(&["table"]).seen());
    assert_eq!(scene.run(&["gen"]).exit, 0);
    let errors: serde_json::Value =
        serde_json::from_slice(&std::fs::read(scene.path("generated/errors.json")).unwrap()).unwrap();
    assert_eq!(scene.run(&["table", "--json"]).json()["output"], serde_json::json!({"table": errors}));
}

/// A table ends with the share of each `resend`: here those of the shipped surface and of the example.
#[test]
fn a_table_ends_with_its_shares() {
    let last_line = |spec: &str| {
        let ran =
            Scene::new().run(&["table".as_ref(), "--spec".as_ref(), repository().join(spec).as_os_str()]);
        assert_eq!((ran.exit, ran.stderr.as_str()), (0, ""));
        let shares = ran.stdout.lines().last().unwrap().to_owned();
        println!("{spec}: {shares}");
        shares
    };
    assert_eq!(last_line("spec"), "23 codes: change_input 1, same_input 2, either 20");
    assert_eq!(last_line("examples/keeper/spec"), "28 codes: change_input 4, same_input 13, either 11");
}

/// What no JSON text can hold is no call.
#[test]
fn bytes_that_are_no_text_make_no_call() {
    let scene = keeper();
    scene.write("input.json", b"{\"repo\": \"\xff\"}");
    let ran = scene.run(&["key", "open_change", "--input", "input.json", "--json"]);
    let message = "the input `input.json` cannot be read: invalid utf-8 sequence of 1 bytes from index 10";
    assert_eq!((ran.exit, &ran.json()["message"]), (2, &message.into()), "{ran:?}");
    let folder = std::os::unix::ffi::OsStrExt::from_bytes(&b"\xff"[..]);
    let ran = scene.run(&[std::ffi::OsStr::new("check"), "--json".as_ref(), "--spec".as_ref(), folder]);
    let message = "the path `\u{fffd}` is not UTF-8";
    assert_eq!((ran.exit, &ran.json()["message"]), (2, &message.into()), "{ran:?}");
}

#[test]
fn an_answer_that_cannot_be_written_is_no_success() {
    let scene = keeper();
    let full = || std::process::Stdio::from(std::fs::File::options().write(true).open("/dev/full").unwrap());
    let status = scene.command(&["table"]).stdout(full()).status().unwrap();
    assert_eq!(status.code(), Some(2));
}

/// A table that disagrees with itself in every respect.
#[test]
fn a_code_that_verbs_mean_differently() {
    let scene = keeper();
    let verb = |name: &str, constraint: &str| {
        let text = format!(
            r#"{{"verb": "{name}", "target": null, "effects": [], "input": {{"properties": {{"a": {{}}, "b": {{}}}}}}, "constraints": [{constraint}]}}"#
        );
        scene.write(&format!("spec/verbs/{name}.schema.json"), text);
    };
    verb(
        "one",
        r#"{"code": "MANY", "description": "Short.", "help": "Do this.", "reads": ["/a"], "since": "1.0.0", "see": ["NO_PRIVILEGED_PATHS"]}"#,
    );
    verb(
        "two",
        r#"{"code": "MANY", "description": "A longer text.", "help": "Do this.", "reads": ["registry"], "since": "1.1.0"}"#,
    );
    verb(
        "three",
        r#"{"code": "MANY", "description": "Short.", "reads": ["/b", "registry"], "deprecated": {"since": "1.2.0", "replaced_by": "NO_PRIVILEGED_PATHS"}}"#,
    );
    verb(
        "four",
        r#"{"code": "MANY", "description": "Short.", "help": "Do this.", "reads": ["/a"], "since": "1.0.0"}"#,
    );
    scene.write(
        "spec/retired.json",
        r#"[{"code": "OLD", "since": "1.1.0", "note": "Never true.", "replaced_by": "MANY"}]"#,
    );
    assert_eq!(scene.run(&["gen"]).exit, 0);
    let table = scene.run(&["table", "--json"]).json()["output"]["table"].clone();
    let row = table["codes"].as_array().unwrap().iter().find(|row| row["code"] == "MANY").unwrap();
    insta::assert_snapshot!("many_row", serde_json::to_string_pretty(row).unwrap());
    let explain = |code: &str| scene.run(&["explain", code, "--errors", "generated/errors.json"]).seen();
    insta::assert_snapshot!("many_explained", explain("MANY"));
    insta::assert_snapshot!("retired_explained", explain("OLD"));
    insta::assert_snapshot!(
        "many_page",
        std::fs::read_to_string(scene.path("generated/codes/MANY.md")).unwrap()
    );
}

/// The README's surface and commands are what a newcomer types first.
#[test]
fn the_readme_is_true() {
    let readme = std::fs::read_to_string(repository().join("README.md")).unwrap();
    let blocks: Vec<&str> =
        readme.split("```json\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    let [verb, surface, row] = blocks.as_slice() else { panic!("README has {} JSON blocks", blocks.len()) };
    let scene = Scene::new();
    scene.write("spec/verbs/open_change.schema.json", verb);
    scene.write("spec/surface.json", surface);
    let cells = readme.lines().filter_map(|line| line.strip_prefix("| `")?.split("` |").next());
    let commands = cells.filter(|cell| cell.starts_with("forecheck ") || cell.starts_with("echo "));
    let mut ran = 0;
    for command in commands.map(|command| command.replace("\\|", "|")) {
        let path =
            crate::program::forecheck().parent().unwrap().to_str().unwrap().to_owned() + ":/usr/bin:/bin";
        let mut shell = std::process::Command::new("bash");
        scene.keep_records_apart(&mut shell);
        let shell =
            shell.args(["-c", &command]).current_dir(scene.path("")).env("PATH", path).output().unwrap();
        assert!(shell.status.success(), "{command}: {shell:?}");
        ran += 1;
    }
    assert_eq!(ran, 8);
    let table = scene.run(&["table", "--json"]).json();
    let mut expected: serde_json::Value = serde_json::from_str(row).unwrap();
    expected["help"] = "Leave the path out, or ask the user to make this change.".into();
    assert_eq!(table["output"]["table"]["codes"][0], expected);
}

/// The README's program, built and called.
#[test]
fn the_program_of_the_readme_acts_refuses_and_skips() {
    let readme = std::fs::read_to_string(repository().join("README.md")).unwrap();
    let block = |language: &str, index: usize| {
        readme.split(&format!("```{language}\n")).nth(index + 1).unwrap().split("```").next().unwrap()
    };
    let scene = Scene::new();
    scene.write("spec/verbs/open_change.schema.json", block("json", 0));
    scene.write("spec/surface.json", block("json", 1));
    assert_eq!(scene.run(&["gen", "--rust", "src/generated"]).exit, 0);
    scene.write("src/main.rs", block("rust", 0));
    scene.write("Cargo.toml", crate::corpora::manifest("readme"));
    let call = |path: &str| format!(r#"{{"target_repo": "octo/hello", "paths": ["{path}"]}}"#);
    let calls = format!("{}\n{}\n{}\n", call("a"), call(".github/a"), call("a"));
    let answers = crate::corpora::cargo(&scene, "run", &calls);
    let answers = answers.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let told = answers.map(|answer| (answer["status"].clone(), answer["refusal"]["code"].clone()));
    let expected = [
        ("succeeded".into(), serde_json::Value::Null),
        ("refused".into(), "NO_PRIVILEGED_PATHS".into()),
        ("skipped_idempotent".into(), serde_json::Value::Null),
    ];
    assert_eq!(told.collect::<Vec<_>>(), expected);
    assert_eq!(std::fs::read_dir(scene.path("changes")).unwrap().count(), 1);
}

#[test]
fn a_surface_that_is_only_verb_files() {
    let scene = Scene::new();
    scene.write("tools/ping.schema.json", r#"{"verb": "ping", "input": {}, "constraints": []}"#);
    let ran = scene.run(&["gen", "--spec", "tools", "--out", "out"]);
    assert_eq!(ran.exit, 0, "{ran:?}");
    let table = scene.run(&["table", "--spec", "tools/.", "--json"]).json()["output"]["table"].clone();
    assert_eq!((&table["surface"]["name"], &table["surface"]["version"]), (&"tools".into(), &"0.0.0".into()));
}

#[test]
fn help_and_usage() {
    let scene = Scene::new();
    insta::assert_snapshot!("help", scene.run(&["--help"]).seen());
    for command in ["init", "check", "gen", "explain", "key", "table", "ledger"] {
        insta::assert_snapshot!(format!("help_{command}"), scene.run(&[command, "--help"]).seen());
    }
    for command in ["list", "show", "resolve", "gc"] {
        let help = scene.run(&["ledger", command, "--help"]).seen();
        insta::assert_snapshot!(format!("help_ledger_{command}"), help);
    }
    insta::assert_snapshot!("usage", scene.run(&["gne"]).seen());
}

#[test]
fn text_from_a_spec_cannot_steer_the_terminal() {
    let scene = keeper();
    scene.write(
        "spec/constraints/REPO_NOT_IN_REGISTRY.json",
        "{\"code\": \"REPO_NOT_IN_REGISTRY\", \"description\": \"\\u001b]0;owned\\u0007 \\u202ex\", \"help\": \"\\u001b[2J\", \"reads\": [\"target\", \"registry\"], \"policy\": true}",
    );
    assert_eq!(scene.run(&["gen"]).exit, 0);
    for arguments in
        [&["explain", "REPO_NOT_IN_REGISTRY", "--errors", "generated/errors.json"][..], &["table"]]
    {
        let seen = scene.run(arguments).seen();
        assert!(seen.contains("\\u{1b}]0;owned\\u{7} \\u{202e}x"), "{seen}");
        assert!(!seen.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{seen}");
    }
}

/// The files of the repository's surfaces are what their specs say, through the program as through
/// `cargo xtask codegen`.
#[test]
fn the_program_and_the_repository_command_agree() {
    let surfaces = [
        ("spec", "generated", "crates/forecheck-verbs/src/generated"),
        ("examples/keeper/spec", "examples/keeper/generated", "examples/keeper/src/generated"),
    ];
    for (spec, out, rust) in surfaces {
        let ran = std::process::Command::new(crate::program::forecheck())
            .args(["gen", "--check", "--spec", spec, "--out", out, "--rust", rust])
            .current_dir(repository())
            .output()
            .unwrap();
        assert_eq!(
            (ran.status.code(), String::from_utf8(ran.stdout).unwrap()),
            (Some(0), "everything is up to date\n".to_owned())
        );
    }
}

/// Its list of twins is empty, and there is no enum of codes to match on.
#[test]
fn a_surface_without_constraints_compiles() {
    let scene = Scene::new();
    scene.write("spec/ping.schema.json", r#"{"verb": "ping", "input": {}, "constraints": []}"#);
    let ran = scene.run(&["gen"]);
    assert_eq!(ran.exit, 0, "{ran:?}");
    compiles(&scene, "without-constraints");
}
