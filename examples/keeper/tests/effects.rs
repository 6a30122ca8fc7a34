//! What each verb does to a real repository.

use std::fs;
use std::path::Path;

use forecheck::outcome::Status;
use serde_json::json;

use crate::scene::{Scene, Stage, git, input, write};

/// Whether git, with all of its own means, finds nothing to commit. The repository is not hostile.
fn is_clean(scene: &Scene) -> bool {
    write(&scene.path("hello/.git/info/attributes"), "* -filter -text -ident\n");
    scene.git(&["status", "--porcelain"]).is_empty()
}

#[test]
fn a_repository_is_listed_and_the_rest_of_the_registry_stays() {
    let scene = Scene::at(Stage::Unregistered);
    let before = fs::read_to_string(scene.path("registry.toml")).unwrap();
    let output = scene.does("register_repo");
    let path = scene.repo().canonicalize().unwrap();
    assert_eq!(output, json!({"path": path.to_str().unwrap()}));
    let entry = "\n[repos.\"octo/hello\"]\npath = \"hello\"\nbase = \"main\"\nstate = \"active\"\n";
    assert_eq!(fs::read_to_string(scene.path("registry.toml")).unwrap(), before.clone() + entry);
    assert_eq!(scene.does("retire_repo"), json!({"path": "hello"}));
    let retired = entry.replace("active", "retired");
    assert_eq!(fs::read_to_string(scene.path("registry.toml")).unwrap(), before + &retired);
}

#[test]
fn a_playbook_is_committed_and_the_work_tree_follows() {
    let scene = Scene::unarmed(Stage::Registered);
    let parent = scene.git(&["rev-parse", "main"]);
    let output = scene.does("install_playbook");
    let log = scene.git(&["log", "-1", "--format=%H|%P|%an|%s", "main"]);
    let commit = output["commit"].as_str().unwrap();
    assert_eq!(log, format!("{commit}|{parent}|ada|Install the playbook careful"));
    assert_eq!(fs::read_to_string(scene.path("hello/PLAYBOOK.md")).unwrap(), "Read before you write.\n");
    assert!(is_clean(&scene));
}

#[test]
fn a_playbook_may_be_the_first_commit() {
    let scene = Scene::unarmed(Stage::Registered);
    fs::remove_dir_all(scene.repo()).unwrap();
    fs::create_dir(scene.repo()).unwrap();
    git(&scene.repo(), &["init", "--quiet", "--template=", "--initial-branch=main"], "");
    scene.does("install_playbook");
    assert_eq!(scene.git(&["ls-tree", "-r", "--name-only", "main"]), "PLAYBOOK.md");
    assert!(is_clean(&scene));
}

#[test]
fn a_change_is_opened_beside_the_work_tree() {
    let scene = Scene::unarmed(Stage::Installed);
    let tree = |below: &str| {
        let seen = scene
            .snapshot()
            .into_iter()
            .filter(|(path, _)| path.starts_with(below) && !path.contains(".git/"));
        seen.collect::<Vec<_>>()
    };
    let (work_tree, index) = (tree("hello/"), fs::read(scene.path("hello/.git/index")).unwrap());
    let base = scene.git(&["rev-parse", "main"]);
    let output = scene.does("open_change");
    assert_eq!((tree("hello/"), fs::read(scene.path("hello/.git/index")).unwrap()), (work_tree, index));
    let commit = scene.git(&["rev-parse", "greeting"]);
    assert_eq!(output, json!({"change": 1, "commit": commit}));
    assert_eq!(scene.git(&["rev-parse", "greeting^", "main"]), format!("{base}\n{base}"));
    let changed = scene.git(&["diff-tree", "-r", "--name-status", "main", "greeting"]);
    assert_eq!(changed, "M\tREADME.md\nA\tdocs/greeting.md");
    assert_eq!(scene.git(&["cat-file", "blob", "greeting:docs/greeting.md"]), "Bonjour");
    let call = keeper::generated::open_change::key(input("open_change").to_string().as_bytes()).unwrap();
    let record = format!(
        "repo = \"octo/hello\"\nbranch = \"greeting\"\ntitle = \"Greet in French\"\nby = \"ada\"\ncontract = \"docs\"\n\
         base = \"main\"\nbase_commit = \"{base}\"\ncommit = \"{commit}\"\ncall = \"{call}\"\nstate = \"open\"\n"
    );
    assert_eq!(fs::read_to_string(scene.path("changes/1.toml")).unwrap(), record);
}

/// What a file of a change would take away without being asked is left alone.
#[test]
fn a_file_never_makes_room_for_a_folder() {
    let scene = Scene::unarmed(Stage::Installed);
    let mut change = input("open_change");
    change["files"] = json!([{"path": "README.md/a", "content": ""}]);
    let outcome = scene.call_as("ada", "open_change", &change);
    let expected = "`README.md` of the base branch stands in the way of the change";
    assert_eq!((outcome.status, outcome.message.as_deref()), (Status::Failed, Some(expected)));
    assert_eq!(scene.git(&["branch", "--list", "greeting"]), "");
}

#[test]
fn a_change_lands_by_moving_the_base_branch_or_by_a_merge() {
    for how in ["fast_forward", "merge"] {
        let scene = Scene::unarmed(Stage::Opened);
        let [base, tip] = ["main", "greeting"].map(|branch| scene.git(&["rev-parse", branch]));
        let mut landing = input("land_change");
        landing["how"] = how.into();
        let outcome = scene.call_as("ada", "land_change", &landing);
        assert_eq!(outcome.status, Status::Succeeded, "{outcome:?}");
        let main = scene.git(&["rev-parse", "main"]);
        assert_eq!(outcome.output, Some(json!({"commit": main})));
        let parents = scene.git(&["log", "-1", "--format=%P|%s", "main"]);
        let expected = match how {
            "merge" => format!("{base} {tip}|Merge change 1: Greet in French"),
            _ => format!("{base}|Greet in French"),
        };
        assert_eq!((parents, main == tip), (expected, how != "merge"));
        assert_eq!(fs::read_to_string(scene.path("hello/README.md")).unwrap(), "Salut\n");
        assert_eq!(fs::read_to_string(scene.path("hello/docs/greeting.md")).unwrap(), "Bonjour\n");
        assert!(is_clean(&scene));
        let listed = json!({"changes": [{"change": 1, "branch": "greeting", "title": "Greet in French", "state": "landed"}]});
        assert_eq!(scene.does("list_changes"), listed);
    }
}

/// Files, links, modes, folders that go: the work tree is what git would have made of it.
#[test]
fn the_work_tree_follows_whatever_the_branch_holds() {
    let scene = Scene::unarmed(Stage::Opened);
    let aside = scene.path("aside");
    scene.git(&["worktree", "add", "--quiet", aside.to_str().unwrap(), "greeting"]);
    let aside = Path::new(&aside);
    fs::remove_dir_all(aside.join("src")).unwrap();
    write(&aside.join("src"), "now a file\n");
    fs::remove_file(aside.join("link")).unwrap();
    write(&aside.join("link/inside"), "now a folder\n");
    std::os::unix::fs::symlink("src", aside.join("another")).unwrap();
    fs::copy(aside.join("run.sh"), aside.join("docs/run.sh")).unwrap();
    fs::remove_file(aside.join("run.sh")).unwrap();
    write(&scene.path("hello/.git/info/attributes"), "* -filter -text -ident\n");
    git(aside, &["add", "--all"], "");
    git(aside, &["commit", "--quiet", "--message=Much"], "");
    scene.git(&["worktree", "remove", aside.to_str().unwrap()]);
    scene.does("land_change");
    assert!(is_clean(&scene), "{}", scene.git(&["status", "--porcelain"]));
    assert_eq!(scene.git(&["rev-parse", "main"]), scene.git(&["rev-parse", "greeting"]));
}

#[test]
fn a_bare_repository_and_a_branch_that_is_not_checked_out_need_no_work_tree() {
    let scene = Scene::unarmed(Stage::Opened);
    scene.git(&["symbolic-ref", "HEAD", "refs/heads/other"]);
    scene.git(&["update-ref", "refs/heads/other", "main"]);
    let readme = fs::read(scene.path("hello/README.md")).unwrap();
    scene.does("land_change");
    assert_eq!(fs::read(scene.path("hello/README.md")).unwrap(), readme);
    assert!(is_clean(&scene));

    let scene = Scene::unarmed(Stage::Opened);
    fs::rename(scene.path("hello/.git"), scene.path("bare")).unwrap();
    fs::remove_dir_all(scene.repo()).unwrap();
    fs::rename(scene.path("bare"), scene.repo()).unwrap();
    scene.git(&["config", "core.bare", "true"]);
    scene.does("land_change");
    assert_eq!(scene.git(&["rev-parse", "main"]), scene.git(&["rev-parse", "greeting"]));
}

#[test]
fn an_abandoned_change_leaves_its_record_and_a_branch_that_is_checked_out() {
    for (head, deleted) in [("main", true), ("greeting", false)] {
        let scene = Scene::unarmed(Stage::Opened);
        scene.git(&["symbolic-ref", "HEAD", &format!("refs/heads/{head}")]);
        assert_eq!(scene.does("abandon_change"), json!({"branch_deleted": deleted}));
        assert_eq!(scene.git(&["branch", "--list", "greeting"]).is_empty(), deleted);
        assert!(
            fs::read_to_string(scene.path("changes/1.toml")).unwrap().contains("state = \"abandoned\"\n")
        );
    }
}
