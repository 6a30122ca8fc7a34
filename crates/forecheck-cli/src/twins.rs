//! Each constraint of the shipped surface refuses in a folder of its own, and the same call goes
//! through where it holds. The checks say what the examples of the spec say.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use forecheck::conform::{Judged, Played, PlayedExample, Sandbox, conform, conform_examples};
use forecheck::ledger::{Claimed, NewClaim, RowId, Settlement};
use forecheck::outcome::Status;
use forecheck::{Host, Ledger as _, SqliteLedger};
use forecheck_verbs::generated::twins::{Break, all};
use forecheck_verbs::generated::{examples, generate};
use rustix::process::{Uid, getuid};
use rustix::thread::set_thread_res_uid;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::own_table::own_table;
use crate::world::{Disk, OwnLedger, host_with};

const VERB: &str = r#"{
  "verb": "act",
  "summary": "Act.",
  "effects": [{"kind": "write", "target": "a file"}],
  "target": null,
  "input": {
    "type": "object",
    "properties": {"loud": {"type": "boolean", "default": false, "description": "Whether it says so."}},
    "required": [],
    "additionalProperties": false
  },
  "constraints": [{"code": "TOO_LOUD", "description": "It is too loud.", "help": "Whisper.", "reads": ["/loud"]}]
}"#;

const LOOK: &str = r#"{
  "verb": "look",
  "summary": "Look.",
  "effects": [],
  "target": null,
  "input": {"type": "object", "properties": {}, "required": [], "additionalProperties": false},
  "constraints": []
}"#;

/// The key of a call in doubt, and that of a call that succeeded.
const KEYS: [&str; 2] = ["d0", "50"];

/// A folder with a surface and its generated files, which are out of date where a call is to write them, or with
/// a ledger of another program. The ledger of this one is part of it.
struct Scene {
    host: Host<Disk>,
    input: Value,
    /// A lock that another run seems to hold.
    held: Option<File>,
    /// Drops before the folder does, which its owner removes.
    nobody: Option<Nobody>,
    folder: TempDir,
}

/// This thread as a user to whom mode bits mean something, until it is dropped.
struct Nobody;

impl Nobody {
    /// `None` where this process is such a user already.
    fn new() -> Option<Nobody> {
        let nobody = Uid::from_raw(65534);
        getuid().is_root().then(|| {
            set_thread_res_uid(nobody, nobody, Uid::ROOT).unwrap();
            Nobody
        })
    }
}

impl Drop for Nobody {
    fn drop(&mut self) {
        set_thread_res_uid(Uid::ROOT, Uid::ROOT, Uid::ROOT).unwrap();
    }
}

impl Scene {
    fn path(&self, below: &str) -> PathBuf {
        self.folder.path().join(below)
    }

    fn edit(&self, path: &str, from: &str, to: &str) {
        let text = fs::read_to_string(self.path(path)).unwrap();
        assert!(text.contains(from), "{text}");
        fs::write(self.path(path), text.replace(from, to)).unwrap();
    }
}

impl Sandbox for Scene {
    type World = Disk;

    fn satisfied(verb: &str) -> Scene {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
        let text = |below: &str| folder.path().join(below).to_str().unwrap().to_owned();
        fs::create_dir_all(text("spec/verbs")).unwrap();
        fs::write(text("spec/surface.json"), r#"{"name": "acts", "version": "1.0.0"}"#).unwrap();
        fs::write(text("spec/verbs/act.schema.json"), VERB).unwrap();
        fs::write(text("spec/verbs/look.schema.json"), LOOK).unwrap();
        let (spec, out) = (text("spec"), text("generated"));
        if matches!(verb, "explain" | "find_drift" | "generate") {
            let made = generate::call(
                &host_with(OwnLedger::Process),
                json!({"spec": spec, "out": out}).to_string().as_bytes(),
            );
            assert_eq!(made.status, Status::Succeeded, "{made:?}");
        }
        let input = match verb {
            "generate" | "find_drift" => json!({"spec": spec, "out": out, "deny_warnings": true}),
            "explain" => json!({"code": "TOO_LOUD", "errors": text("generated/errors.json")}),
            "derive_key" => json!({"spec": spec, "verb": "act", "text": "{}"}),
            "init" => {
                fs::create_dir(text("crate")).unwrap();
                fs::write(text("crate/Cargo.toml"), "[package]\nname = \"forecheck\"\n").unwrap();
                json!({"folder": text("new"), "name": "notes", "forecheck": text("crate")})
            }
            "list_calls" | "forget_calls" => json!({"ledger": text("kept.sqlite")}),
            "show_call" => json!({"ledger": text("kept.sqlite"), "key": key(KEYS[0])}),
            "resolve_call" => {
                json!({"ledger": text("kept.sqlite"), "key": key(KEYS[0]), "became": "landed"})
            }
            _ => json!({"spec": spec}),
        };
        if input["ledger"].is_string() {
            keep_calls(&folder.path().join("kept.sqlite"));
        }
        let host = host_with(OwnLedger::File(text("state/ledger.sqlite").into()));
        let scene = Scene { host, input, held: None, nobody: None, folder };
        if verb == "generate" {
            scene.edit("spec/verbs/act.schema.json", "It is too loud.", "It is louder than allowed.");
        }
        scene
    }

    fn host(&self) -> &Host<Disk> {
        &self.host
    }

    fn input(&self) -> String {
        self.input.to_string()
    }

    fn snapshot(&self) -> BTreeMap<String, Vec<u8>> {
        let mut files = BTreeMap::new();
        add_tree(self.folder.path(), &mut files);
        files
    }
}

/// A key that is a pair of digits again and again.
fn key(pair: &str) -> String {
    pair.repeat(32)
}

/// A ledger with a call in doubt and a call that succeeded.
fn keep_calls(path: &Path) {
    let ledger = SqliteLedger::at(path);
    let doubt = Settlement::InDoubt { why: "who knows".to_owned() };
    let success = Settlement::Succeeded { output: "1".to_owned(), window: None };
    for (pair, settlement) in KEYS.into_iter().zip([doubt, success]) {
        let row = RowId { scope: "me".to_owned(), key: key(pair).parse().unwrap() };
        let (verb, shown) = ("act".to_owned(), "{}".to_owned());
        let claim = NewClaim { input: row.key, row, verb, shown, each_acts: false };
        let Claimed::Yes(id) = ledger.claim(claim).unwrap() else { panic!("it is new") };
        ledger.settle(&id, &settlement).unwrap();
    }
}

/// Every file below a folder, with its bytes; folders with none. What processes share while they read a ledger
/// is theirs, not the ledger's.
fn add_tree(folder: &Path, files: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        let name = path.to_str().unwrap().to_owned();
        if entry.file_type().unwrap().is_dir() {
            files.insert(name, Vec::new());
            add_tree(&path, files);
        } else if !name.ends_with("-shm") {
            files.insert(name, fs::read(&path).unwrap());
        }
    }
}

impl Break for Scene {
    fn break_call_not_in_doubt(&mut self, _verb: &str) {
        self.input["key"] = key(KEYS[1]).into();
    }

    fn break_call_unknown(&mut self, _verb: &str) {
        self.input["key"] = "00000000".into();
    }

    fn break_code_unknown(&mut self, _verb: &str) {
        self.input["code"] = "TOO_QUIET".into();
    }

    fn break_errors_unreadable(&mut self, _verb: &str) {
        fs::write(self.path("generated/errors.json"), "torn").unwrap();
    }

    fn break_folder_not_empty(&mut self, _verb: &str) {
        fs::create_dir(self.path("new")).unwrap();
        fs::write(self.path("new/mine"), "mine").unwrap();
    }

    fn break_folder_unwritable(&mut self, _verb: &str) {
        fs::create_dir(self.path("new")).unwrap();
        fs::set_permissions(self.path("new"), Permissions::from_mode(0o555)).unwrap();
        self.nobody = Nobody::new();
    }

    fn break_folders_overlap(&mut self, _verb: &str) {
        self.input["out"] = self.path("spec/generated").to_str().into();
    }

    fn break_key_lock_unreadable(&mut self, _verb: &str) {
        fs::write(self.path("generated/keys.json"), "<<<<<<< HEAD\n").unwrap();
    }

    fn break_key_recipe_changed(&mut self, _verb: &str) {
        self.edit("spec/verbs/act.schema.json", r#""default": false"#, r#""default": true"#);
    }

    fn break_keyed_input_refused(&mut self, _verb: &str) {
        self.input["text"] = r#"{"loud": 1}"#.into();
    }

    fn break_ledger_missing(&mut self, _verb: &str) {
        self.input["ledger"] = self.path("none.sqlite").to_str().into();
    }

    fn break_ledger_unreadable(&mut self, _verb: &str) {
        fs::write(self.path("torn.sqlite"), "torn").unwrap();
        self.input["ledger"] = self.path("torn.sqlite").to_str().into();
    }

    fn break_name_invalid(&mut self, _verb: &str) {
        self.input["name"] = "no name".into();
    }

    fn break_output_busy(&mut self, _verb: &str) {
        let folder = File::open(self.path("generated")).unwrap();
        folder.lock().unwrap();
        self.held = Some(folder);
    }

    fn break_output_has_foreign_files(&mut self, _verb: &str) {
        fs::write(self.path("generated/notes.txt"), "mine").unwrap();
    }

    fn break_output_unreadable(&mut self, _verb: &str) {
        fs::remove_dir_all(self.path("generated")).unwrap();
        fs::write(self.path("generated"), "a file").unwrap();
    }

    fn break_output_unwritable(&mut self, _verb: &str) {
        fs::set_permissions(self.path("generated"), Permissions::from_mode(0o555)).unwrap();
        self.nobody = Nobody::new();
    }

    fn break_runtime_crate_missing(&mut self, _verb: &str) {
        fs::remove_dir_all(self.path("crate")).unwrap();
    }

    fn break_spec_has_errors(&mut self, _verb: &str) {
        fs::write(self.path("spec/verbs/broken.schema.json"), "{").unwrap();
    }

    fn break_spec_unreadable(&mut self, _verb: &str) {
        fs::rename(self.path("spec"), self.path("gone")).unwrap();
    }

    fn break_verb_has_no_key(&mut self, _verb: &str) {
        self.input["verb"] = "look".into();
    }

    fn break_verb_unknown(&mut self, _verb: &str) {
        self.input["verb"] = "atc".into();
    }

    fn break_warnings_denied(&mut self, _verb: &str) {
        fs::create_dir(self.path("spec/defs")).unwrap();
        fs::write(self.path("spec/defs/unused.schema.json"), "{}").unwrap();
    }
}

#[test]
fn every_constraint_refuses_and_every_call_goes_through_where_it_holds() {
    let twins = all::<Scene>();
    let listed: BTreeSet<(&str, &str)> = twins.iter().map(|twin| (twin.code, twin.verb)).collect();
    let table = own_table().unwrap();
    let rows = table.codes.iter().flat_map(|row| row.verbs.iter().map(|verb| (&*row.code, &**verb)));
    assert_eq!(listed, rows.collect());
    let played = conform(&twins);
    for half in &played {
        println!("{half}");
    }
    let failed: Vec<&Played> = played.iter().filter(|half| half.result.is_err()).collect();
    assert_eq!(failed, [&played[0]; 0]);
}

#[test]
fn every_example_is_what_the_checks_say() {
    let played = conform_examples(&examples::all::<Disk>());
    for example in &played {
        println!("{example}");
    }
    let otherwise: Vec<&PlayedExample> =
        played.iter().filter(|example| example.result != Ok(Judged::Agrees)).collect();
    assert_eq!(otherwise, [&played[0]; 0]);
    assert_eq!(played.len(), 37);
}
