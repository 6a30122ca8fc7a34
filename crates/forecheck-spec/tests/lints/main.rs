//! Each rule of `forecheck check` with an example and its exact report.

#![expect(clippy::unwrap_used, reason = "a test that cannot prepare its files has failed")]

#[cfg(test)]
mod examples;
#[cfg(test)]
mod refuse_when;

use std::fs;
use std::path::Path;

use forecheck_spec::check::check;
use forecheck_spec::problem::Lint;
use forecheck_spec::render;
use forecheck_spec::source::Sources;
use forecheck_spec::tree::Trees;

/// The report on a folder with these files.
pub(crate) fn report(files: &[(&str, &[u8])]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("spec");
    for (path, content) in files {
        write(&root.join(path), content);
    }
    let sources = Sources::load(&root).unwrap();
    let trees = Trees::read(&sources);
    let checked = check(&trees);
    assert_eq!(
        checked.surface.is_none(),
        checked.problems.iter().any(|p| p.lint.severity() == forecheck_spec::problem::Severity::Error)
    );
    checked.problems.iter().map(|problem| render::human(problem, &trees, "spec", false)).collect()
}

fn write(path: &Path, content: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

pub(crate) const SURFACE: &[u8] = br#"{"name": "keeper", "target": {"pointer": "/repo"}}"#;

/// A sound verb file with `extra` members and these constraints.
pub(crate) fn verb(name: &str, extra: &str, constraints: &str) -> Vec<u8> {
    format!(
        r#"{{
  "verb": "{name}",{extra}
  "input": {{
    "type": "object",
    "properties": {{
      "repo": {{"type": "string"}},
      "paths": {{"type": "array", "items": {{"type": "string"}}}},
      "title": {{"type": "string", "x-key": "ignore"}}
    }},
    "required": ["repo"]
  }},
  "constraints": [{constraints}]
}}
"#
    )
    .into_bytes()
}

/// Reports on a surface with one verb, `open_pr`.
pub(crate) fn one(extra: &str, constraints: &str) -> String {
    report(&[("surface.json", SURFACE), ("verbs/open_pr.schema.json", &verb("open_pr", extra, constraints))])
}

macro_rules! snapshot {
    ($name:ident, $report:expr) => {
        #[test]
        fn $name() {
            insta::assert_snapshot!($report);
        }
    };
}
pub(crate) use snapshot;

#[test]
fn a_sound_surface_has_no_problems() {
    let constraint = r#"{"code": "NO_PRIVILEGED_PATHS", "description": "A path is privileged.", "reads": ["/paths"], "subject": ["/paths"]}"#;
    assert_eq!(one("", constraint), "");
}

snapshot!(unknown_key, one(r#" "constraint": [], "zzz": 1,"#, r#"{"code": "AB", "desciption": "x"}"#));
snapshot!(
    missing_field,
    report(&[("surface.json", SURFACE), ("verbs/a.schema.json", b"{\n  \"verb\": \"a\"\n}")])
);
snapshot!(duplicate_key, one(r#" "summary": "a", "summary": "b","#, ""));
snapshot!(
    file_name,
    report(&[("surface.json", SURFACE), ("verbs/open_pr.schema.json", &verb("close_pr", "", ""))])
);
snapshot!(
    code_grammar,
    one("", r#"{"code": "no_such", "description": "x"}, {"code": "AUX", "description": "x"}"#)
);
snapshot!(
    verb_grammar,
    report(&[("surface.json", SURFACE), ("verbs/openPr.schema.json", &verb("openPr", "", ""))])
);
snapshot!(reserved_code, one("", r#"{"code": "SCHEMA_INVALID", "description": "x"}"#));
snapshot!(
    same_code_twice,
    one("", r#"{"code": "AB", "description": "x"}, {"code": "AB", "description": "x"}"#)
);
snapshot!(
    unresolved_ref,
    report(&[
        ("surface.json", br#"{"name": "keeper"}"#),
        (
            "verbs/a.schema.json",
            br##"{
  "verb": "a",
  "input": {
    "properties": {
      "a": {"$ref": "#/$defs/none"},
      "b": {"$ref": "../../etc/passwd"},
      "c": {"$ref": "https://example.com/x.json"},
      "d": {"$ref": "../defs/none.schema.json"},
      "e": {"$ref": "#anchor"},
      "$ref": {"const": {"$ref": "data"}}
    }
  },
  "constraints": []
}"##,
        ),
    ])
);
snapshot!(
    unresolved_pointer,
    one("", r#"{"code": "AB", "description": "x", "reads": ["/pahts"], "subject": ["/none", "paths"]}"#)
);
snapshot!(
    reads_that_name_nothing,
    one(
        "",
        r#"{"code": "AB", "description": "x", "reads": ["registry"]}, {"code": "AC", "description": "x", "reads": []}"#
    )
);
snapshot!(reads_an_ignored_field, one("", r#"{"code": "AB", "description": "x", "reads": ["/title"]}"#));
snapshot!(
    class_order,
    one(
        "",
        r#"{"code": "DIRTY", "description": "x", "reads": ["now"]},
    {"code": "PATHS", "description": "x", "reads": ["/paths"]},
    {"code": "AUTH", "description": "x", "policy": true}"#
    )
);
snapshot!(
    encoding,
    report(&[
        ("verbs/a.schema.json", b"{\"verb\": \"\xff\"}"),
        ("verbs/b.schema.json", b"\xef\xbb\xbf{}"),
        ("verbs/c.schema.json", br#"{"verb": "\ud800"}"#)
    ])
);
snapshot!(syntax, report(&[("verbs/a.schema.json", b"{\n  \"verb\": \"a\",\n}")]));
snapshot!(
    another_text_for_one_code,
    report(&[
        ("surface.json", SURFACE),
        (
            "verbs/a.schema.json",
            &verb("a", "", r#"{"code": "AB", "description": "The repository is dirty."}"#)
        ),
        ("verbs/b.schema.json", &verb("b", "", r#"{"code": "AB", "description": "Dirty."}"#)),
    ])
);
snapshot!(
    a_tie_for_the_longest_text,
    report(&[
        ("surface.json", SURFACE),
        ("verbs/a.schema.json", &verb("a", "", r#"{"code": "AB", "description": "Dirty!"}"#)),
        ("verbs/b.schema.json", &verb("b", "", r#"{"code": "AB", "description": "Dirty."}"#)),
    ])
);
snapshot!(no_text, one("", r#"{"code": "AB"}, {"code": "AC", "description": " "}"#));
snapshot!(
    verbs_that_disagree_about_a_code,
    report(&[
        ("surface.json", SURFACE),
        ("verbs/a.schema.json", &verb("a", "", r#"{"code": "AB", "description": "x", "policy": true}"#)),
        (
            "verbs/b.schema.json",
            &verb("b", "", r#"{"code": "AB", "description": "x", "details": {"type": "object"}}"#)
        ),
    ])
);
snapshot!(
    names_that_fold,
    one("", r#"{"code": "A_1", "description": "x"}, {"code": "A1", "description": "x"}"#)
);
snapshot!(
    not_yet,
    report(&[
        ("surface.json", SURFACE),
        ("advisories/a.json", b"{}"),
        ("verbs/a.schema.json", &verb("a", "", ""))
    ])
);
snapshot!(unknown_shared_constraint, one("", r#""NO_SUCH""#));
snapshot!(
    target_that_is_no_required_string,
    report(&[
        ("surface.json", br#"{"name": "k", "target": {"pointer": "/none"}}"#),
        ("verbs/a.schema.json", &verb("a", "", ""))
    ])
);
snapshot!(
    schemas,
    report(&[
        ("surface.json", br#"{"name": "keeper"}"#),
        (
            "verbs/a.schema.json",
            br#"{
  "verb": "a",
  "input": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "type": "strnig",
    "minLenght": 3,
    "nullable": true,
    "$dynamicRef": "x",
    "format": "datetime",
    "items": [{}],
    "required": ["a", "a"],
    "minimum": "1",
    "pattern": "(",
    "properties": {"enum": {"type": ["string", "null"]}, "type": 3}
  },
  "constraints": []
}"#,
        ),
    ])
);
/// A verb with this input, and an example of it.
fn verb_with_input(name: &str, input: &str) -> Vec<u8> {
    format!(
        r#"{{
  "verb": "{name}",
  "input": {input},
  "constraints": [],
  "examples": [{{"input": {{}}, "expect": "succeeded"}}]
}}"#
    )
    .into_bytes()
}

/// `depth` definitions, each of which applies the next one twice.
fn doubling(depth: usize) -> String {
    let level = |at: usize| {
        let next = at + 1;
        format!(
            r##"      "d{at}": {{"allOf": [{{"$ref": "#/$defs/d{next}"}}, {{"$ref": "#/$defs/d{next}"}}]}}"##
        )
    };
    let levels: Vec<String> = (0..depth).map(level).collect();
    let levels = levels.join(",\n");
    format!(
        "{{\n    \"$ref\": \"#/$defs/d0\",\n    \"$defs\": {{\n{levels},\n      \"d{depth}\": true\n    }}\n  }}"
    )
}

snapshot!(
    one_value_checked_too_often,
    report(&[
        ("surface.json", br#"{"name": "keeper"}"#),
        ("defs/tree.schema.json", br##"{"items": {"$ref": "#"}, "contains": {"$ref": "#"}}"##),
        ("verbs/a.schema.json", &verb_with_input("a", &doubling(20))),
        ("verbs/b.schema.json", &verb_with_input("b", r##"{"anyOf": [{"$ref": "#"}, {"type": "object"}]}"##)),
        (
            "verbs/c.schema.json",
            &verb_with_input("c", r#"{"properties": {"t": {"$ref": "../defs/tree.schema.json"}}}"#)
        ),
        ("verbs/d.schema.json", &verb_with_input("d", &doubling(10))),
    ])
);

/// Validating the example would take longer than anybody waits.
#[test]
fn an_example_of_a_doubling_schema_does_not_hang() {
    let start = std::time::Instant::now();
    let found = report(&[
        ("surface.json", br#"{"name": "keeper"}"#),
        ("verbs/a.schema.json", &verb_with_input("a", &doubling(40))),
    ]);
    assert!(found.contains("error[fan-out]"), "{found}");
    assert!(start.elapsed() < std::time::Duration::from_secs(1), "{:?}", start.elapsed());
}

snapshot!(x_key_out_of_reach, report(&[
    ("surface.json", br#"{"name": "keeper"}"#),
    ("defs/title.schema.json", br#"{"x-key": "ignore"}"#),
    ("verbs/a.schema.json", br#"{"verb": "a", "input": {"properties": {"list": {"items": {"properties": {"t": {"$ref": "../defs/title.schema.json"}}}}}}, "constraints": []}"#),
]));
snapshot!(
    facts,
    report(&[
        ("surface.json", br#"{"name": "keeper"}"#),
        ("facts/Registry.schema.json", br#"{"fact": "Registry", "source": "moon", "changed_by": 1}"#),
        ("facts/now.schema.json", br#"{"fact": "now"}"#),
        ("facts/worktree.schema.json", br#"{"fact": "worktree", "of": ["inptu", "/n"]}"#),
        ("verbs/a.schema.json", br#"{"verb": "a", "input": {"properties": {"n": {"type": "integer"}}}, "constraints": [{"code": "AB", "description": "x", "reads": ["worktree"]}]}"#),
        ("verbs/b.schema.json", br#"{"verb": "b", "input": {"properties": {"n": {"type": "string"}}}, "constraints": [{"code": "AC", "description": "x", "reads": ["worktree"]}]}"#),
    ])
);
snapshot!(
    values_of_the_wrong_kind,
    one(
        r#" "revision": 0, "summary": 1, "repeat": "often", "window": "30 days", "effects": [{}], "target": "/repo", "deprecated": true,"#,
        r#"1, {"code": "AB", "description": "x", "policy": "yes", "reads": "input", "see": ["NONE"], "details": {"properties": {"a": {}}}}"#
    )
);
snapshot!(
    intent_and_identity,
    report(&[
        ("surface.json", br#"{"name": "keeper", "target": {"pointer": "/repo", "spelling": ["lower_case", "upper_case", {"strip_url": 1}]}}"#),
        ("verbs/a.schema.json", br#"{"verb": "a", "repeat": "intent", "input": {"properties": {"repo": {"type": "string", "x-key": "ignore"}, "intent": {"type": "string"}}, "required": ["repo"]}, "constraints": []}"#),
    ])
);
snapshot!(
    limits,
    report(&[
        ("surface.json", SURFACE),
        (
            "verbs/a.schema.json",
            format!("{{\"verb\": \"a\", \"input\": {}{}}}", "[".repeat(1025), "]".repeat(1025)).as_bytes()
        ),
        ("verbs/b.schema.json", br#"{"verb": "b", "input": {"const": 1e999}}"#),
    ])
);
snapshot!(
    a_long_name,
    report(&[
        ("surface.json", SURFACE),
        (&format!("verbs/{}.schema.json", "a".repeat(65)), &verb(&"a".repeat(65), "", "")),
    ])
);
snapshot!(
    definitions_that_disagree_with_the_runtime,
    report(&[
        ("surface.json", SURFACE),
        ("verbs/_common.schema.json", br#"{"$defs": {"IdempotencyKey": {"pattern": "^[0-9A-F]{64}$"}, "Status": {"enum": ["succeeded"]}, "Error": {"properties": {"code": {}}}}}"#),
        ("verbs/a.schema.json", &verb("a", "", "")),
    ])
);

#[test]
fn a_file_that_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("verbs/a.schema.json"), &verb("a", "", ""));
    std::os::unix::fs::symlink("/etc/passwd", folder.path().join("verbs/b.schema.json")).unwrap();
    let sources = Sources::load(folder.path()).unwrap();
    let trees = Trees::read(&sources);
    let checked = check(&trees);
    let found: Vec<_> = checked.problems.iter().filter(|p| p.lint == Lint::Unreadable).collect();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].message, "the file was not read: a symbolic link is not followed");
}

/// Every rule reports somewhere in these tests.
#[test]
fn every_lint_has_an_example() {
    let snapshots = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lints/snapshots");
    let reports: String = fs::read_dir(snapshots)
        .unwrap()
        .map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap())
        .collect();
    let elsewhere = [Lint::Unreadable];
    let silent: Vec<&str> = Lint::ALL
        .iter()
        .filter(|lint| !elsewhere.contains(lint))
        .map(|lint| lint.name())
        .filter(|name| !reports.contains(&format!("[{name}]: ")))
        .collect();
    assert_eq!(silent, [""; 0]);
}
snapshot!(
    defaults_that_do_not_fit,
    report(&[
        ("surface.json", SURFACE),
        ("defs/size.schema.json", br#"{"type": "integer", "maximum": 3, "default": 5}"#),
        ("verbs/act.schema.json", br##"{"verb": "act", "summary": "x", "effects": [{"kind": "x"}], "target": null, "constraints": [],
  "input": {"type": "object", "properties": {
    "text": {"type": "string", "default": 7},
    "size": {"$ref": "../defs/size.schema.json"},
    "big": {"type": "integer", "default": 1e20},
    "odd": {"$ref": "#/$defs/odd", "default": {"n": "x"}},
    "note": {"type": "object", "default": {"why": "x"}, "properties": {"why": {"type": "string", "x-key": "ignore"}}},
    "sound": {"$ref": "#/$defs/odd", "default": {"n": 1}}
  }, "$defs": {"odd": {"properties": {"n": {"$ref": "#/$defs/n"}}}, "n": {"type": "integer"}}}}"##),
    ])
);
snapshot!(
    members_that_change_nothing,
    report(&[
        ("surface.json", SURFACE),
        ("verbs/look.schema.json", br#"{"verb": "look", "summary": "x", "effects": [], "repeat": "run", "exclusive": true, "window": "P1D",
            "target": null, "input": {}, "constraints": []}"#),
        ("verbs/lock.schema.json", br#"{"verb": "lock", "summary": "x", "effects": [{"kind": "lock"}], "exclusive": true,
            "target": null, "input": {}, "constraints": []}"#),
        ("verbs/set.schema.json", br#"{"verb": "set", "summary": "x", "effects": [{"kind": "set"}], "repeat": "run", "window": "P1D",
            "probe": "look", "settle_after": "PT1M", "target": null, "input": {}, "constraints": []}"#),
        ("verbs/wait.schema.json", br#"{"verb": "wait", "summary": "x", "effects": [{"kind": "x"}], "settle_after": "PT1M",
            "target": null, "input": {}, "constraints": []}"#),
        ("verbs/push.schema.json", br#"{"verb": "push", "summary": "x", "effects": [{"kind": "push"}], "repeat": "run",
            "probe": "look", "settle_after": "PT1M", "target": null, "input": {}, "constraints": []}"#),
    ])
);
snapshot!(
    probes,
    report(&[
        ("surface.json", SURFACE),
        (
            "verbs/good.schema.json",
            br#"{"verb": "good", "summary": "x", "effects": [{"kind": "x"}], "probe": "find_it",
            "settle_after": "PT10M", "target": null, "input": {}, "constraints": []}"#
        ),
        (
            "verbs/hasty.schema.json",
            br#"{"verb": "hasty", "summary": "x", "effects": [{"kind": "x"}], "probe": "find_it",
            "target": null, "input": {}, "constraints": []}"#
        ),
        (
            "verbs/odd.schema.json",
            br#"{"verb": "odd", "summary": "x", "effects": [{"kind": "x"}], "probe": "Find it",
            "settle_after": "soon", "target": null, "input": {}, "constraints": []}"#
        ),
    ])
);
snapshot!(
    unused_and_gone,
    report(&[
        ("surface.json", SURFACE),
        ("constraints/UNUSED.json", br#"{"code": "UNUSED", "description": "x"}"#),
        ("facts/unused.schema.json", br#"{"fact": "unused", "schema": {}}"#),
        ("defs/unused.schema.json", b"{}"),
        ("retired.json", br#"[{"code": "OLD", "since": "1.0.0", "replaced_by": "NONE"}, {"code": "AB", "since": "1.0.0"}]"#),
        ("verbs/a.schema.json", &verb("a", "", r#"{"code": "AB", "description": "x"}"#)),
        ("verbs/b.json", b"{}"),
        ("notes.json", b"{}"),
    ])
);
snapshot!(
    codes_that_texts_name,
    report(&[
        ("surface.json", SURFACE),
        ("retired.json", br#"[{"code": "OLD_CODE", "since": "1.0.0"}]"#),
        (
            "verbs/a.schema.json",
            &verb(
                "a",
                "",
                r#"{"code": "NO_PRIVILEGED_PATHS", "description": "As OLD_CODE, not as FAST_FORWARD or SCHEMA_INVALID."},
    {"code": "AB", "description": "x", "help": "See NO_PRIVILEGED_PATHS, or NO_PRIVILEGED_PATH."}"#
            )
        ),
    ])
);
snapshot!(
    names_of_what_is_gone,
    report(&[
        ("surface.json", SURFACE),
        (
            "retired.json",
            br#"[{"code": "../up", "since": "1.0.0"}, {"code": "TARGET_INVALID", "since": "1.0.0"}, {"verb": "aux", "since": "1.0.0"},
  {"code": "OLD", "since": "1.0.0"}, {"verb": "old", "since": "1.0.0"}, {"code": "OLD", "since": "1.1.0"}]"#
        ),
        ("verbs/a.schema.json", &verb("a", "", "")),
    ])
);
snapshot!(
    text_that_would_fool_a_terminal,
    one("", "{\"code\": \"A\\u001b[31m\\u202eB\", \"description\": \"x\", \"\x1b]0;own\x07\": 1}")
        .replace('\x1b', "ESC")
);
snapshot!(no_verbs, report(&[("surface.json", SURFACE)]));

#[test]
fn links_and_special_files_are_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write(&root.join("verbs/a.schema.json"), &verb("a", "", ""));
    std::os::unix::fs::symlink("a.schema.json", root.join("verbs/b.schema.json")).unwrap();
    std::os::unix::fs::symlink(".", root.join("verbs/loop")).unwrap();
    let sources = Sources::load(root).unwrap();
    let trees = Trees::read(&sources);
    let found: Vec<(&str, bool)> =
        trees.files.iter().map(|file| (file.path, file.unread.is_none())).collect();
    assert_eq!(found, [("verbs/a.schema.json", true), ("verbs/b.schema.json", false), ("verbs/loop", false)]);
}
