//! The same bytes on every machine: whatever the order of files, the locale, the current folder,
//! the path above, and the line ends of a checkout.

use std::fs;
use std::path::Path;

use walkdir::WalkDir;

use crate::program::{Ran, Scene, copy, keeper, repository, tree};

const OUT: [&str; 5] = ["gen", "--spec", "spec", "--out", "generated"];

/// The files of the shipped surface, generated in a scene that `arrange` has made.
fn generated(arrange: impl Fn(&Scene)) -> std::collections::BTreeMap<String, Vec<u8>> {
    let scene = Scene::new();
    arrange(&scene);
    let ran = scene.run(&OUT);
    assert_eq!(ran.exit, 0, "{ran:?}");
    scene.tree("generated")
}

fn shipped(scene: &Scene) {
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

fn to_crlf(folder: &Path) {
    for entry in
        WalkDir::new(folder).into_iter().map(Result::unwrap).filter(|entry| entry.file_type().is_file())
    {
        let text = fs::read_to_string(entry.path()).unwrap().replace('\n', "\r\n");
        fs::write(entry.path(), text).unwrap();
    }
}

/// dotansimha/graphql-code-generator#10309, samchon/ttsc#683, flop-labs/tclk#90, entireio/cli#1939,
/// smithy#2796: a checkout with other line ends read as drift.
#[test]
fn a_crlf_checkout_of_generated_files_is_no_drift() {
    let scene = keeper();
    assert_eq!(scene.run(&OUT).exit, 0);
    to_crlf(&scene.path("generated"));
    let ran = scene.run(&["gen", "--check"]);
    assert_eq!((ran.exit, &*ran.stdout), (0, "everything is up to date\n"));
    scene.write("generated/errors.json", "{}\r\n");
    assert_eq!(scene.run(&["gen", "--check"]).exit, 1);
}

/// datamodel-code-generator#579, #3090 and geldata/gel-js#559: output that differs per machine.
#[test]
fn where_and_how_it_runs_does_not_matter() {
    let expected = generated(shipped);
    let scene = Scene::new();
    let above = scene.path("with blanks/und Umläute/日本");
    copy(&repository().join("spec"), &above.join("spec"));
    let mut command = scene.command(&["gen", "--spec"]);
    command.arg(above.join("spec")).arg("--out").arg(above.join("generated"));
    command.current_dir("/").env("LC_ALL", "tr_TR.UTF-8").env("TZ", "Asia/Kathmandu").env("HOME", "/nowhere");
    let ran = Ran::of(command.output().unwrap());
    assert_eq!(ran.exit, 0, "{ran:?}");
    assert_eq!(tree(&above.join("generated")), expected);
    let here = Scene::new();
    shipped(&here);
    assert_eq!(
        Ran::of(here.command(&["gen", "--spec", "./spec/.", "--out", "x/../generated"]).output().unwrap())
            .exit,
        0
    );
    assert_eq!(here.tree("generated"), expected);
}
