//! `PATHS_CLASH`

use forecheck::Failed;

use crate::generated::details::PathsClash;
use crate::generated::open_change::InputFilesItem as FileOfChange;

pub(super) fn check(files: &[FileOfChange]) -> Result<(), Failed<PathsClash>> {
    let clashes = |(index, file): (usize, &FileOfChange)| {
        let mut others = files.iter().enumerate().filter(move |(other, _)| *other != index);
        others.any(|(_, other)| is_at_or_below(&file.path, &other.path)).then(|| (index, file.path.clone()))
    };
    match files.iter().enumerate().find_map(clashes) {
        None => Ok(()),
        Some((index, path)) => Err(Failed::from(PathsClash { path }).at(format!("/files/{index}/path"))),
    }
}

fn is_at_or_below(path: &str, other: &str) -> bool {
    path.strip_prefix(other).is_some_and(|below| below.is_empty() || below.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_no_folder_and_stands_once() {
        let rows: [(&[&str], Option<&str>); 5] = [
            (&["a", "b"], None),
            (&["a", "ab", "a-b"], None),
            (&["a", "b", "a"], Some("/files/0/path")),
            (&["a", "a/b"], Some("/files/1/path")),
            (&["a/b/c", "a/b"], Some("/files/0/path")),
        ];
        for (paths, expected) in rows {
            let file = |path: &&str| FileOfChange { path: (*path).to_owned(), content: String::new() };
            let files: Vec<FileOfChange> = paths.iter().map(file).collect();
            let failed = |at: &str| {
                let index: usize = at.split('/').nth(2).unwrap().parse().unwrap();
                Failed::from(PathsClash { path: paths[index].to_owned() }).at(at)
            };
            assert_eq!(check(&files), expected.map_or(Ok(()), |at| Err(failed(at))), "{paths:?}");
        }
    }
}
