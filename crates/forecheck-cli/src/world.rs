//! The world of the program: the files of this machine, each read once for one call.

mod gather;
mod looked_after;
mod new_folder;
mod outputs;
mod own_ledger;
mod runtime_crate;
#[expect(clippy::mem_forget, reason = "the code of self_cell, which frees what it forgets")]
mod spec;
mod table;

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use forecheck::ledger::sqlite::Record;
use forecheck::{Host, World};
use forecheck_contract::table::ErrorTable;
use forecheck_spec::source::FolderError;
use forecheck_verbs::checks::Forecheck;

use crate::progress::Progress;
pub(crate) use looked_after::{look_at, published, records};
pub(crate) use new_folder::{Unfilled, fill, look};
pub(crate) use outputs::{OutputFacts, Prepared};
pub(crate) use own_ledger::OwnLedger;
pub(crate) use spec::Examined;

/// The files of this machine.
pub(crate) struct Disk;

impl World for Disk {
    type Read = Reading;
    type Act = Writing;
}

impl Forecheck for Disk {}

/// What one call reads through. It keeps what was read, so that what was checked is what is answered
/// and written.
pub(crate) struct Reading {
    pub(crate) progress: Progress,
    spec: OnceCell<Result<Examined, FolderError>>,
    table: OnceCell<Result<ErrorTable, String>>,
    outputs: OnceCell<OutputFacts>,
    records: OnceCell<Result<Vec<Record>, String>>,
    own_ledger: OwnLedger,
    prepared: Rc<RefCell<Option<Prepared>>>,
}

/// What one call writes through: of output folders, nothing but what was prepared while its facts were gathered.
pub(crate) struct Writing {
    pub(crate) progress: Progress,
    /// Where the calls of this program are recorded.
    pub(crate) own_ledger: OwnLedger,
    prepared: Rc<RefCell<Option<Prepared>>>,
}

impl Writing {
    /// What was prepared. It is written once.
    pub(crate) fn take(&self) -> Option<Prepared> {
        self.prepared.take()
    }
}

/// A host for one call, on behalf of the user of this process.
pub(crate) fn host() -> Host<Disk> {
    host_with(OwnLedger::of_environment())
}

/// A host whose calls are recorded in that ledger.
pub(crate) fn host_with(own_ledger: OwnLedger) -> Host<Disk> {
    let progress = Progress::new();
    let prepared = Rc::new(RefCell::new(None));
    Host {
        read: Reading {
            progress,
            spec: OnceCell::new(),
            table: OnceCell::new(),
            outputs: OnceCell::new(),
            records: OnceCell::new(),
            own_ledger: own_ledger.clone(),
            prepared: Rc::clone(&prepared),
        },
        ledger: own_ledger.ledger(),
        act: Writing { progress, own_ledger, prepared },
        scope: format!("uid {}", rustix::process::getuid().as_raw()),
    }
}
