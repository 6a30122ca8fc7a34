//! The gatherers: one for each fact that checks read. They only look.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use forecheck::FactUnavailable;

use crate::generated::facts::{Boards, Gather};
use crate::world::Disk;

impl Gather for Disk {
    fn boards(folder: &PathBuf) -> Result<Boards, FactUnavailable> {
        match names(folder) {
            Ok(names) => Ok(Boards { names }),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Boards { names: Vec::new() }),
            Err(error) => Err(FactUnavailable::new(error.to_string())),
        }
    }
}

fn names(folder: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            names.extend(entry.file_name().into_string());
        }
    }
    names.sort();
    Ok(names)
}
