//! The spec folder of a call: read and checked once.

use std::path::Path;

use forecheck_spec::check::{Checked, check};
use forecheck_spec::problem::Severity;
use forecheck_spec::source::{FolderError, Sources};
use forecheck_spec::surface::Surface;
use forecheck_spec::tree::Trees;
use self_cell::self_cell;

use super::Reading;
use crate::problem::in_words;

self_cell!(
    /// The files of a folder beside what they say.
    struct Files {
        owner: Sources,
        #[covariant]
        dependent: Trees,
    }
);

self_cell!(
    /// The files of a folder beside what is wrong with them and the surface that they describe.
    pub(crate) struct Examined {
        owner: Files,
        #[covariant]
        dependent: Checked,
    }
);

impl Examined {
    pub(crate) fn trees(&self) -> &Trees<'_> {
        self.borrow_owner().borrow_dependent()
    }

    pub(crate) fn checked(&self) -> &Checked<'_> {
        self.borrow_dependent()
    }
}

impl Reading {
    /// The spec folder of the call.
    pub(crate) fn spec(&self, folder: &str) -> Result<&Examined, &FolderError> {
        let examine = || {
            self.progress.step("reading");
            let sources = Sources::load(Path::new(folder))?;
            let files = Files::new(sources, |sources| Trees::read(sources));
            self.progress.step("checking");
            Ok(Examined::new(files, |files| check(files.borrow_dependent())))
        };
        self.spec.get_or_init(examine).as_ref()
    }

    /// The surface of the call, where its spec folder has no errors.
    pub(crate) fn surface(&self, folder: &str) -> Option<&Surface<'_>> {
        self.spec(folder).ok()?.checked().surface.as_ref()
    }

    /// The problems of the spec folder for people, as far as it was read.
    pub(crate) fn problems_in_words(&self, folder: &str, least: Severity) -> String {
        match self.spec.get() {
            Some(Ok(spec)) => in_words(spec.checked(), spec.trees(), folder, least),
            Some(Err(_)) | None => String::new(),
        }
    }
}
