//! The gatherers: what checks read, from what was read of the disk.

use std::path::{Path, PathBuf};

use forecheck::FactUnavailable;
use forecheck_codegen::folder::Destination;
use forecheck_spec::schema::bundle::bundle;
use forecheck_spec::surface::Verb;
use forecheck_spec::text::nearest;
use forecheck_verbs::generated::facts::{
    CalledVerb, CalledVerbVerb, CodeRow, ErrorTable, Gather, KeyLock, LedgerFile, MovedKeys, NewFolder,
    OutputFolders, PlannedOutput, RecordedCalls, RuntimeCrate, SpecFolder,
};

use super::{Disk, OutputFacts, Reading, look, look_at, looked_after, runtime_crate};
use crate::command::explain::{find, nearest_codes};
use crate::problem::published;

impl Gather for Disk {
    fn spec_folder(read: &Reading, target: &str) -> Result<SpecFolder, FactUnavailable> {
        Ok(match read.spec(target) {
            Ok(spec) => SpecFolder { unreadable: None, problems: published(spec.checked(), spec.trees()) },
            Err(error) => SpecFolder { unreadable: Some(error.source.to_string()), problems: Vec::new() },
        })
    }

    fn called_verb(read: &Reading, target: &str, verb: &str) -> Result<CalledVerb, FactUnavailable> {
        let surface =
            read.surface(target).ok_or_else(|| FactUnavailable::new("the spec folder is not sound"))?;
        let recipe_of = |verb: &Verb<'_>| {
            let recipe = verb.key_recipe().map(serde_json::to_value).transpose();
            recipe.map_err(|error| FactUnavailable::new(error.to_string()))
        };
        let declared = surface.verbs.iter().find(|declared| declared.name() == verb);
        let declared = declared.map(|declared| {
            let input = bundle(&surface.schemas, declared.file.input);
            Ok(CalledVerbVerb { recipe: recipe_of(declared)?, input })
        });
        let nearest = nearest(verb, surface.verbs.iter().map(Verb::name));
        Ok(CalledVerb {
            surface: surface.id.name.clone(),
            verb: declared.transpose()?,
            nearest: nearest.into_iter().map(str::to_owned).collect(),
        })
    }

    fn planned_output(
        read: &Reading,
        target: &str,
        out: &str,
        rust: Option<&str>,
    ) -> Result<PlannedOutput, FactUnavailable> {
        let destination = Destination { out: PathBuf::from(out), rust: rust.map(PathBuf::from) };
        let facts = read.prepare(target, &destination)?;
        Ok(read.outputs.get_or_init(|| facts).planned.clone())
    }

    fn output_folders(
        read: &Reading,
        _out: &str,
        _rust: Option<&str>,
    ) -> Result<OutputFolders, FactUnavailable> {
        Ok(prepared(read)?.folders.clone())
    }

    fn key_lock(read: &Reading, _out: &str) -> Result<KeyLock, FactUnavailable> {
        Ok(prepared(read)?.lock.clone())
    }

    fn moved_keys(read: &Reading, _target: &str, _out: &str) -> Result<MovedKeys, FactUnavailable> {
        Ok(prepared(read)?.keys.clone())
    }

    fn error_table(read: &Reading, errors: Option<&str>) -> Result<ErrorTable, FactUnavailable> {
        Ok(ErrorTable { unreadable: read.table(errors).err().cloned() })
    }

    fn code_row(read: &Reading, errors: Option<&str>, code: &str) -> Result<CodeRow, FactUnavailable> {
        let table = read.table(errors).map_err(FactUnavailable::new)?;
        Ok(CodeRow {
            surface: table.surface.name.clone(),
            known: find(table, code).is_some(),
            nearest: nearest_codes(table, code),
        })
    }

    fn new_folder(_read: &Reading, folder: &str) -> Result<NewFolder, FactUnavailable> {
        Ok(look(Path::new(folder)))
    }

    fn ledger_file(read: &Reading, ledger: Option<&str>) -> Result<LedgerFile, FactUnavailable> {
        Ok(match read.own_ledger.or_named(ledger) {
            Ok(ledger) => look_at(&ledger),
            Err(why) => LedgerFile { path: String::new(), missing: Some(why), unreadable: None },
        })
    }

    fn recorded_calls(
        read: &Reading,
        ledger: Option<&str>,
        key: &str,
        scope: Option<&str>,
    ) -> Result<RecordedCalls, FactUnavailable> {
        let records = read.records(ledger, key, scope).map_err(FactUnavailable::new)?;
        Ok(records.iter().map(looked_after::published).collect())
    }

    fn runtime_crate(_read: &Reading, forecheck: Option<&str>) -> Result<RuntimeCrate, FactUnavailable> {
        let found = forecheck.map(|folder| runtime_crate::find(Path::new(folder)));
        Ok(match found.transpose() {
            Ok(path) => RuntimeCrate { path, missing: None },
            Err(missing) => RuntimeCrate { path: None, missing: Some(missing) },
        })
    }
}

/// What was found when the output of the same call was planned, which is the first that is asked.
fn prepared(read: &Reading) -> Result<&OutputFacts, FactUnavailable> {
    read.outputs.get().ok_or_else(|| FactUnavailable::new("the output folders were not looked at"))
}
