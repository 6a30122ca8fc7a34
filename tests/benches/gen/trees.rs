//! The folders of verb schemas, made once from the service descriptions of botocore.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cpu;
use crate::peers::place;

/// 10,000 verbs, 106 MB: every second operation.
pub(crate) fn ten_thousand() -> PathBuf {
    tree("botocore-spec", &["--every", "2", "--limit", "10000"])
}

/// 200 verbs, 2 MB: every hundredth operation.
pub(crate) fn two_hundred() -> PathBuf {
    tree("botocore-200", &["--every", "100", "--limit", "200"])
}

fn tree(name: &str, sample: &[&str]) -> PathBuf {
    let folder = place(name);
    if !folder.exists() {
        println!("making {name}");
        let unfinished = place(&format!("{name}.unfinished"));
        let mut convert = Command::new("python3");
        convert.args(["-B", "convert_botocore.py"]).arg(place("botocore/unpacked/botocore/data"));
        convert.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("corpora"));
        convert.args(sample).arg("--out").arg(unfinished.join("verbs"));
        cpu::of([convert]);
        fs::rename(unfinished, &folder).unwrap();
    }
    folder
}
