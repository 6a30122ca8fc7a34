//! All files of a folder, decoded: a surface as its author wrote it, before anything is looked up.

use std::collections::BTreeMap;

use forecheck_contract::json::{Node, ReadProblem, ReadProblemKind, Span};

use crate::file::{
    ANNOTATIONS, ConstraintEntry, ConstraintFile, Decoder, FactFile, RetiredEntry, SurfaceFile, VerbFile,
    decode_retired,
};
use crate::layout::{Layout, Role};
use crate::problem::{FileId, Lint, Located, Location, Problem};
use crate::schema::{Resource, ResourceId, Schemas};
use crate::text::quoted;
use crate::tree::{Tree, Trees};

/// The decoded files of a folder.
#[derive(Debug, Default)]
pub(crate) struct RawSurface<'s> {
    pub(crate) surface: Option<SurfaceFile<'s>>,
    /// Verbs in the order of their files.
    pub(crate) verbs: Vec<(FileId, VerbFile<'s>)>,
    /// Shared constraints by the name of their file.
    pub(crate) constraints: BTreeMap<&'s str, (FileId, ConstraintFile<'s>)>,
    /// Facts by the name of their file.
    pub(crate) facts: BTreeMap<&'s str, (FileId, FactFile<'s>)>,
    pub(crate) schemas: Schemas<'s>,
    /// The shared schema resources, with their files.
    pub(crate) schema_files: Vec<(FileId, Resource<'s>)>,
    pub(crate) retired: Vec<RetiredEntry>,
}

impl<'s> RawSurface<'s> {
    /// Every constraint that is written out, shared or not, with its file.
    pub(crate) fn constraints(&self) -> impl Iterator<Item = (FileId, &ConstraintFile<'s>)> {
        let own = self
            .verbs
            .iter()
            .flat_map(|(file, verb)| verb.constraints.iter().map(move |entry| (*file, entry)));
        let own = own.filter_map(|(file, entry)| match entry {
            ConstraintEntry::Own(own) => Some((file, &**own)),
            ConstraintEntry::Shared(_) => None,
        });
        self.constraints.values().map(|(file, constraint)| (*file, constraint)).chain(own)
    }

    /// Every schema resource, with its file.
    pub(crate) fn resources(&self) -> Vec<(FileId, Resource<'s>)> {
        let verbs = self
            .verbs
            .iter()
            .flat_map(|(file, verb)| [Some(verb.input), verb.output].map(|node| (*file, node)));
        let details = self.constraints().map(|(file, constraint)| (file, constraint.details));
        let facts = self.facts.values().map(|(file, fact)| (*file, Some(fact.schema)));
        let own = verbs.chain(details).chain(facts);
        let own = own.filter_map(|(file, node)| Some((file, Resource::own(node?))));
        own.chain(self.schema_files.iter().copied()).collect()
    }
}

/// Decodes every file.
pub(crate) fn decode<'s>(trees: &'s Trees<'s>, problems: &mut Vec<Problem>) -> RawSurface<'s> {
    for (index, file) in trees.files.iter().enumerate() {
        report_unread(FileId(index), file, problems);
    }
    let mut raw = RawSurface::default();
    for (id, file, root) in trees.with_root() {
        decode_file(&mut raw, id, file, root, problems);
    }
    if raw.surface.is_none() && !trees.files.iter().any(|file| file.role == Role::Surface) {
        let message =
            format!("no surface.json: the surface is called {}, version 0.0.0", quoted(trees.folder_name));
        problems.push(
            Problem::new(Lint::NoSurface, Location::FOLDER, message)
                .help("add surface.json with at least a `name`"),
        );
    }
    raw
}

fn decode_file<'s>(
    raw: &mut RawSurface<'s>,
    id: FileId,
    file: &Tree<'s>,
    root: &'s Node<'s>,
    problems: &mut Vec<Problem>,
) {
    let mut decoder = Decoder { file: id, problems };
    match file.role {
        Role::Surface => raw.surface = SurfaceFile::decode(&mut decoder, root),
        Role::Verb(name) => {
            if let Some(verb) = VerbFile::decode(&mut decoder, root) {
                same_name(&mut decoder, "verb", verb.verb, name);
                raw.verbs.push((id, verb));
            }
        }
        Role::Constraint(name) => {
            let known: Vec<&str> = ConstraintFile::KNOWN.into_iter().chain(ANNOTATIONS).collect();
            if let Some(constraint) = ConstraintFile::decode(&mut decoder, root, &known) {
                same_name(&mut decoder, "code", constraint.code, name);
                raw.constraints.insert(name, (id, constraint));
            }
        }
        Role::Fact(name) => {
            if let Some(fact) = FactFile::decode(&mut decoder, root) {
                same_name(&mut decoder, "fact", fact.fact, name);
                raw.facts.insert(name, (id, fact));
            }
        }
        Role::Common => {
            raw.schemas.common = Some(root);
            raw.schema_files.push((id, Resource { id: ResourceId::Common, root }));
        }
        Role::Defs(name) => {
            raw.schemas.defs.insert(name, root);
            raw.schema_files.push((id, Resource { id: ResourceId::Defs(name), root }));
        }
        Role::Retired => raw.retired = decode_retired(&mut decoder, root),
        Role::Advisory => {
            let message = "advisories are not read yet";
            decoder.report_with_help(
                Lint::NotYet,
                Span::default(),
                message,
                "leave the folder out; they come with the advisor",
            );
        }
        Role::Unknown => {}
    }
}

/// A file is named after what it declares.
fn same_name(decoder: &mut Decoder<'_>, what: &str, declared: Located<&str>, file: &str) {
    if declared.value != file {
        let message = format!(
            "the file is named after {}, the {what} in it is {}",
            quoted(file),
            quoted(declared.value)
        );
        decoder.report_with_help(Lint::FileName, declared.at.span, message, "rename one of the two");
    }
}

fn report_unread(id: FileId, file: &Tree<'_>, problems: &mut Vec<Problem>) {
    let at = |span| Location { file: Some(id), span };
    if let Some(unread) = file.unread {
        problems.push(
            Problem::new(Lint::Unreadable, at(Span::default()), format!("the file was not read: {unread}"))
                .help("replace it by a readable regular file, or remove it"),
        );
    } else if file.role == Role::Unknown {
        problems.push(
            Problem::new(
                unknown_file(file.path),
                at(Span::default()),
                "the dialect knows no file of this name here",
            )
            .help(placement(file.path)),
        );
    }
    problems.extend(file.problems.iter().map(|problem| read_problem(problem, at(problem.span), id)));
}

/// A verb under a wrong name would be a verb that is gone, so in the folders of the dialect this is an
/// error.
fn unknown_file(path: &str) -> Lint {
    match path.split_once('/') {
        Some(("verbs" | "constraints" | "facts" | "defs", _)) => Lint::MisplacedFile,
        _ => Lint::UnknownFile,
    }
}

fn placement(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    match (Layout::Folders.role(&format!("verbs/{name}")), name.strip_suffix(".json")) {
        (Role::Verb(verb), _) if !path.starts_with("verbs/") => {
            format!("a verb stands in `verbs/{verb}.schema.json`")
        }
        (Role::Unknown, Some(stem)) if path.starts_with("verbs/") && !stem.starts_with('_') => {
            format!("a verb's file is called `{stem}.schema.json`")
        }
        _ => {
            "files stand in verbs/, constraints/, facts/ and defs/; surface.json and retired.json at the top"
                .to_owned()
        }
    }
}

fn read_problem(problem: &ReadProblem, at: Location, file: FileId) -> Problem {
    let lint = match &problem.kind {
        ReadProblemKind::TooLarge { .. }
        | ReadProblemKind::TooDeep { .. }
        | ReadProblemKind::UnsafeInteger
        | ReadProblemKind::NumberOverflow => Lint::Limit,
        ReadProblemKind::ByteOrderMark | ReadProblemKind::NotUtf8 | ReadProblemKind::LoneSurrogate => {
            Lint::Encoding
        }
        ReadProblemKind::Syntax { .. } => Lint::Syntax,
        ReadProblemKind::DuplicateName { .. } => Lint::DuplicateKey,
    };
    let reported = Problem::new(lint, at, problem.kind.to_string());
    match &problem.kind {
        ReadProblemKind::DuplicateName { first, .. } => reported
            .related(Location { file: Some(file), span: *first }, "the first one")
            .help("remove one of the two; readers disagree which counts"),
        ReadProblemKind::ByteOrderMark => reported.help("save the file as UTF-8 without a byte order mark"),
        ReadProblemKind::NotUtf8 => reported.help("save the file as UTF-8"),
        ReadProblemKind::LoneSurrogate => reported.help("write both halves, or the character itself"),
        ReadProblemKind::TooLarge { .. }
        | ReadProblemKind::TooDeep { .. }
        | ReadProblemKind::Syntax { .. }
        | ReadProblemKind::UnsafeInteger
        | ReadProblemKind::NumberOverflow => reported,
    }
}
