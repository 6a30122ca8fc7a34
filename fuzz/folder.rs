//! Bytes as the folder of a surface.

use forecheck_spec::source::{SourceFile, Sources};

/// What a folder may hold, in the order in which the bytes say what each of them holds.
const PATHS: [&str; 8] = [
    "verbs/act.schema.json",
    "surface.json",
    "constraints/BAD.json",
    "facts/world.schema.json",
    "verbs/_common.schema.json",
    "retired.json",
    "verbs/undo.schema.json",
    "defs/thing.schema.json",
];

/// A byte that stands in no text of UTF-8, between one file and the next.
const SEPARATOR: u8 = 0xff;

/// The files that `bytes` hold; bytes without a separator are one verb.
pub fn folder(bytes: &[u8]) -> Sources {
    let contents = bytes.splitn(PATHS.len(), |byte| *byte == SEPARATOR);
    let files = PATHS
        .iter()
        .zip(contents)
        .filter(|(_, content)| !content.is_empty())
        .map(|(path, content)| SourceFile { path: (*path).to_owned(), content: Ok(content.to_vec()) })
        .collect();
    Sources { folder_name: "folder".to_owned(), files }
}
