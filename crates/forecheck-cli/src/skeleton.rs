//! The project that `forecheck init` writes, in memory: the templates with their words filled in, and
//! what follows from the spec folder among them.

use forecheck_codegen::folder::with_manifest;
use forecheck_codegen::generator::{Generated, GeneratedFile, Source, generate};
use forecheck_spec::check::check;
use forecheck_spec::source::{SourceFile, Sources};
use forecheck_spec::tree::Trees;

use crate::answer::Failure;

/// The paths of the files that are written, and what they hold before their words are filled in.
const TEMPLATES: [(&str, &str); 15] = [
    (".gitattributes", include_str!("../templates/init/gitattributes")),
    (".github/workflows/ci.yml", include_str!("../templates/init/github/workflows/ci.yml")),
    (".gitignore", include_str!("../templates/init/gitignore")),
    ("Cargo.toml", include_str!("../templates/init/Cargo.toml.in")),
    ("README.md", include_str!("../templates/init/README.md")),
    ("spec/facts/boards.schema.json", include_str!("../templates/init/spec/facts/boards.schema.json")),
    ("spec/surface.json", include_str!("../templates/init/spec/surface.json")),
    ("spec/verbs/add_note.schema.json", include_str!("../templates/init/spec/verbs/add_note.schema.json")),
    ("src/checks.rs", include_str!("../templates/init/src/checks.rs")),
    ("src/effects.rs", include_str!("../templates/init/src/effects.rs")),
    ("src/gatherers.rs", include_str!("../templates/init/src/gatherers.rs")),
    ("src/lib.rs", include_str!("../templates/init/src/lib.rs")),
    ("src/main.rs", include_str!("../templates/init/src/main.rs")),
    ("src/world.rs", include_str!("../templates/init/src/world.rs")),
    ("tests/add_note.rs", include_str!("../templates/init/tests/add_note.rs")),
];

/// Where the generated Rust goes.
pub(crate) const RUST: &str = "src/generated";

/// What starts each word that is filled in.
const WORD: &str = "skeleton";

/// What a package says of the crate `forecheck`, as TOML: where it lies, or the version of this program.
pub(crate) fn dependency(path: Option<&str>) -> Result<String, Failure> {
    Ok(match path {
        // A string of JSON is one of TOML.
        Some(path) => format!("{{ path = {} }}", serde_json::to_string(path)?),
        None => {
            format!("\"{}.{}\"", env!("CARGO_PKG_VERSION_MAJOR"), env!("CARGO_PKG_VERSION_MINOR"))
        }
    })
}

/// Every file of the project, sorted by path.
pub(crate) fn files(name: &str, dependency: &str) -> Result<Vec<GeneratedFile>, Failure> {
    let words = [
        ("-name", name),
        ("_name", &name.replace('-', "_")),
        ("-dependency", dependency),
        ("-version", env!("CARGO_PKG_VERSION")),
    ];
    let mut files: Vec<GeneratedFile> = TEMPLATES
        .iter()
        .map(|(path, text)| GeneratedFile { path: (*path).to_owned(), content: filled(text, &words) })
        .collect();
    let Generated { neutral, rust, .. } = generated(&files)?;
    for (folder, generated) in [("generated", neutral), (RUST, rust)] {
        files.extend(
            with_manifest(generated)
                .into_iter()
                .map(|file| GeneratedFile { path: format!("{folder}/{}", file.path), content: file.content }),
        );
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

/// What follows from the spec folder among `files`.
fn generated(files: &[GeneratedFile]) -> Result<Generated, Failure> {
    let spec = files.iter().filter_map(|file| {
        let path = file.path.strip_prefix("spec/")?.to_owned();
        Some(SourceFile { path, content: Ok(file.content.clone().into_bytes()) })
    });
    let sources = Sources { folder_name: "spec".to_owned(), files: spec.collect() };
    let trees = Trees::read(&sources);
    let checked = check(&trees);
    let surface = checked.surface.ok_or("the surface that is built in has errors")?;
    Ok(generate(&Source::new(&surface))?)
}

/// The text with every word filled in, in one pass: what is filled in is not looked at again.
fn filled(text: &str, words: &[(&str, &str)]) -> String {
    let mut parts = text.split(WORD);
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let word = words.iter().find_map(|(word, value)| Some((value, part.strip_prefix(word)?)));
        match word {
            Some((value, rest)) => filled.extend([value, rest]),
            None => filled.extend([WORD, part]),
        }
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_filled_in_once() {
        let words = [("-name", "skeleton-version"), ("-version", "1")];
        let text = "skeleton-name a skeleton skeleton-version-b";
        assert_eq!(filled(text, &words), "skeleton-version a skeleton 1-b");
    }

    #[test]
    fn no_word_is_left() {
        let files = files("keeper-two", "\"0.1\"").unwrap();
        let left = files.iter().filter(|file| file.content.contains(WORD)).map(|file| &*file.path);
        assert_eq!(left.collect::<Vec<_>>(), [""; 0]);
    }
}
