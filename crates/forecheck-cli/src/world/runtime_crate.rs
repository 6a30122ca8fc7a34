//! The folder that is named as the crate `forecheck`.

use std::fs;
use std::path::Path;

/// Where the crate really lies, or in words why `folder` is not it.
pub(super) fn find(folder: &Path) -> Result<String, String> {
    let manifest = folder.join("Cargo.toml");
    let text = fs::read_to_string(&manifest).map_err(|error| format!("{}: {error}", manifest.display()))?;
    if !is_named_forecheck(&text) {
        return Err("its Cargo.toml has another name".to_owned());
    }
    let real = folder.canonicalize().map_err(|error| error.to_string())?;
    real.into_os_string().into_string().map_err(|_| "its path is not UTF-8".to_owned())
}

fn is_named_forecheck(manifest: &str) -> bool {
    manifest.lines().any(|line| line.replace([' ', '\t'], "") == "name=\"forecheck\"")
}
