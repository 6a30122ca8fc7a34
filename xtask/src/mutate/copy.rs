//! The copy of the repository that is changed instead of it.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use anyhow::{Context, Result};

use crate::process;

/// Every file of the repository that is not ignored, by its path.
pub(super) fn sources() -> Result<BTreeMap<String, Vec<u8>>> {
    let listed = process::output(&["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"])?;
    let mut texts = BTreeMap::new();
    for path in listed.split_terminator('\0') {
        match fs::read(process::root().join(path)) {
            Ok(text) => drop(texts.insert(path.to_owned(), text)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error).with_context(|| format!("cannot read `{path}`")),
        }
    }
    Ok(texts)
}

/// Makes a folder hold these files and no others. What is as it should be is not touched, so that Cargo does
/// not build it again.
pub(super) fn write(root: &Path, texts: &BTreeMap<String, Vec<u8>>) -> Result<()> {
    fs::create_dir_all(root)?;
    remove_others(root, "", texts)?;
    for (path, text) in texts {
        let file = root.join(path);
        if fs::read(&file).ok().as_ref() != Some(text) {
            file.parent().map_or(Ok(()), fs::create_dir_all)?;
            fs::write(&file, text).with_context(|| format!("cannot write `{}`", file.display()))?;
        }
    }
    Ok(())
}

fn remove_others(root: &Path, below: &str, texts: &BTreeMap<String, Vec<u8>>) -> Result<()> {
    for entry in fs::read_dir(root.join(below))? {
        let entry = entry?;
        let path = format!("{below}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            let folder = path + "/";
            if texts.range(folder.clone()..).next().is_some_and(|(path, _)| path.starts_with(&folder)) {
                remove_others(root, &folder, texts)?;
            } else {
                fs::remove_dir_all(entry.path())?;
            }
        } else if !texts.contains_key(&path) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_holds_what_it_is_given_and_keeps_what_is_as_it_should_be() {
        let root = std::env::temp_dir().join(format!("forecheck-copy-{}", std::process::id()));
        let texts = |files: &[(&str, &str)]| {
            files.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())).collect()
        };
        write(&root, &texts(&[("a/b.rs", "b"), ("a/gone.rs", ""), ("gone/c.rs", ""), ("d.rs", "d")]))
            .unwrap();
        let written = || fs::metadata(root.join("a/b.rs")).unwrap().modified().unwrap();
        let before = written();
        write(&root, &texts(&[("a/b.rs", "b"), ("d.rs", "other"), ("e.rs", "e")])).unwrap();
        assert_eq!(written(), before);
        let there = ["a/b.rs", "a/gone.rs", "gone", "d.rs", "e.rs"]
            .map(|path| fs::read_to_string(root.join(path)).ok());
        assert_eq!(
            there,
            [Some("b"), None, None, Some("other"), Some("e")].map(|text| text.map(str::to_owned))
        );
        fs::remove_dir_all(root).unwrap();
    }
}
