//! `errors.json`: the published table.

use crate::generator::{GenerateError, GeneratedFile, Source, json_file};

pub(crate) fn generate(source: &Source<'_, '_>) -> Result<Vec<GeneratedFile>, GenerateError> {
    Ok(vec![json_file("errors.json", &source.table)?])
}
