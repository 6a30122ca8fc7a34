//! Paths as texts: `/`-separated, without looking at any disk.

/// Whether `path` is `folder` or lies below it. One that climbs above its start is comparable with
/// nothing.
pub(super) fn is_within(path: &str, folder: &str) -> bool {
    let same_start = path.starts_with('/') == folder.starts_with('/');
    let segments = segments(path).zip(segments(folder));
    same_start && segments.is_some_and(|(path, folder)| path.starts_with(&folder))
}

/// The segments after `.` and `..` are resolved; `None` where `..` has no segment to take.
fn segments(path: &str) -> Option<Vec<&str>> {
    let mut segments = Vec::new();
    for segment in path.split('/') {
        match segment {
            "" | "." => {}
            ".." => drop(segments.pop()?),
            name => segments.push(name),
        }
    }
    Some(segments)
}
