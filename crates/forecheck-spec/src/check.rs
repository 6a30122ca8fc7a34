//! From trees to a surface. This module owns the order; each step reports what it finds and goes
//! on, so that one run shows every problem.

use std::collections::{BTreeMap, BTreeSet};

use forecheck_contract::canonical::{self, Hasher, Sink};
use forecheck_contract::table::SurfaceId;

use crate::lints;
use crate::problem::{Lint, Location, Problem, Severity};
use crate::raw::{self, RawSurface};
use crate::resolve::resolve_verbs;
use crate::surface::{Constraint, Surface, Verb};
use crate::tree::Trees;

/// What [`check`] found.
#[derive(Debug)]
pub struct Checked<'s> {
    /// Every problem, by file and place.
    pub problems: Vec<Problem>,
    /// The surface; absent when one of the problems is an error.
    pub surface: Option<Surface<'s>>,
}

/// Checks the files of a folder and builds the surface that they describe.
pub fn check<'s>(trees: &'s Trees<'s>) -> Checked<'s> {
    let mut problems = Vec::new();
    let raw = raw::decode(trees, &mut problems);
    lints::names::check(&raw, &mut problems);
    let seen = lints::schemas::check(&raw, &mut problems);
    lints::fan_out::check(&raw, &seen, &mut problems);
    lints::runtime_agreement::check(&raw, &mut problems);
    let verbs = resolve_verbs(&raw, &mut problems);
    lints::facts::check(&raw, &verbs, &mut problems);
    lints::defaults::check(&raw, &verbs, &mut problems);
    lints::idle::check(&verbs, &mut problems);
    lints::ignored::check(&raw, &seen, &verbs, &mut problems);
    lints::predicates::check(&raw, &verbs, &mut problems);
    let codes = by_code(&verbs);
    lints::texts::check(&codes, &mut problems);
    lints::agreement::check(&codes, &mut problems);
    // What a file that was not read uses is not known.
    if !problems.iter().any(|problem| problem.lint.hides_a_file()) {
        lints::unused::check(&raw, &seen, &mut problems);
    }
    lints::succession::check(&raw, &mut problems);
    lints::examples::check(&raw, &verbs, &mut problems);
    if raw.verbs.is_empty() && problems.iter().all(|problem| problem.lint.severity() < Severity::Error) {
        let message = "the folder holds no verb";
        problems
            .push(Problem::new(Lint::NoVerbs, Location::FOLDER, message).help("add verbs/VERB.schema.json"));
    }
    problems.sort_by(|a, b| (a.at, a.lint, &a.message).cmp(&(b.at, b.lint, &b.message)));
    problems.dedup_by(|a, b| (a.at, a.lint, &a.message) == (b.at, b.lint, &b.message));
    let failed = problems.iter().any(|problem| problem.lint.severity() == Severity::Error);
    let surface = (!failed).then(|| build(trees, raw, verbs));
    Checked { problems, surface }
}

fn build<'s>(trees: &Trees<'s>, raw: RawSurface<'s>, verbs: Vec<Verb<'s>>) -> Surface<'s> {
    let file = raw.surface.as_ref();
    Surface {
        id: SurfaceId {
            name: file.map_or(trees.folder_name, |file| file.name.value).to_owned(),
            version: file.and_then(|file| file.version).unwrap_or("0.0.0").to_owned(),
            base_url: file.and_then(|file| file.base_url).map(str::to_owned),
            spec_sha256: digest(trees),
        },
        description: file.and_then(|file| file.description),
        verbs,
        facts: raw.facts.into_iter().map(|(name, (_, fact))| (name, fact)).collect(),
        schemas: raw.schemas,
        retired: raw.retired.into_iter().map(|retired| retired.entry).collect(),
    }
}

/// SHA-256 over the files by path: each path, NUL, canonical JSON, LF.
fn digest(trees: &Trees<'_>) -> String {
    let mut hasher = Hasher::new();
    for (_, file, root) in trees.with_root() {
        hasher.put(file.path.as_bytes());
        hasher.put(b"\0");
        canonical::write(root, &mut hasher);
        hasher.put(b"\n");
    }
    hex::encode(hasher.finish())
}

/// Codes, each with the constraints that carry it.
pub(crate) type ByCode<'v, 's> = BTreeMap<&'s str, Vec<(&'v Verb<'s>, &'v Constraint<'s>)>>;

/// The codes of all verbs.
pub(crate) fn by_code<'v, 's>(verbs: &'v [Verb<'s>]) -> ByCode<'v, 's> {
    let mut codes = ByCode::new();
    for verb in verbs {
        for constraint in &verb.constraints {
            codes.entry(constraint.code()).or_default().push((verb, constraint));
        }
    }
    codes
}

/// The names of all verbs.
pub(crate) fn verb_names<'s>(raw: &RawSurface<'s>) -> BTreeSet<&'s str> {
    raw.verbs.iter().map(|(_, verb)| verb.verb.value).collect()
}
