//! Who may depend on whom: the layers of the architecture, held against what Cargo says.

use anyhow::{Context, Result};
use serde::Deserialize;

use super::source::SourceFile;
use super::{Finding, Hit, Weight};
use crate::process;

struct Layer {
    name: &'static str,
    /// The crates of this workspace that it may build on.
    may_use: &'static [&'static str],
}

const LAYERS: &[Layer] = &[
    Layer { name: "forecheck-contract", may_use: &[] },
    Layer { name: "forecheck-spec", may_use: &["forecheck-contract"] },
    Layer { name: "forecheck-codegen", may_use: &["forecheck-contract", "forecheck-spec"] },
    Layer { name: "forecheck", may_use: &["forecheck-contract"] },
    Layer { name: "forecheck-verbs", may_use: &["forecheck", "forecheck-contract"] },
    Layer {
        name: "forecheck-cli",
        may_use: &[
            "forecheck",
            "forecheck-codegen",
            "forecheck-contract",
            "forecheck-spec",
            "forecheck-verbs",
        ],
    },
    Layer { name: "xtask", may_use: &["forecheck-codegen", "forecheck-contract", "forecheck-spec"] },
    Layer { name: "forecheck-tests-runtime", may_use: &["forecheck"] },
    Layer { name: "keeper", may_use: &["forecheck"] },
    Layer {
        name: "forecheck-tests",
        may_use: &[
            "forecheck-cli",
            "forecheck-codegen",
            "forecheck-contract",
            "forecheck-spec",
            "forecheck-verbs",
        ],
    },
];

const THIS_FILE: &str = "xtask/src/tidy/layers.rs";

/// The part of Cargo's answer that layers are about.
#[derive(Deserialize)]
pub(super) struct Metadata {
    workspace_root: String,
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    manifest_path: String,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    /// `None` for an ordinary dependency.
    kind: Option<String>,
    /// `Some` for a crate of this workspace.
    path: Option<String>,
}

impl Metadata {
    pub(super) fn read() -> Result<Self> {
        let json = process::output(&["cargo", "metadata", "--format-version", "1", "--no-deps"])?;
        serde_json::from_str(&json).context("cannot read what `cargo metadata` says")
    }
}

pub(super) fn check(metadata: &Metadata, files: &[SourceFile]) -> Vec<Finding> {
    let edges = metadata.packages.iter().flat_map(|package| {
        let manifest = manifest(metadata, package);
        broken_edges(package)
            .into_iter()
            .map(move |broken| finding(manifest, line_of(files, manifest, broken.dependency), broken.remedy))
    });
    edges.chain(rows_without_crate(metadata)).collect()
}

struct Broken<'a> {
    /// What the manifest's line starts with.
    dependency: &'a str,
    remedy: String,
}

fn broken_edges(package: &Package) -> Vec<Broken<'_>> {
    let Some(layer) = LAYERS.iter().find(|layer| layer.name == package.name) else {
        return vec![Broken {
            dependency: "name",
            remedy: format!("`{}` has no layer: give it a row in {THIS_FILE}", package.name),
        }];
    };
    package
        .dependencies
        .iter()
        .filter(|dependency| dependency.is_layered() && !layer.may_use.contains(&dependency.name.as_str()))
        .map(|dependency| Broken {
            dependency: &dependency.name,
            remedy: format!(
                "`{}` may not use `{}`, only [{}]: move what it needs to a layer below both",
                layer.name,
                dependency.name,
                layer.may_use.join(", ")
            ),
        })
        .collect()
}

impl Dependency {
    /// Tests may reach across layers; what is built for users may not.
    fn is_layered(&self) -> bool {
        self.path.is_some() && self.kind.as_deref() != Some("dev")
    }
}

fn rows_without_crate(metadata: &Metadata) -> impl Iterator<Item = Finding> {
    LAYERS
        .iter()
        .filter(|layer| metadata.packages.iter().all(|package| package.name != layer.name))
        .map(|layer| finding(THIS_FILE, 1, format!("no crate is called `{}`: remove its row", layer.name)))
}

fn manifest<'a>(metadata: &Metadata, package: &'a Package) -> &'a str {
    let path = package.manifest_path.as_str();
    path.strip_prefix(metadata.workspace_root.as_str())
        .map_or(path, |relative| relative.trim_start_matches('/'))
}

fn line_of(files: &[SourceFile], manifest: &str, start: &str) -> usize {
    files
        .iter()
        .find(|file| file.path() == manifest)
        .and_then(|file| file.lines().find(|(_, line)| line.starts_with(start)))
        .map_or(1, |(number, _)| number)
}

fn finding(path: &str, line: usize, remedy: String) -> Finding {
    Finding { path: path.to_owned(), rule: "layers", weight: Weight::Forbids, hit: Hit { line, remedy } }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// What the rule says when `package`, and every other crate of the table, has these dependencies.
    fn findings(package: &str, dependencies: &serde_json::Value) -> Vec<String> {
        let others = LAYERS.iter().map(|layer| layer.name).filter(|name| *name != package);
        let empty = json!([]);
        let packages: Vec<_> = others
            .map(|name| (name, &empty))
            .chain([(package, dependencies)])
            .map(|(name, dependencies)| {
                let manifest_path = format!("/home/me/crates/{name}/Cargo.toml");
                json!({ "name": name, "manifest_path": manifest_path, "dependencies": dependencies })
            })
            .collect();
        let metadata = json!({ "workspace_root": "/home/me", "packages": packages });
        let metadata: Metadata = serde_json::from_value(metadata).unwrap();
        let text = "[package]\nname = \"x\"\n[dependencies]\nforecheck-spec = 1\n";
        let path = format!("crates/{package}/Cargo.toml");
        let files = [SourceFile::new(&path, text.to_owned()).unwrap()];
        check(&metadata, &files).iter().map(Finding::to_string).collect()
    }

    fn edge(name: &str, kind: Option<&str>) -> serde_json::Value {
        json!([{ "name": name, "kind": kind, "path": "/home/me/crates/x" }])
    }

    #[test]
    fn an_edge_against_the_layers_is_found_in_its_manifest() {
        let expected = "crates/forecheck-contract/Cargo.toml:4: layers: `forecheck-contract` may not use \
                        `forecheck-spec`, only []: move what it needs to a layer below both";
        assert_eq!(findings("forecheck-contract", &edge("forecheck-spec", None)), [expected]);
        assert_eq!(findings("forecheck-contract", &edge("forecheck-spec", Some("build"))), [expected]);
    }

    #[test]
    fn edges_along_the_layers_and_edges_of_tests_are_fine() {
        let outside = json!([{ "name": "serde", "kind": null }]);
        assert!(findings("forecheck-contract", &outside).is_empty());
        assert!(findings("forecheck-contract", &edge("forecheck-spec", Some("dev"))).is_empty());
        assert!(findings("forecheck-codegen", &edge("forecheck-spec", None)).is_empty());
    }

    #[test]
    fn the_table_and_the_workspace_name_the_same_crates() {
        let unlisted = "crates/new/Cargo.toml:2: layers: `new` has no layer: give it a row in \
                        xtask/src/tidy/layers.rs";
        assert_eq!(findings("new", &json!([])), [unlisted]);
        let nothing = Metadata { workspace_root: String::new(), packages: Vec::new() };
        assert_eq!(check(&nothing, &[]).len(), LAYERS.len());
    }

    #[test]
    fn every_layer_uses_only_rows_above_it() {
        for (index, layer) in LAYERS.iter().enumerate() {
            let above: Vec<_> = LAYERS.iter().take(index).map(|layer| layer.name).collect();
            assert!(layer.may_use.iter().all(|name| above.contains(name)), "{}", layer.name);
        }
    }
}
