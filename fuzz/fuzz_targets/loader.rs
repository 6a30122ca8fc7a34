//! Any bytes as the files of a surface: every problem has a place and can be shown.

#![no_main]

use forecheck_fuzz::folder;
use forecheck_spec::check::check;
use forecheck_spec::render;
use forecheck_spec::tree::Trees;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let sources = folder(bytes);
    let trees = Trees::read(&sources);
    let checked = check(&trees);
    for problem in &checked.problems {
        let shown = render::human(problem, &trees, "spec", false);
        assert!(shown.contains(problem.lint.name()), "{shown}");
        assert!(!shown.contains('\u{1b}'), "{shown:?}");
        assert_eq!(problem.at.file.is_some(), render::place(&trees, problem.at).is_some());
    }
});
