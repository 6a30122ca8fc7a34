//! The output folders of a call: what would be written there, and what that is refused for.

use forecheck::FactUnavailable;
use forecheck_codegen::folder::{Destination, Outputs, Stopped};
use forecheck_codegen::generator::{GenerateError, Source, generate};
use forecheck_codegen::keys_json::MovedRecipe;
use forecheck_contract::recipe::Recipe;
use forecheck_verbs::generated::facts::{
    KeyLock, MovedKeys, MovedKeysMovedItem, OutputFolders, OutputFoldersUnreadable, PlannedOutput,
    PlannedOutputOverlap, PlannedOutputUnwritable,
};

use super::Reading;
use crate::command::shown;

/// Everything that a call would write, compared with what stands there.
pub(crate) struct Prepared {
    /// The files, unless a generator failed.
    pub(crate) outputs: Result<Outputs, GenerateError>,
    /// How many verbs the surface has.
    pub(crate) verbs: u64,
    /// How many codes the surface has.
    pub(crate) codes: u64,
}

/// The facts about the output folders: one look finds them all.
pub(crate) struct OutputFacts {
    pub(crate) folders: OutputFolders,
    pub(crate) planned: PlannedOutput,
    pub(crate) lock: KeyLock,
    pub(crate) keys: MovedKeys,
}

impl Reading {
    /// Generates in memory and compares. What a generator fails at is for the answer or the effect to
    /// say: no folder is in its way.
    pub(super) fn prepare(
        &self,
        spec: &str,
        destination: &Destination,
    ) -> Result<OutputFacts, FactUnavailable> {
        let surface =
            self.surface(spec).ok_or_else(|| FactUnavailable::new("the spec folder is not sound"))?;
        self.progress.step("generating");
        let source = Source::new(surface);
        let (verbs, codes) = (surface.verbs.len() as u64, source.table.codes.len() as u64);
        let generated = generate(&source);
        self.progress.step("comparing");
        let compared = generated.map(|generated| destination.compare(spec.as_ref(), generated));
        let (facts, outputs) = match compared {
            Ok(Ok(outputs)) => (OutputFacts::found(&outputs), Ok(outputs)),
            Ok(Err(stopped)) => return Ok(OutputFacts::of(&stopped)),
            Err(error) => (OutputFacts::nothing(), Err(error)),
        };
        self.prepared.replace(Some(Prepared { outputs, verbs, codes }));
        Ok(facts)
    }

    /// Looks at what was prepared; `None` where nothing was.
    pub(crate) fn with_prepared<T>(&self, look: impl FnOnce(&Prepared) -> T) -> Option<T> {
        self.prepared.borrow().as_ref().map(look)
    }
}

impl OutputFacts {
    fn nothing() -> OutputFacts {
        OutputFacts {
            folders: OutputFolders { unreadable: None, busy: None },
            planned: PlannedOutput { overlap: None, foreign: Vec::new(), unwritable: None },
            lock: KeyLock { unreadable: None },
            keys: MovedKeys { moved: Vec::new() },
        }
    }

    fn found(outputs: &Outputs) -> OutputFacts {
        let mut facts = OutputFacts::nothing();
        facts.folders.busy = outputs.busy().map(shown);
        facts.planned.foreign = outputs.foreign().iter().map(|file| shown(file)).collect();
        let stopped = [outputs.check_keys().err(), outputs.unwritable().map(Stopped::Unwritable)];
        for stopped in stopped.iter().flatten() {
            facts.add(stopped);
        }
        facts
    }

    /// What stopped a run, as the facts that say so; nothing, where it stopped half-way.
    pub(crate) fn of(stopped: &Stopped) -> OutputFacts {
        let mut facts = OutputFacts::nothing();
        facts.add(stopped);
        facts
    }

    fn add(&mut self, stopped: &Stopped) {
        match stopped {
            Stopped::Overlap(first, second) => {
                let (first, second) = (shown(first), shown(second));
                self.planned.overlap = Some(PlannedOutputOverlap { first, second });
            }
            Stopped::Unreadable(error) => {
                let (path, reason) = (shown(&error.path), error.source.to_string());
                self.folders.unreadable = Some(OutputFoldersUnreadable { path, reason });
            }
            Stopped::LockUnreadable(reason) => self.lock.unreadable = Some(reason.clone()),
            Stopped::Moved(moved) => self.keys.moved = moved.iter().map(published_move).collect(),
            Stopped::Foreign(files) => {
                self.planned.foreign = files.iter().map(|file| shown(file)).collect();
            }
            Stopped::Busy(folder) => self.folders.busy = Some(shown(folder)),
            Stopped::Unwritable(error) => {
                let (path, reason) = (shown(&error.path), error.source.to_string());
                self.planned.unwritable = Some(PlannedOutputUnwritable { path, reason });
            }
            Stopped::Partly(_) => {}
        }
    }
}

fn published_move(moved: &MovedRecipe) -> MovedKeysMovedItem {
    // INVARIANT: a recipe of texts and numbers always becomes JSON.
    let text = |recipe: &Recipe| serde_json::to_string(recipe).unwrap_or_default();
    MovedKeysMovedItem {
        verb: moved.verb.clone(),
        locked_revision: moved.locked.revision,
        revision: moved.now.revision,
        locked: text(&moved.locked.recipe),
        now: text(&moved.now.recipe),
        difference: moved.to_string(),
    }
}
