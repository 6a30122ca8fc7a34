//! Sockets of the host that have a name: neither a namespace of its own nor a read-only mount keeps a child
//! from connecting to them.

use std::fs;

use forecheck_boundary::{AbsolutePath, Level};
use rustix::fs::FileType;

use super::Found;
use crate::identity::{Kind, as_path, resolve};

/// Where the kernel lists them. The name is the last column, and may hold blanks.
const LIST: &str = "/proc/net/unix";
const COLUMNS_BEFORE_THE_NAME: usize = 7;

/// Makes every socket inaccessible that listens by a name outside of these trees.
pub(super) fn hide(found: &mut Found, outside_of: &[AbsolutePath]) {
    let list = fs::read(LIST).unwrap_or_default();
    for name in list.split(|byte| *byte == b'\n').skip(1).filter_map(name) {
        let Ok(resolved) = resolve(&name) else {
            continue;
        };
        let is_open = outside_of.iter().any(|tree| resolved.path.is_within(tree));
        if !is_open && is_socket(&resolved.path) {
            found.add(resolved.path, Level::Inaccessible, Kind::File);
        }
    }
}

fn name(line: &[u8]) -> Option<AbsolutePath> {
    let mut rest = line;
    for _ in 0..COLUMNS_BEFORE_THE_NAME {
        let end = rest.iter().position(|byte| *byte == b' ')?;
        rest = rest.get(end..)?.trim_ascii_start();
    }
    AbsolutePath::parse(rest).ok()
}

fn is_socket(path: &AbsolutePath) -> bool {
    let stat = rustix::fs::lstat(as_path(path));
    stat.is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Socket)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_the_last_column() {
        let path = |text| AbsolutePath::parse(text).ok();
        let rows: [(&[u8], _); 4] = [
            (b"0000000000000000: 00000002 00000000 00010000 0001 01 25 /a/b c", path("/a/b c")),
            (b"0000000000000000: 00000002 00000000 00010000 0001 01   25 /a", path("/a")),
            (b"0000000000000000: 00000002 00000000 00010000 0001 01 25 @abstract", None),
            (b"0000000000000000: 00000003 00000000 00000000 0001 03 25", None),
        ];
        for (line, expected) in rows {
            assert_eq!(name(line), expected);
        }
    }
}
