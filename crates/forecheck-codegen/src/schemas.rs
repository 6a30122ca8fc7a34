//! The JSON Schemas of what authors write and of what is published, made from the Rust types.

use forecheck_contract::table::ErrorTable;
use forecheck_spec::file::published_schemas;

use crate::generator::{GenerateError, GeneratedFile, Source, json_file};
use crate::keys_json::KeysFile;

pub(crate) fn generate(_: &Source<'_, '_>) -> Result<Vec<GeneratedFile>, GenerateError> {
    let mut schemas = published_schemas();
    schemas.push(("errors.schema.json", schemars::schema_for!(ErrorTable)));
    schemas.push(("keys.schema.json", schemars::schema_for!(KeysFile)));
    schemas.iter().map(|(path, schema)| json_file(path, schema)).collect()
}
