//! What is measured in a process of its own: its CPU time and the most memory that it held.

use std::fmt;
use std::fs;
use std::path::Path;
use std::process::Command;

use forecheck_codegen::generator::{Source, generate};
use forecheck_spec::check::check;
use forecheck_spec::source::Sources;
use forecheck_spec::tree::Trees;
use serde_json::Value;
use walkdir::WalkDir;

use crate::cpu;

/// A piece of work over a folder of verb schemas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Work {
    /// Every file read and parsed as `serde_json::Value`, all of them kept: what nobody can do without.
    Floor,
    /// Read, check, collapse, `errors.json` and `keys.json`.
    Table,
    /// The same, and the text of every file that there is.
    Full,
}

impl Work {
    const ALL: [Work; 3] = [Work::Floor, Work::Table, Work::Full];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Work::Floor => "serde_json::Value of every file (the floor)",
            Work::Table => "read, check, table, errors.json, keys.json",
            Work::Full => "the same and every other output, in memory",
        }
    }

    /// Does the work in a process of its own.
    pub(crate) fn spawn(self, folder: &Path) -> Measured {
        let mut command = Command::new(std::env::current_exe().unwrap());
        let output = command.args(["work", self.name()]).arg(folder).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Measured::read(&String::from_utf8(output.stdout).unwrap())
    }

    /// Does the work in this process, which does nothing else, and says what it took.
    pub(crate) fn run(name: &str, folder: &Path) -> Measured {
        let work = Work::ALL.into_iter().find(|work| work.name() == name).unwrap();
        match work {
            Work::Floor => floor(folder),
            Work::Table => table(folder),
            Work::Full => full(folder),
        }
    }
}

fn floor(folder: &Path) -> Measured {
    let mut files: Vec<_> =
        WalkDir::new(folder).into_iter().map(|entry| entry.unwrap().into_path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    let values: Vec<Value> =
        files.iter().map(|path| serde_json::from_slice(&fs::read(path).unwrap()).unwrap()).collect();
    Measured::now(format!("{} files", values.len()))
}

fn table(folder: &Path) -> Measured {
    let sources = Sources::load(folder).unwrap();
    let trees = Trees::read(&sources);
    let checked = check(&trees);
    let surface = checked.surface.as_ref().unwrap();
    let source = Source::new(surface);
    let errors = serde_json::to_string_pretty(&source.table).unwrap();
    let keys = serde_json::to_string_pretty(&source.keys).unwrap();
    Measured::now(format!(
        "{} verbs, {} codes, {:.1} MB",
        surface.verbs.len(),
        source.table.codes.len(),
        (errors.len() + keys.len()) as f64 / 1e6
    ))
}

fn full(folder: &Path) -> Measured {
    let sources = Sources::load(folder).unwrap();
    let trees = Trees::read(&sources);
    let checked = check(&trees);
    let source = Source::new(checked.surface.as_ref().unwrap());
    let generated = generate(&source).unwrap();
    let files: Vec<_> = generated.neutral.iter().chain(&generated.rust).collect();
    let bytes: usize = files.iter().map(|file| file.content.len()).sum();
    Measured::now(format!("{} files, {:.1} MB", files.len(), bytes as f64 / 1e6))
}

/// What a piece of work took.
pub(crate) struct Measured {
    pub(crate) cpu: f64,
    /// The most memory that the process held, in bytes.
    pub(crate) peak: u64,
    pub(crate) note: String,
}

impl Measured {
    /// Of this process, before it gives anything back.
    fn now(note: String) -> Measured {
        Measured { cpu: cpu::own(), peak: peak(), note }
    }

    fn read(text: &str) -> Measured {
        let [cpu, peak, note] = text.trim_end().splitn(3, ' ').collect::<Vec<_>>().try_into().unwrap();
        Measured { cpu: cpu.parse().unwrap(), peak: peak.parse().unwrap(), note: note.to_owned() }
    }
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.cpu, self.peak, self.note)
    }
}

fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let kibibytes: u64 = line.trim().trim_end_matches(" kB").parse().unwrap();
    kibibytes * 1024
}
