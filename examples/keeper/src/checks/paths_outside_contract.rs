//! `PATHS_OUTSIDE_CONTRACT`

use forecheck::Failed;
use forecheck::predicate::path_within;
use serde_json::Value;

use crate::generated::details::PathsOutsideContract;
use crate::generated::facts::Contract;
use crate::generated::open_change::InputFilesItem as FileOfChange;

pub(super) fn check(files: &[FileOfChange], contract: &Contract) -> Result<(), Failed<PathsOutsideContract>> {
    let allowed = contract.terms.as_ref().map(|terms| terms.paths.as_slice()).unwrap_or_default();
    let outside = |file: &FileOfChange| !allowed.iter().any(|allowed| lies_within(&file.path, allowed));
    let outside = files.iter().enumerate().filter(|(_, file)| outside(file));
    let mut pointers = outside.map(|(index, _)| format!("/files/{index}/path")).peekable();
    if pointers.peek().is_none() {
        return Ok(());
    }
    Err(pointers.fold(PathsOutsideContract { allowed: allowed.to_vec() }.into(), Failed::at))
}

fn lies_within(path: &str, folder: &str) -> bool {
    path_within(Some(&Value::from(path)), Some(&Value::from(folder)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generated::facts::ContractTerms;

    #[test]
    fn every_path_outside_is_named() {
        let allowed = ["docs", "README.md"].map(str::to_owned).to_vec();
        let contract = Contract { terms: Some(ContractTerms { expires: 0, paths: allowed.clone() }) };
        let files = |paths: &[&str]| -> Vec<FileOfChange> {
            let file = |path: &&str| FileOfChange { path: (*path).to_owned(), content: String::new() };
            paths.iter().map(file).collect()
        };
        assert_eq!(check(&files(&["docs/a", "docs/b/c", "README.md"]), &contract), Ok(()));
        let failed = Failed::from(PathsOutsideContract { allowed }).at("/files/1/path").at("/files/2/path");
        assert_eq!(check(&files(&["docs/a", "documents/a", "README"]), &contract), Err(failed));
    }
}
