//! The generators: from a surface and its table to files, all in memory.

use std::fmt;

use forecheck_contract::table::ErrorTable;
use forecheck_spec::surface::Surface;
use forecheck_spec::table::error_table;

use crate::keys_json::{KeysFile, keys};
use crate::{errors_json, keys_json, markdown, rust, schemas};

/// What every generator is given.
#[derive(Debug)]
pub struct Source<'a, 's> {
    /// The surface.
    pub surface: &'a Surface<'s>,
    /// Its collapsed table.
    pub table: ErrorTable,
    /// The recipes of its keys.
    pub keys: KeysFile,
}

impl<'a, 's> Source<'a, 's> {
    /// Collapses the surface's codes and collects its recipes.
    pub fn new(surface: &'a Surface<'s>) -> Self {
        Source { surface, table: error_table(surface), keys: keys(surface) }
    }
}

/// A file that a generator made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneratedFile {
    /// The path below its folder, with `/` between its parts.
    pub path: String,
    /// What it holds.
    pub content: String,
}

/// The files of one run.
#[derive(Debug)]
pub struct Generated {
    /// JSON and Markdown, for the output folder.
    pub neutral: Vec<GeneratedFile>,
    /// Rust modules, for a folder of their own or `rust/` below the output folder.
    pub rust: Vec<GeneratedFile>,
    /// What `keys.json` says: the recipes that become locked.
    pub keys: KeysFile,
}

/// A generator that could not make its files.
#[derive(Debug)]
pub struct GenerateError {
    /// The file that could not be made.
    pub path: String,
    /// Why not.
    pub reason: String,
}

impl fmt::Display for GenerateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` could not be generated: {}", self.path, self.reason)
    }
}

impl std::error::Error for GenerateError {}

type Generator = fn(&Source<'_, '_>) -> Result<Vec<GeneratedFile>, GenerateError>;

/// The generators of language-neutral files.
const NEUTRAL: &[Generator] =
    &[errors_json::generate, keys_json::generate, schemas::generate, markdown::generate];

/// Runs every generator.
///
/// # Errors
/// [`GenerateError`] of the first generator that fails.
pub fn generate(source: &Source<'_, '_>) -> Result<Generated, GenerateError> {
    let mut neutral = Vec::new();
    for generator in NEUTRAL {
        neutral.extend(generator(source)?);
    }
    Ok(Generated { neutral, rust: rust::generate(source)?, keys: source.keys.clone() })
}

/// `value` as indented JSON with a line feed at its end.
pub(crate) fn json_file(path: &str, value: &impl serde::Serialize) -> Result<GeneratedFile, GenerateError> {
    match serde_json::to_string_pretty(value) {
        Ok(text) => Ok(GeneratedFile { path: path.to_owned(), content: text + "\n" }),
        Err(error) => Err(GenerateError { path: path.to_owned(), reason: error.to_string() }),
    }
}
