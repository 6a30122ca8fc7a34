//! Rooms without IO, and paths that `serde_json` stays off: text is looked at, not only imports, so a
//! path written out in full counts, too. What stands under `#[cfg(test)]` is free.

use super::Hit;
use super::source::SourceFile;

/// A part of the tree, what it does without, and why.
struct Room {
    folder: &'static str,
    /// Files and folders inside that are the rim.
    rim: &'static [&'static str],
    without: &'static [&'static str],
    remedy: &'static str,
}

const IO: &[&str] =
    &["std::fs", "std::env", "std::process", "SystemTime", "Instant::", "std::net", "std::thread"];
const PURE: &str = "take what is needed as an argument; only the rim touches the system";
const OWN_READER: &str =
    "use `json::read` and `canonical`: features of serde_json change what it reads and writes";

const ROOMS: &[Room] = &[
    Room { folder: "crates/forecheck-contract/src/", rim: &[], without: IO, remedy: PURE },
    Room { folder: "crates/forecheck-spec/src/", rim: &["source.rs"], without: IO, remedy: PURE },
    Room {
        folder: "crates/forecheck-codegen/src/",
        rim: &["folder.rs", "folder/"],
        without: IO,
        remedy: PURE,
    },
    Room {
        folder: "crates/forecheck-contract/src/json",
        rim: &[],
        without: &["serde_json"],
        remedy: OWN_READER,
    },
    Room {
        folder: "crates/forecheck-contract/src/canonical",
        rim: &[],
        without: &["serde_json"],
        remedy: OWN_READER,
    },
    Room {
        folder: "crates/forecheck-contract/src/key",
        rim: &[],
        without: &["serde_json"],
        remedy: OWN_READER,
    },
    Room {
        folder: "crates/forecheck-contract/src/recipe",
        rim: &[],
        without: &["serde_json"],
        remedy: OWN_READER,
    },
];

pub(super) fn check(file: &SourceFile) -> Vec<Hit> {
    if file.syntax().is_none() {
        return Vec::new();
    }
    let rooms = ROOMS.iter().filter(|room| room.holds(file.path()));
    rooms.flat_map(|room| room.hits(file)).collect()
}

impl Room {
    fn holds(&self, path: &str) -> bool {
        path.strip_prefix(self.folder).is_some_and(|below| !self.rim.iter().any(|rim| below.starts_with(rim)))
    }

    fn hits(&self, file: &SourceFile) -> Vec<Hit> {
        let code = file.lines().take_while(|(_, line)| line.trim() != "#[cfg(test)]");
        let code = code.filter(|(_, line)| !line.trim_start().starts_with("//"));
        let used = code.filter_map(|(number, line)| {
            let name = self.without.iter().find(|name| line.contains(**name))?;
            Some(Hit { line: number, remedy: format!("`{name}`: {}", self.remedy) })
        });
        used.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(path: &str, text: &str) -> Vec<usize> {
        check(&SourceFile::new(path, text.to_owned()).unwrap()).into_iter().map(|hit| hit.line).collect()
    }

    #[test]
    fn rooms_without_io_have_none() {
        let text = "use std::fs;\nfn f() { std::env::var(\"x\"); }\n";
        assert_eq!(lines("crates/forecheck-spec/src/check.rs", text), [1, 2]);
        assert_eq!(lines("crates/forecheck-codegen/src/markdown.rs", text), [1, 2]);
        assert_eq!(lines("crates/forecheck-contract/src/json/reader.rs", "use serde_json::Value;\n"), [1]);
    }

    #[test]
    fn the_rim_tests_and_other_rooms_are_free() {
        let text = "use std::fs;\n";
        assert_eq!(lines("crates/forecheck-spec/src/source.rs", text), [0; 0]);
        assert_eq!(lines("crates/forecheck-codegen/src/folder/write.rs", text), [0; 0]);
        assert_eq!(lines("crates/forecheck-cli/src/main.rs", text), [0; 0]);
        assert_eq!(lines("crates/forecheck-contract/src/table.rs", "use serde_json::Value;\n"), [0; 0]);
        let tests = "// std::fs\n#[cfg(test)]\nmod tests { use std::fs; }\n";
        assert_eq!(lines("crates/forecheck-spec/src/check.rs", tests), [0; 0]);
    }
}
