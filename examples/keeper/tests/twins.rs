//! Each constraint refuses on a hostile repository and changes no byte; the same call acts where it holds.

use std::collections::BTreeMap;
use std::fs;

use forecheck::Host;
use forecheck::conform::{Played, Sandbox, conform};
use keeper::Keeper;
use keeper::generated::twins::{Break, all};
use serde_json::{Value, json};

use crate::scene::{Scene, Stage, input, write};

/// A hostile repository, and a call about it.
struct Called {
    scene: Scene,
    input: Value,
}

impl Sandbox for Called {
    type World = Keeper;

    fn satisfied(verb: &str) -> Called {
        Called { scene: Scene::at(Stage::for_verb(verb)), input: input(verb) }
    }

    fn host(&self) -> &Host<Keeper> {
        self.scene.host()
    }

    fn input(&self) -> String {
        self.input.to_string()
    }

    fn snapshot(&self) -> BTreeMap<String, Vec<u8>> {
        self.scene.snapshot()
    }
}

impl Called {
    fn names(&mut self, path: &str) {
        self.input["files"][1]["path"] = path.into();
    }

    fn lists(&self, repo: &str) {
        let registry = self.scene.path("registry.toml");
        let text = fs::read_to_string(&registry).unwrap();
        let entry = format!("[repos.\"{repo}\"]\npath = \"hello\"\nbase = \"main\"\nstate = \"active\"\n");
        fs::write(registry, text + &entry).unwrap();
    }
}

impl Break for Called {
    fn break_auth_denied(&mut self, _verb: &str) {
        self.scene.edit("registry.toml", "repos = [\"octo/*\"]", "repos = [\"octopus/*\"]");
    }

    fn break_base_moved(&mut self, _verb: &str) {
        self.scene.commit_to("main", "by-hand");
    }

    fn break_branch_exists(&mut self, _verb: &str) {
        self.scene.git(&["update-ref", "refs/heads/greeting/in-german", "main"]);
    }

    fn break_branch_not_ahead(&mut self, _verb: &str) {
        self.scene.git(&["update-ref", "-d", "refs/heads/greeting"]);
    }

    fn break_changes_open(&mut self, _verb: &str) {
        self.scene.does("open_change");
    }

    fn break_change_limit_reached(&mut self, _verb: &str) {
        self.scene.edit("registry.toml", "change_limit = 3", "change_limit = 0");
    }

    fn break_change_not_open(&mut self, _verb: &str) {
        self.scene.edit("changes/1.toml", "state = \"open\"", "state = \"abandoned\"");
    }

    fn break_change_unknown(&mut self, _verb: &str) {
        self.scene.edit("changes/1.toml", "repo = \"octo/hello\"", "repo = \"octo/other\"");
    }

    fn break_contract_expired(&mut self, _verb: &str) {
        self.scene.edit("contracts/docs.toml", "2999-", "1999-");
    }

    fn break_contract_missing(&mut self, _verb: &str) {
        self.scene.edit("contracts/docs.toml", "octo/hello", "octo/other");
    }

    fn break_frozen(&mut self, _verb: &str) {
        self.scene.edit("registry.toml", "change_limit", "freeze_until = 2999-01-01T00:00:00Z\nchange_limit");
    }

    fn break_no_privileged_paths(&mut self, _verb: &str) {
        self.names("docs/CODEOWNERS");
    }

    fn break_operator_only(&mut self, _verb: &str) {
        self.scene.edit("registry.toml", "operator = true", "operator = false");
    }

    fn break_paths_clash(&mut self, _verb: &str) {
        self.names("docs/greeting.md/README.md");
    }

    fn break_paths_outside_contract(&mut self, _verb: &str) {
        self.names("src/README.md");
    }

    fn break_paths_outside_tree(&mut self, _verb: &str) {
        self.names("docs/.GIT/config");
    }

    fn break_path_not_a_repo(&mut self, _verb: &str) {
        self.input["path"] = "playbooks".into();
    }

    fn break_path_taken(&mut self, _verb: &str) {
        self.lists("octo/other");
    }

    fn break_playbook_already_installed(&mut self, _verb: &str) {
        self.scene.does("install_playbook");
    }

    fn break_playbook_not_installed(&mut self, _verb: &str) {
        self.scene.git(&["update-ref", "refs/heads/main", "main^"]);
    }

    fn break_playbook_unknown(&mut self, _verb: &str) {
        self.input["playbook"] = "careless".into();
    }

    fn break_repo_already_registered(&mut self, _verb: &str) {
        self.lists("octo/hello");
    }

    fn break_repo_locked(&mut self, _verb: &str) {
        write(&self.scene.path("hello/.git/index.lock"), "");
    }

    fn break_repo_not_in_registry(&mut self, _verb: &str) {
        self.scene.edit("registry.toml", "[repos.\"octo/hello\"]", "[repos.\"octo/other\"]");
    }

    fn break_repo_retired(&mut self, _verb: &str) {
        self.scene.edit("registry.toml", "state = \"active\"", "state = \"retired\"");
    }

    fn break_repo_unreadable(&mut self, _verb: &str) {
        fs::rename(self.scene.path("hello/.git"), self.scene.path("hello/git")).unwrap();
    }

    fn break_title_blank(&mut self, _verb: &str) {
        self.input["title"] = " \u{200b}".into();
    }

    fn break_worktree_dirty(&mut self, _verb: &str) {
        write(&self.scene.path("hello/notes.txt"), "not committed\n");
    }
}

#[test]
fn every_constraint_refuses_and_changes_no_byte_and_every_call_acts_where_it_holds() {
    let twins = all::<Called>();
    // Most of the time of a twin is git's.
    let share = twins.len().div_ceil(std::thread::available_parallelism().map_or(1, usize::from) * 2);
    let played: Vec<Played> = std::thread::scope(|scope| {
        let threads: Vec<_> = twins.chunks(share).map(|twins| scope.spawn(|| conform(twins))).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    for half in &played {
        println!("{half}");
    }
    let failed: Vec<&Played> = played.iter().filter(|half| half.result.is_err()).collect();
    assert_eq!(failed, [&played[0]; 0]);
    assert_eq!((twins.len(), played.len()), (52, 104));
}

/// A sandbox that could not be called twice would hide what a refused call leaves behind.
#[test]
fn a_refused_call_succeeds_once_it_is_mended() {
    let mut called = Called::satisfied("open_change");
    called.break_paths_outside_contract("open_change");
    let refused = called.scene.call_as("ada", "open_change", &called.input);
    assert_eq!(refused.refusal.unwrap().code, "PATHS_OUTSIDE_CONTRACT");
    called.names("README.md");
    let input = called.input();
    let outcomes = [0, 1].map(|_| keeper::generated::open_change::call(called.host(), input.as_bytes()));
    let told = outcomes.map(|outcome| json!([outcome.status, outcome.output.unwrap()["change"]]));
    assert_eq!(told, [json!(["succeeded", 1]), json!(["skipped_idempotent", 1])]);
}
