//! Which file of a surface folder is for what (dialect, the folder at its top).

/// How a folder is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// Verbs stand under `verbs/`.
    Folders,
    /// The folder itself holds the verb files.
    Flat,
}

/// What a file is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role<'s> {
    /// `surface.json`
    Surface,
    /// `verbs/VERB.schema.json`
    Verb(&'s str),
    /// `verbs/_common.schema.json`
    Common,
    /// `constraints/CODE.json`
    Constraint(&'s str),
    /// `facts/FACT.schema.json`
    Fact(&'s str),
    /// `defs/NAME.schema.json`
    Defs(&'s str),
    /// `advisories/FAMILY.json`
    Advisory,
    /// `retired.json`
    Retired,
    /// Nothing that the dialect knows.
    Unknown,
}

impl Layout {
    /// The layout of a folder with these paths: flat when it has verb files at its top and none
    /// under `verbs/`.
    pub fn of<'s>(paths: impl Iterator<Item = &'s str>) -> Layout {
        let mut at_top = false;
        for path in paths {
            if path.starts_with("verbs/") {
                return Layout::Folders;
            }
            at_top |= !path.contains('/') && path.ends_with(".schema.json");
        }
        if at_top { Layout::Flat } else { Layout::Folders }
    }

    /// What the file at `path` is for.
    pub fn role(self, path: &str) -> Role<'_> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        match (folder, self) {
            ("", _) if name == "surface.json" => Role::Surface,
            ("", _) if name == "retired.json" => Role::Retired,
            ("", Layout::Flat) | ("verbs", Layout::Folders) => match name.strip_suffix(".schema.json") {
                Some("_common") => Role::Common,
                Some(verb) if !verb.starts_with('_') => Role::Verb(verb),
                _ => Role::Unknown,
            },
            ("constraints", _) => name.strip_suffix(".json").map_or(Role::Unknown, Role::Constraint),
            ("facts", _) => name.strip_suffix(".schema.json").map_or(Role::Unknown, Role::Fact),
            ("defs", _) => name.strip_suffix(".schema.json").map_or(Role::Unknown, Role::Defs),
            ("advisories", _) => Role::Advisory,
            _ => Role::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_follow_the_folder() {
        let check = |layout: Layout, path, role| assert_eq!(layout.role(path), role, "{path}");
        check(Layout::Folders, "surface.json", Role::Surface);
        check(Layout::Folders, "retired.json", Role::Retired);
        check(Layout::Folders, "verbs/open_pr.schema.json", Role::Verb("open_pr"));
        check(Layout::Folders, "verbs/_common.schema.json", Role::Common);
        check(Layout::Folders, "verbs/_other.schema.json", Role::Unknown);
        check(Layout::Folders, "verbs/open_pr.json", Role::Unknown);
        check(Layout::Folders, "verbs/deep/open_pr.schema.json", Role::Unknown);
        check(Layout::Folders, "constraints/NO_SUCH.json", Role::Constraint("NO_SUCH"));
        check(Layout::Folders, "facts/registry.schema.json", Role::Fact("registry"));
        check(Layout::Folders, "defs/repo.schema.json", Role::Defs("repo"));
        check(Layout::Folders, "advisories/x.json", Role::Advisory);
        check(Layout::Folders, "open_pr.schema.json", Role::Unknown);
        check(Layout::Flat, "open_pr.schema.json", Role::Verb("open_pr"));
        check(Layout::Flat, "_common.schema.json", Role::Common);
        check(Layout::Flat, "surface.json", Role::Surface);
    }

    #[test]
    fn a_folder_of_verb_files_is_flat() {
        let check = |paths: &[&str], layout| assert_eq!(Layout::of(paths.iter().copied()), layout);
        check(&["a.schema.json", "surface.json"], Layout::Flat);
        check(&["a.schema.json", "verbs/b.schema.json"], Layout::Folders);
        check(&["surface.json"], Layout::Folders);
    }
}
