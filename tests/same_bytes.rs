//! The same bytes on every machine: whatever the order of files, the locale, the current folder,
//! the path above, and the line ends of a checkout.

use std::fs;
use std::path::Path;

use walkdir::WalkDir;

use crate::program::{Scene, copy, repository, tree};

pub(crate) const OUT: [&str; 5] = ["gen", "--spec", "spec", "--out", "generated"];

/// The files of the shipped surface, generated in a scene that `arrange` has made.
pub(crate) fn generated(arrange: impl Fn(&Scene)) -> std::collections::BTreeMap<String, Vec<u8>> {
    let scene = Scene::new();
    arrange(&scene);
    let ran = scene.run(&OUT);
    assert_eq!(ran.exit, 0, "{ran:?}");
    scene.tree("generated")
}

pub(crate) fn shipped(scene: &Scene) {
    copy(&repository().join("spec"), &scene.path("spec"));
}

#[test]
fn the_order_of_files_does_not_matter() {
    let backwards = |scene: &Scene| {
        let spec = repository().join("spec");
        let mut files: Vec<String> =
            tree(&spec).into_keys().filter(|path| spec.join(path).is_file()).collect();
        files.reverse();
        for path in files {
            scene.write(&format!("spec/{path}"), fs::read(spec.join(&path)).unwrap());
        }
    };
    assert_eq!(generated(shipped), generated(backwards));
}

#[test]
fn line_ends_of_a_checkout_do_not_matter() {
    let crlf = |scene: &Scene| {
        shipped(scene);
        to_crlf(&scene.path("spec"));
    };
    assert_eq!(generated(shipped), generated(crlf));
}

pub(crate) fn to_crlf(folder: &Path) {
    for entry in
        WalkDir::new(folder).into_iter().map(Result::unwrap).filter(|entry| entry.file_type().is_file())
    {
        let text = fs::read_to_string(entry.path()).unwrap().replace('\n', "\r\n");
        fs::write(entry.path(), text).unwrap();
    }
}
