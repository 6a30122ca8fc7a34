//! `lib.rs` is a contents page: at most 150 lines.

use super::Hit;
use super::source::SourceFile;

const LIMIT: usize = 150;

pub(super) fn check(file: &SourceFile) -> Vec<Hit> {
    let length = file.lines().count();
    if file.name() != "lib.rs" || length <= LIMIT {
        return Vec::new();
    }
    vec![Hit {
        line: 1,
        remedy: format!(
            "{length} lines, the limit is {LIMIT}: move code into modules and keep `mod` and `pub use`"
        ),
    }]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hits(path: &str, lines: usize) -> usize {
        check(&SourceFile::new(path, "//\n".repeat(lines)).unwrap()).len()
    }

    #[test]
    fn only_lib_is_a_contents_page() {
        assert_eq!(hits("crates/x/src/lib.rs", 150), 0);
        assert_eq!(hits("crates/x/src/lib.rs", 151), 1);
        assert_eq!(hits("crates/x/src/run.rs", 151), 0);
    }
}
