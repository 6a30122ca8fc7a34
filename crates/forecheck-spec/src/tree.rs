//! The files of a surface folder as JSON.

use std::cell::OnceCell;

use forecheck_contract::json::{self, Limits, Node, Position, Positions, ReadProblem, Reading};

use crate::layout::{Layout, Role};
use crate::problem::FileId;
use crate::source::{SourceFile, Sources, Unread};

/// The trees of a surface folder.
#[derive(Debug)]
pub struct Trees<'s> {
    /// See [`Sources::folder_name`].
    pub folder_name: &'s str,
    /// The files, in the order of their paths.
    pub files: Vec<Tree<'s>>,
}

/// One file as JSON.
#[derive(Debug)]
pub struct Tree<'s> {
    /// See [`SourceFile::path`].
    pub path: &'s str,
    /// The bytes; empty where they are not known.
    pub bytes: &'s [u8],
    /// What the file is for.
    pub role: Role<'s>,
    /// The tree, as far as it could be read.
    pub root: Option<Node<'s>>,
    /// Why the bytes are not known.
    pub unread: Option<&'s Unread>,
    /// What is wrong with the text.
    pub problems: Vec<ReadProblem>,
    /// Lines and columns, worked out when somebody asks.
    positions: OnceCell<Positions>,
}

impl Tree<'_> {
    /// The position of a byte of the file.
    pub fn position(&self, offset: u32) -> Position {
        self.positions.get_or_init(|| Positions::of(self.bytes)).at(self.bytes, offset as usize)
    }
}

impl<'s> Trees<'s> {
    /// Reads every file of `sources`, in whatever order they stand there.
    pub fn read(sources: &'s Sources) -> Trees<'s> {
        let layout = Layout::of(sources.files.iter().map(|file| file.path.as_str()));
        let mut files: Vec<Tree<'_>> = sources.files.iter().map(|file| tree(file, layout)).collect();
        files.sort_by_key(|file| file.path);
        Trees { folder_name: &sources.folder_name, files }
    }

    /// The files that have a tree, with their numbers.
    pub fn with_root(&'s self) -> impl Iterator<Item = (FileId, &'s Tree<'s>, &'s Node<'s>)> {
        self.files
            .iter()
            .enumerate()
            .filter_map(|(index, file)| Some((FileId(index), file, file.root.as_ref()?)))
    }

    /// How many files hold a verb.
    pub fn verb_count(&self) -> u64 {
        self.files.iter().filter(|file| matches!(file.role, Role::Verb(_))).count() as u64
    }

    /// The file with that number.
    pub fn file(&self, id: FileId) -> Option<&Tree<'s>> {
        self.files.get(id.0)
    }
}

fn tree(file: &SourceFile, layout: Layout) -> Tree<'_> {
    let (bytes, unread) = match &file.content {
        Ok(bytes) => (bytes.as_slice(), None),
        Err(unread) => (&[][..], Some(unread)),
    };
    let role = layout.role(&file.path);
    let read = unread.is_none() && role != Role::Unknown;
    let Reading { root, problems } = if read {
        json::read_whole(bytes, Limits::SPEC)
    } else {
        Reading { root: None, problems: Vec::new() }
    };
    Tree { path: &file.path, bytes, role, root, unread, problems, positions: OnceCell::new() }
}
