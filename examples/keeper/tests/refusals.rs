//! What a refusal says: where, with which values, and what resending can do.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use serde_json::{Value, json};

use crate::scene::{Scene, Stage, input, write};

/// The refusal of a call of `ada`, without its text and page.
fn refusal(scene: &Scene, verb: &str, input: &Value) -> Value {
    let outcome = scene.call_as("ada", verb, input);
    let refusal =
        outcome.refusal.unwrap_or_else(|| panic!("not refused: {:?} {:?}", outcome.status, outcome.message));
    let details = refusal.details.unwrap_or(Value::Null);
    json!([refusal.code, refusal.at, details, refusal.resend])
}

/// The same for the satisfied call of a verb.
fn refusal_of(scene: &Scene, verb: &str) -> Value {
    refusal(scene, verb, &input(verb))
}

#[test]
fn dirt_is_found_wherever_it_is() {
    let dirty = |make: fn(&Scene)| {
        let scene = Scene::at(Stage::Opened);
        make(&scene);
        let refused = refusal_of(&scene, "land_change");
        assert_eq!(refused[0], "WORKTREE_DIRTY", "{refused}");
        assert_eq!((&refused[1], &refused[3]), (&json!(["/repo"]), &json!("same_input")));
        refused[2]["paths"].clone()
    };
    assert_eq!(dirty(|scene| write(&scene.path("hello/new\nfile"), "")), json!(["new\nfile"]));
    assert_eq!(dirty(|scene| write(&scene.path("hello/README.md"), "Hell0\n")), json!(["README.md"]));
    assert_eq!(
        dirty(|scene| write(&scene.path("hello/src/a \"b\"\nc.txt"), "")),
        json!(["src/a \"b\"\nc.txt"])
    );
    assert_eq!(dirty(|scene| fs::remove_file(scene.path("hello/run.sh")).unwrap()), json!(["run.sh"]));
    let mode = |scene: &Scene| {
        fs::set_permissions(scene.path("hello/run.sh"), fs::Permissions::from_mode(0o644)).unwrap();
    };
    assert_eq!(dirty(mode), json!(["run.sh"]));
    let other_link = |scene: &Scene| {
        fs::remove_file(scene.path("hello/link")).unwrap();
        symlink("run.sh", scene.path("hello/link")).unwrap();
    };
    assert_eq!(dirty(other_link), json!(["link"]));
    let link_for_a_folder = |scene: &Scene| {
        fs::rename(scene.path("hello/src"), scene.path("elsewhere")).unwrap();
        symlink(scene.path("elsewhere"), scene.path("hello/src")).unwrap();
    };
    assert_eq!(dirty(link_for_a_folder), json!(["src", "src/a \"b\"\nc.txt"]));
    let staged = |scene: &Scene| {
        write(&scene.path("hello/staged"), "staged\n");
        let oid = scene.git(&["hash-object", "-w", "--no-filters", "staged"]);
        scene.git(&["update-index", "--add", "--cacheinfo", &format!("100644,{oid},staged")]);
    };
    assert_eq!(dirty(staged), json!(["staged"]));
    let removed_from_the_index =
        |scene: &Scene| drop(scene.git(&["update-index", "--force-remove", "run.sh"]));
    assert_eq!(dirty(removed_from_the_index), json!(["run.sh"]));
}

/// A pipe in the place of a file would hold a reader for ever.
#[test]
fn a_pipe_in_the_place_of_a_file_is_dirt() {
    let scene = Scene::at(Stage::Opened);
    fs::remove_file(scene.path("hello/README.md")).unwrap();
    assert!(
        std::process::Command::new("mkfifo").arg(scene.path("hello/README.md")).status().unwrap().success()
    );
    assert_eq!(refusal_of(&scene, "land_change")[2], json!({"paths": ["README.md"]}));
}

#[test]
fn an_ignored_file_is_no_dirt_until_a_change_wants_its_place() {
    let mut change = input("open_change");
    change["files"] = json!([{"path": "docs/a", "content": "a"}]);
    for (in_the_way, refused) in [("ignored", false), ("docs", true)] {
        let scene = Scene::at(Stage::Installed);
        scene.call_as("ada", "open_change", &change);
        write(&scene.path("hello/.git/info/exclude"), "docs\n");
        write(&scene.path("hello").join(in_the_way), "mine\n");
        let before = scene.git(&["rev-parse", "main"]);
        let outcome = scene.call_as("ada", "land_change", &input("land_change"));
        let code = outcome.refusal.map(|refusal| (refusal.code, refusal.details));
        let paths = || json!({"paths": ["docs/a"]});
        assert_eq!(code, refused.then(|| ("WORKTREE_DIRTY".to_owned(), Some(paths()))));
        assert_eq!(scene.git(&["rev-parse", "main"]) == before, refused);
        assert_eq!(fs::read_to_string(scene.path("hello").join(in_the_way)).unwrap(), "mine\n");
    }
}

#[test]
fn refusals_name_places_and_values() {
    let scene = Scene::at(Stage::Installed);
    let with = |path: &str| {
        let mut change = input("open_change");
        change["files"] = json!([{"path": "docs/a", "content": ""}, {"path": path, "content": ""}]);
        refusal(&scene, "open_change", &change)
    };
    let outside =
        json!(["PATHS_OUTSIDE_CONTRACT", ["/files/1/path"], {"allowed": ["docs", "README.md"]}, "either"]);
    assert_eq!(with("src/b"), outside);
    assert_eq!(with("docs/a"), json!(["PATHS_CLASH", ["/files/0/path"], {"path": "docs/a"}, "change_input"]));
    for path in ["/docs/b", "../docs/b", "docs/../b", "./docs/b", "docs//b", "docs/", "docs/.git/b", ".GIT"] {
        assert_eq!(with(path), json!(["PATHS_OUTSIDE_TREE", ["/files"], null, "change_input"]), "{path}");
    }
    for path in [".github/workflows/ci.yml", "PLAYBOOK.md", "docs/CODEOWNERS"] {
        assert_eq!(with(path), json!(["NO_PRIVILEGED_PATHS", ["/files"], null, "change_input"]), "{path}");
    }
    let mut change = input("open_change");
    change["branch"] = "main/b".into();
    let exists = json!(["BRANCH_EXISTS", ["/branch"], {"branch": "main"}, "either"]);
    assert_eq!(refusal(&scene, "open_change", &change), exists);
    scene.does("open_change");
    assert_eq!(
        refusal_of(&scene, "retire_repo"),
        json!(["CHANGES_OPEN", ["/repo"], {"open": [1]}, "same_input"])
    );
    scene.does("abandon_change");
    let closed = json!(["CHANGE_NOT_OPEN", ["/change"], {"state": "abandoned"}, "either"]);
    assert_eq!(refusal_of(&scene, "land_change"), closed);
    let known = json!(["PLAYBOOK_UNKNOWN", ["/playbook"], {"known": ["careful"]}, "either"]);
    let unknown = json!({"repo": "octo/hello", "playbook": "careless"});
    assert_eq!(refusal(&scene, "install_playbook", &unknown), known);
}

#[test]
fn a_place_says_why_it_is_no_repository() {
    let scene = Scene::at(Stage::Unregistered);
    write(&scene.path("file"), "");
    write(&scene.path("linked/.git"), "gitdir: ../hello/.git\n");
    let reasons = [
        ("nowhere", "nothing is there"),
        ("file", "it is no folder"),
        ("linked", "its `.git` is no folder"),
        ("playbooks", "it holds no git repository"),
    ];
    for (path, reason) in reasons {
        let refused = refusal(&scene, "register_repo", &json!({"repo": "octo/hello", "path": path}));
        assert_eq!(refused, json!(["PATH_NOT_A_REPO", ["/path"], {"reason": reason}, "either"]), "{path}");
    }
}

/// Who may act is asked first, and a repeat by somebody else shows nothing.
#[test]
fn people_may_do_what_the_registry_says() {
    let scene = Scene::at(Stage::Installed);
    let code = |caller: &str, verb: &str| {
        scene.call_as(caller, verb, &input(verb)).refusal.map(|refusal| refusal.code)
    };
    assert_eq!(code("eve", "list_changes"), Some("AUTH_DENIED".to_owned()));
    assert_eq!(code("bob", "list_changes"), None);
    assert_eq!(code("bob", "retire_repo"), Some("OPERATOR_ONLY".to_owned()));
    assert_eq!(code("ada", "retire_repo"), None);
    assert_eq!(code("bob", "open_change"), Some("REPO_RETIRED".to_owned()));
}
