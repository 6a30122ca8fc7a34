//! A folder that is to be filled: what stands there, and the filling, which writes over nothing.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use forecheck_codegen::folder::may_write;
use forecheck_codegen::generator::GeneratedFile;
use forecheck_verbs::generated::facts::{NewFolder, NewFolderObstacle};

use crate::command::shown;

/// What may stand in a folder that counts as empty.
const GIT: &str = ".git";

/// What stands in a folder, and what would keep it from being filled.
pub(crate) fn look(folder: &Path) -> NewFolder {
    let obstacle = |path: &Path, reason: &io::Error| {
        Some(NewFolderObstacle { path: shown(path), reason: reason.to_string() })
    };
    let entries = match names(folder) {
        Ok(names) => names,
        Err(error) if error.kind() == ErrorKind::NotFound && folder.symlink_metadata().is_err() => Vec::new(),
        Err(error) => return NewFolder { entries: Vec::new(), obstacle: obstacle(folder, &error) },
    };
    let unwritable = may_write(folder).err();
    let obstacle = unwritable.and_then(|error| obstacle(&error.path, &error.source));
    NewFolder { entries, obstacle }
}

fn names(folder: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name();
        if name != GIT {
            names.push(name.to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

/// A folder that was not filled.
#[derive(Debug)]
pub(crate) struct Unfilled {
    /// What could not be made.
    path: PathBuf,
    /// What the system said.
    source: io::Error,
    /// What was made before, and could not be removed again.
    pub(crate) left: Vec<PathBuf>,
}

impl fmt::Display for Unfilled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` cannot be written: {}", self.path.display(), self.source)?;
        self.left.iter().try_for_each(|path| write!(f, "\n  `{}` was written and stays", path.display()))
    }
}

/// Makes the folder, where it is not there, and every file. What is there by then is left as it is: the
/// files and folders that were made before it are removed again.
pub(crate) fn fill(folder: &Path, files: &[GeneratedFile]) -> Result<Vec<PathBuf>, Unfilled> {
    let mut made = Made(Vec::new());
    match made.all(folder, files) {
        Ok(()) => Ok(files.iter().map(|file| folder.join(&file.path)).collect()),
        Err((path, source)) => Err(Unfilled { path, source, left: made.undo() }),
    }
}

/// What a call has made, in that order.
struct Made(Vec<PathBuf>);

type NotMade = (PathBuf, io::Error);

impl Made {
    fn all(&mut self, folder: &Path, files: &[GeneratedFile]) -> Result<(), NotMade> {
        let missing: Vec<&Path> =
            folder.ancestors().take_while(|path| !path.as_os_str().is_empty() && !path.exists()).collect();
        for path in missing.into_iter().rev() {
            self.folder(path)?;
        }
        for file in files {
            let path = folder.join(&file.path);
            let above: Vec<&Path> = path.ancestors().skip(1).take_while(|above| *above != folder).collect();
            for above in above.into_iter().rev() {
                if !self.0.iter().any(|made| made == above) {
                    self.folder(above)?;
                }
            }
            self.file(&path, &file.content)?;
        }
        Ok(())
    }

    fn folder(&mut self, path: &Path) -> Result<(), NotMade> {
        fs::create_dir(path).map_err(|error| (path.to_owned(), error))?;
        self.0.push(path.to_owned());
        Ok(())
    }

    fn file(&mut self, path: &Path, content: &str) -> Result<(), NotMade> {
        let failed = |error| (path.to_owned(), error);
        let mut file = File::create_new(path).map_err(failed)?;
        self.0.push(path.to_owned());
        file.write_all(content.as_bytes()).map_err(failed)
    }

    /// Removes what was made, and says what could not be.
    fn undo(self) -> Vec<PathBuf> {
        let removed = |path: &PathBuf| {
            if path.is_dir() { fs::remove_dir(path).is_ok() } else { fs::remove_file(path).is_ok() }
        };
        self.0.into_iter().rev().filter(|path| !removed(path)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str) -> GeneratedFile {
        GeneratedFile { path: path.to_owned(), content: path.to_owned() }
    }

    #[test]
    fn what_is_there_stays_and_what_was_made_goes() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("new/project");
        let files = ["a", "b/c", "b/d", "e"].map(file);
        let written = fill(&folder, &files).unwrap();
        assert_eq!(written, ["a", "b/c", "b/d", "e"].map(|path| folder.join(path)));
        let there = |path: &str| fs::read_to_string(folder.join(path)).ok();
        assert_eq!(["a", "b/c", "b/d", "e"].map(there), ["a", "b/c", "b/d", "e"].map(|s| Some(s.to_owned())));

        for present in ["a", "b/c", "b/d", "e"] {
            fs::remove_dir_all(&folder).unwrap();
            fs::create_dir_all(folder.join(present).parent().unwrap()).unwrap();
            fs::write(folder.join(present), "mine").unwrap();
            let unfilled = fill(&folder, &files).unwrap_err();
            assert_eq!(
                (unfilled.source.kind(), unfilled.left),
                (ErrorKind::AlreadyExists, Vec::<PathBuf>::new())
            );
            let expected = ["a", "b/c", "b/d", "e"].map(|path| (path == present).then(|| "mine".to_owned()));
            assert_eq!(["a", "b/c", "b/d", "e"].map(there), expected, "{present}");
        }
    }
    #[test]
    fn what_cannot_be_removed_again_is_said() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("src");
        let mut made = Made(Vec::new());
        made.all(&folder, &[file("a")]).unwrap();
        fs::write(folder.join("b"), "mine").unwrap();
        assert_eq!(made.undo(), std::slice::from_ref(&folder));
        assert_eq!(names(&folder).unwrap(), ["b"]);
    }
}
